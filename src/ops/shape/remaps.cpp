#include "ops/shape/remaps.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/args/shape.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/shape/copies.hpp"
#include "ops/shape/remap.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kFlippable = kMovable;
constexpr DTypeSet kRollable = kCommon.with({DType::kUint32}).with(kComplex64);
constexpr DTypeSet kRepeatable = kMovable.with(kWideUnsigned).with(kFloat8s);
constexpr DTypeSet kImages = kFloats.with(kDoubles).with({DType::kUint8});
constexpr DTypeSet kExactImages = kFloats.with({DType::kUint8});

constexpr int kNhwc = 1;    // aclFormat
constexpr int kNdhwc = 27;  // aclFormat

void check_operands(const Tensor& self, const char* self_name, const Tensor& out, const DTypeSet& dtypes) {
  check_dtype(self, self_name, dtypes);
  check_dtype(out, "out", dtypes);
  check_same_dtype(out, "out", self, self_name);
  check_view(self, self_name);
  check_view(out, "out");
}

DimRule roll_rule(std::int64_t shift, std::int64_t size) {
  if (size == 0) return {};
  // A roll moves elements to greater indices, so an output reads c - shift.
  const std::int64_t back = (shift % size + size) % size;
  return {Rule::kWrap, 1, static_cast<double>(-back)};
}

}  // namespace

std::shared_ptr<Executor> plan(const FlipArgs& args) {
  const TensorPtr self = required_tensor(args.self);
  const auto dims = required_ints(args.dims);
  const TensorPtr out = required_tensor(args.out);
  check_operands(*self, "self", *out, kFlippable);
  check_shape(*out, "out", self->shape, "self has shape");
  DimRules rules(self->shape.size());
  InlineVector<std::size_t, kMaxRank> used_dims;
  for (const std::int64_t value : dims) {
    const std::size_t dim = checked_dim(value, self->shape.size(), "a value of dims");
    check(std::find(used_dims.begin(), used_dims.end(), dim) == used_dims.end(), Code::kNnInvalid,
          "dims names dimension {} twice.", dim);
    used_dims.push_back(dim);
    // A flip is a negative stride from the last element.
    if (!rules.empty()) rules[dim] = {Rule::kStep, -1, static_cast<double>(self->shape[dim] - 1)};
  }
  return plan_remap("aclnnFlip", *self, "self", *out, rules);
}

namespace {

/// Rolls the flattened tensor.
std::shared_ptr<Executor> plan_flat_roll(const char* name, const Tensor& x, std::int64_t shift, const Tensor& out) {
  const std::int64_t size = x.elements();
  const std::int64_t back = size == 0 ? 0 : (shift % size + size) % size;
  const auto bytes = static_cast<std::uint64_t>(size) * size_of(x.dtype);
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "x");
    // Views that cannot be flattened are copied: the first half of the workspace is x, the second out.
    const auto row_of = [&](const Tensor& tensor, std::uint64_t at) {
      const auto row = reshaped(tensor, {size});
      return row ? *row : row_major({size}, tensor.dtype, at_offset(bound.workspace, at));
    };
    const Tensor from = row_of(bound.input(0), 0);
    const Tensor to = row_of(bound.output(0), bytes);
    std::vector<Copy> copies;
    if (!reshaped(bound.input(0), {size})) copies.push_back({*reshaped(from, bound.input(0).shape), bound.input(0)});
    // A roll of a vector exchanges its head and its tail.
    copies.push_back({sliced(to, 0, back, size - back), sliced(from, 0, 0, size - back)});
    copies.push_back({sliced(to, 0, 0, back), sliced(from, 0, size - back, back)});
    if (!reshaped(bound.output(0), {size})) copies.push_back({bound.output(0), *reshaped(to, bound.output(0).shape)});
    return copies_kernels(name, copies);
  };
  const bool direct = reshaped(x, {size}) && reshaped(out, {size});
  return std::make_shared<Executor>(name, Executor::Operands{{&x}, {&out}}, std::move(build), direct ? 0 : 2 * bytes);
}

}  // namespace

/// torch.roll. Rolls the flattened tensor when `dims` is empty.
std::shared_ptr<Executor> plan(const RollArgs& args) {
  constexpr const char* kName = "aclnnRoll";
  const TensorPtr x = required_tensor(args.x);
  const auto shifts = required_ints(args.shifts);
  const auto dims = required_ints(args.dims);
  const TensorPtr out = required_tensor(args.out);
  check_operands(*x, "x", *out, kRollable);
  check_shape(*out, "out", x->shape, "x has shape");
  check(!shifts.empty(), Code::kNnInvalid, "shifts has no values; expected one at least.");
  check(shifts.size() == dims.size() || (dims.empty() && shifts.size() == 1), Code::kNnInvalid,
        "shifts has {} values and dims has {}; expected the same number, or one shift and no dims.", shifts.size(),
        dims.size());
  if (dims.empty()) return plan_flat_roll(kName, *x, shifts[0], *out);
  std::vector<std::int64_t> sums(std::max<std::size_t>(x->shape.size(), 1), 0);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::size_t dim = checked_dim(dims[i], x->shape.size(), "a value of dims");
    const std::int64_t size = x->shape.empty() ? 1 : std::max<std::int64_t>(x->shape[dim], 1);
    // Shifts of one dim add up. The remainder keeps the sum small.
    sums[dim] = (sums[dim] + shifts[i] % size) % size;
  }
  DimRules rules(x->shape.size());
  for (std::size_t dim = 0; dim < rules.size(); ++dim) {
    if (sums[dim] != 0) rules[dim] = roll_rule(sums[dim], x->shape[dim]);
  }
  return plan_remap(kName, *x, "x", *out, rules);
}

std::shared_ptr<Executor> plan(const RepeatArgs& args) {
  constexpr const char* kName = "aclnnRepeat";
  const TensorPtr self = required_tensor(args.self);
  const auto repeats = required_ints(args.repeats);
  const TensorPtr out = required_tensor(args.out);
  check_operands(*self, "self", *out, kRepeatable);
  const std::size_t rank = self->shape.size();
  check(repeats.size() >= rank && repeats.size() <= kMaxRank, Code::kNnInvalid,
        "repeats has {} values; expected {} to {}.", repeats.size(), rank, kMaxRank);
  Shape shape;
  DimRules rules(repeats.size());
  std::size_t doubled = 0;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const std::size_t shift = repeats.size() - rank;
    const std::int64_t size = i < shift ? 1 : self->shape[i - shift];
    std::int64_t total = 0;
    const bool fits = repeats[i] >= 0 && !__builtin_mul_overflow(size, repeats[i], &total);
    check(fits, Code::kNnInvalid, "repeats has the value {}; expected 0 or more, with sizes below 2^63.", repeats[i]);
    shape.push_back(total);
    if (repeats[i] == 1) continue;
    // A single element is broadcast by a stride of 0.
    rules[i] = size == 1 ? DimRule{Rule::kStep, 0, 0} : DimRule{Rule::kWrap, 1, 0};
    // Each repeated dim with several elements becomes two dims of the copy.
    doubled += size != 1;
  }
  check_shape(*out, "out", shape, "the repeated shape is");
  // With few enough dims a copy between views is faster than a rule for each element.
  const bool many = repeats.size() + doubled >= kMaxRank;
  if (many) return plan_remap(kName, *self, "self", *out, rules);
  return plan_copies(kName, {{self.get()}, {out.get()}}, "out", "self", [repeats](const auto& bound) {
    Tensor to = bound.output(0);
    Tensor from = bound.input(0);
    const std::size_t shift = repeats.size() - from.shape.size();
    for (std::size_t dim = bound.input(0).shape.size(); dim-- > 0;) {
      const std::int64_t size = from.shape[dim];
      if (repeats[dim + shift] == 1 || size == 1) continue;
      to = unflattened(to, dim + shift, size);
      from = repeated(from, dim, repeats[dim + shift]);
    }
    return std::vector<Copy>{{to, from}};
  });
}

namespace {

DimRule nearest_rule(const Nearest& nearest, double scale, std::int64_t from, std::int64_t to) {
  // PyTorch ignores the scale in these two cases.
  if (!nearest.exact && to == from) return {};
  if (!nearest.exact && to == 2 * from) return {Rule::kDivide, 2, 0};
  // The scale is a float, as in PyTorch's kernels, whose rounding decides which neighbour is nearest.
  const float factor = scale > 0 ? static_cast<float>(1.0 / scale)
                       : to > 0  ? static_cast<float>(from) / static_cast<float>(to)
                                 : 0.0F;
  return {Rule::kScale, factor, nearest.exact ? 0.5 : 0.0};
}

}  // namespace

std::shared_ptr<Executor> plan_upsample_nearest(const Nearest& nearest, const InputArg& self_handle,
                                                const IntArrayArg& size_handle, const OutputArg& out_handle) {
  const TensorPtr self = required_tensor(self_handle);
  const auto size = required_ints(size_handle);
  const TensorPtr out = required_tensor(out_handle);
  check_operands(*self, "self", *out, nearest.exact ? kExactImages : kImages);
  const std::size_t rank = nearest.dims + 2;
  check(self->shape.size() == rank, Code::kNnInvalid, "self has {} dimensions; expected {}.", self->shape.size(), rank);
  check(size.size() == nearest.dims, Code::kNnInvalid, "outputSize has {} values; expected {}.", size.size(),
        nearest.dims);
  const std::size_t first = self->format == kNhwc || self->format == kNdhwc ? 1 : 2;
  Shape shape = self->shape;
  DimRules rules(rank);
  for (std::size_t i = 0; i < nearest.dims; ++i) {
    const std::int64_t from = self->shape[first + i];
    check(size[i] > 0 && from > 0, Code::kNnInvalid,
          "outputSize {} is {} and self has {} elements there; both are positive.", i, size[i], from);
    shape[first + i] = size[i];
    rules[first + i] = nearest_rule(nearest, nearest.scales[i], from, size[i]);
  }
  check_shape(*out, "out", shape, "with outputSize the shape is");
  return plan_remap(nearest.name, *self, "self", *out, rules);
}

}  // namespace aclvk::ops
