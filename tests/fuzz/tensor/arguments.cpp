#include "tensor/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aclvk::fuzz {
namespace {

constexpr std::int64_t kMost = INT64_MAX;
constexpr std::int64_t kExtremes[] = {-1,
                                      INT64_MIN,
                                      kMost,
                                      kMost / 2,
                                      std::int64_t{1} << 31,
                                      65536,
                                      kMost / 3 + 1,
                                      INT32_MAX,
                                      std::int64_t{1} << 32,
                                      std::int64_t{1} << 62,
                                      -65536,
                                      INT32_MIN,
                                      std::int64_t{1} << 56,
                                      std::int64_t{1} << 33,
                                      16777217,
                                      70000};
constexpr std::int64_t kSizes[] = {2, 3, 4, 1, 8, 5, 7, 0, 16, 6};
constexpr int kDTypes[] = {ACL_FLOAT,     ACL_FLOAT16,    ACL_INT64,  ACL_INT32,  ACL_BOOL,
                           ACL_BF16,      ACL_INT8,       ACL_UINT8,  ACL_DOUBLE, ACL_INT16,
                           ACL_COMPLEX64, ACL_COMPLEX128, ACL_UINT64, ACL_INT4,   ACL_UINT32};
constexpr std::size_t kMostDims = 10;
constexpr int kDTypeCount = 45;

std::vector<std::int64_t> row_major(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size());
  std::uint64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0; stride *= static_cast<std::uint64_t>(dims[i])) {
    strides[i] = static_cast<std::int64_t>(stride);
  }
  return strides;
}

}  // namespace

Arguments::Arguments(Bytes& bytes, const Arena& arena, std::uint64_t written)
    : bytes_(bytes), arena_(arena), written_(written) {
  const std::size_t rank = bytes_.pick(6);
  for (std::size_t i = 0; i < rank; ++i) base_.push_back(bytes_.any_of(kSizes));
  base_dtype_ = bytes_.any_of(kDTypes);
}

Arguments::~Arguments() {
  for (const auto& destroy : destroyers_) destroy();
}

std::int64_t Arguments::extreme() {
  modest_ = false;
  return bytes_.once_in(2) ? bytes_.number<std::int64_t>() : bytes_.any_of(kExtremes);
}

int Arguments::pick_dtype() {
  switch (bytes_.pick(8)) {
    case 0:
    case 1:
    case 2:
    case 3: return base_dtype_;
    case 4: return ACL_INT64;
    case 7: return static_cast<int>(bytes_.pick(kDTypeCount)) - 2;
    default: return bytes_.any_of(kDTypes);
  }
}

Arguments::Shape Arguments::pick_shape() {
  Shape shape = base_;
  const std::size_t place = shape.empty() ? 0 : bytes_.pick(shape.size());
  switch (bytes_.pick(20)) {
    case 8:
      if (!shape.empty()) shape[place] = 1;
      break;
    case 9:
      if (!shape.empty()) shape[place] = bytes_.any_of(kSizes);
      break;
    case 10:
      if (!shape.empty()) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 11: shape = shape.empty() ? Shape{} : Shape{shape[place]}; break;
    case 12: std::reverse(shape.begin(), shape.end()); break;
    case 13:
      if (shape.size() > 1) std::swap(shape[shape.size() - 2], shape.back());
      break;
    case 14: shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(place), bytes_.any_of(kSizes)); break;
    case 15: shape.clear(); break;
    case 16: shape = {1}; break;
    case 17:
      if (!shape.empty()) shape[place] = extreme();
      break;
    case 18:
      shape.clear();
      for (std::size_t left = bytes_.pick(kMostDims + 1); left > 0; --left) shape.push_back(bytes_.any_of(kSizes));
      break;
    case 19:
      shape.clear();
      for (std::size_t left = bytes_.pick(kMostDims + 1); left > 0; --left) {
        shape.push_back(bytes_.once_in(2) ? extreme() : bytes_.any_of(kSizes));
      }
      break;
    default: break;
  }
  return shape;
}

void Arguments::pick_strides(View& view) {
  view.strides = row_major(view.dims);
  if (view.dims.empty()) return;
  const std::size_t place = bytes_.pick(view.dims.size());
  switch (bytes_.pick(12)) {
    case 6:
      for (std::int64_t& stride : view.strides)
        stride = static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) * 2);
      break;
    case 7: view.strides[place] = 0; break;
    case 8: std::reverse(view.strides.begin(), view.strides.end()); break;
    case 9: view.strides[place] = static_cast<std::int64_t>(bytes_.pick(64)); break;
    case 10: view.strides[place] = extreme(); break;
    case 11: view.offset = bytes_.once_in(4) ? extreme() : static_cast<std::int64_t>(bytes_.pick(32)); break;
    default: break;
  }
}

// Most pieces differ, so that tensors are disjoint.
void Arguments::pick_address(View& view) {
  std::size_t piece = tensors_;
  std::uintptr_t shift = 0;
  switch (bytes_.pick(32)) {
    case 27: piece = bytes_.pick(tensors_ + 1); break;
    case 28: shift = bytes_.pick(Arena::kPieceBytes / 32) * 4; break;
    case 29: shift = bytes_.byte(); break;
    case 30: view.address = 0; return;
    case 31:
      view.address = bytes_.once_in(2) ? bytes_.number<std::uintptr_t>()
                                       : arena_.piece(0) + arena_.bytes() - 2 * Arena::kGuardBytes;
      return;
    default: break;
  }
  view.address = arena_.piece(piece) + shift;
}

aclTensor* Arguments::tensor(bool written) {
  View view;
  view.dims = pick_shape();
  view.dtype = pick_dtype();
  pick_strides(view);
  pick_address(view);
  const int format = bytes_.once_in(16) ? static_cast<int>(bytes_.byte()) - 2 : static_cast<int>(ACL_FORMAT_ND);
  Shape storage = view.dims;
  if (bytes_.once_in(16)) storage = pick_shape();
  const bool usual = bytes_.byte() % 8 != 7;  // strides may be left out
  if (!usual) view.strides = row_major(view.dims);
  aclTensor* made = aclCreateTensor(view.dims.data(), view.dims.size(), static_cast<aclDataType>(view.dtype),
                                    usual ? view.strides.data() : nullptr, view.offset, static_cast<aclFormat>(format),
                                    storage.data(), storage.size(), reinterpret_cast<void*>(view.address));
  ++tensors_;
  if (written) outputs_.push_back(std::move(view));
  return made;
}

aclTensor* Arguments::owned_tensor(bool written) {
  if (bytes_.once_in(24)) return nullptr;
  aclTensor* made = tensor(written);
  destroyers_.emplace_back([made] { aclDestroyTensor(made); });
  return made;
}

const aclTensor* Arguments::input() { return owned_tensor(written()); }
aclTensor* Arguments::output() { return owned_tensor(true); }

// A list owns its members.
std::vector<aclTensor*> Arguments::members(bool written) {
  std::vector<aclTensor*> members;
  for (std::size_t left = bytes_.pick(5); left > 0; --left) {
    members.push_back(bytes_.once_in(24) ? nullptr : tensor(written));
  }
  return members;
}

aclTensorList* Arguments::list(bool is_written) {
  if (bytes_.once_in(24)) return nullptr;
  const std::vector<aclTensor*> all = members(is_written);
  aclTensorList* made = aclCreateTensorList(all.data(), all.size());
  destroyers_.emplace_back([made] { aclDestroyTensorList(made); });
  return made;
}

const aclTensorList* Arguments::input_list() { return list(written()); }
aclTensorList* Arguments::output_list() { return list(true); }

aclScalar* Arguments::scalar() {
  if (bytes_.once_in(24)) return nullptr;
  double values[2] = {number(), number()};
  std::int64_t whole =
      std::isfinite(values[0]) && std::fabs(values[0]) < 1e18 ? static_cast<std::int64_t>(values[0]) : 1;
  if (bytes_.once_in(16)) whole = extreme();
  const int dtype = pick_dtype();
  const auto narrow = static_cast<float>(values[0]);
  const bool floating = dtype == ACL_DOUBLE || dtype == ACL_COMPLEX128;
  void* value = dtype == ACL_FLOAT ? const_cast<float*>(&narrow) : floating ? static_cast<void*>(values) : &whole;
  // After a value that is shorter than its dtype there is always something that may be read.
  std::uint8_t room[16] = {};
  std::copy_n(static_cast<const std::uint8_t*>(value), dtype == ACL_FLOAT ? 4 : floating ? 16 : 8, room);
  aclScalar* made = aclCreateScalar(room, static_cast<aclDataType>(dtype));
  destroyers_.emplace_back([made] { aclDestroyScalar(made); });
  return made;
}

aclScalarList* Arguments::scalar_list() {
  if (bytes_.once_in(24)) return nullptr;
  std::vector<const aclScalar*> scalars;
  for (std::size_t left = bytes_.pick(5); left > 0; --left) {
    const float value = 1.5F;
    scalars.push_back(bytes_.once_in(16) ? nullptr : aclCreateScalar(const_cast<float*>(&value), ACL_FLOAT));
  }
  aclScalarList* list = aclCreateScalarList(scalars.data(), scalars.size());
  destroyers_.emplace_back([list] { aclDestroyScalarList(list); });
  return list;
}

aclIntArray* Arguments::ints() {
  if (bytes_.once_in(24)) return nullptr;
  std::vector<std::int64_t> values;
  const std::size_t count = bytes_.pick(kMostDims);
  for (std::size_t i = 0; i < count; ++i) values.push_back(integer());
  aclIntArray* made = aclCreateIntArray(values.data(), values.size());
  destroyers_.emplace_back([made] { aclDestroyIntArray(made); });
  return made;
}

aclBoolArray* Arguments::bools() {
  if (bytes_.once_in(24)) return nullptr;
  bool values[8] = {};
  const std::size_t count = bytes_.pick(5);
  for (std::size_t i = 0; i < count; ++i) values[i] = flag();
  aclBoolArray* made = aclCreateBoolArray(values, count);
  destroyers_.emplace_back([made] { aclDestroyBoolArray(made); });
  return made;
}

aclFloatArray* Arguments::floats() {
  if (bytes_.once_in(24)) return nullptr;
  float values[8] = {};
  const std::size_t count = bytes_.pick(5);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(number());
  aclFloatArray* made = aclCreateFloatArray(values, count);
  destroyers_.emplace_back([made] { aclDestroyFloatArray(made); });
  return made;
}

const char* Arguments::text() {
  static const char* const kTexts[] = {"BSND",  "BNSD",      "BSH",      "TND",     "SBH",    "",     "none", "tanh",
                                       "mean",  "sum",       "constant", "reflect", "max",    "min",  "rint", "floor",
                                       "round", "ij,jk->ik", "...",      "NCHW",    "swiglu", nullptr};
  return bytes_.any_of(kTexts);
}

std::int64_t Arguments::integer() {
  switch (bytes_.pick(16)) {
    case 0:
    case 1:
    case 2:
    case 3: return 1;
    case 4:
    case 5:
    case 6: return 0;
    case 7:
    case 8: return -1;
    case 9:
    case 10: return 2;
    case 11: return base_.empty() ? 3 : base_[bytes_.pick(base_.size())];
    case 12: return static_cast<std::int64_t>(bytes_.pick(16));
    case 13: return -static_cast<std::int64_t>(bytes_.pick(16));
    case 14: return static_cast<std::int64_t>(bytes_.byte());
    default: return extreme();
  }
}

double Arguments::number() {
  constexpr double kNumbers[] = {1,
                                 0,
                                 0.5,
                                 -1,
                                 1e-5,
                                 2,
                                 0.125,
                                 1e30,
                                 -1e300,
                                 std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN(),
                                 9.3e18,
                                 -9.3e18,
                                 1e-320,
                                 65536,
                                 3};
  return bytes_.any_of(kNumbers);
}

}  // namespace aclvk::fuzz
