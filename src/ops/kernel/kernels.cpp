#include "ops/kernel/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

template <typename T>
void put(std::array<std::uint32_t, 4>& words, std::size_t at, T value) {
  std::memcpy(reinterpret_cast<std::byte*>(words.data()) + at, &value, sizeof(value));
}

}  // namespace

void check_kernels(std::size_t count) {
  constexpr std::size_t kMaxKernels = std::size_t{1} << 18;
  check(count <= kMaxKernels, Code::kFeatureNotSupported,
        "The operator would take more than {} kernels; tensors of these sizes are not supported.", kMaxKernels);
}

void append(Kernels& to, Kernels more) {
  check_kernels(to.size() + more.size());
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// A wide class needs shaderInt64 or shaderFloat64, so it is chosen only when a dtype needs it (docs/adr/0009).
ComputeClass class_for(DType promoted, std::initializer_list<DType> dtypes) {
  const auto any = [&](auto&& holds) { return holds(promoted) || std::any_of(dtypes.begin(), dtypes.end(), holds); };
  const bool wide = any(is_wide);
  switch (kind_of(promoted)) {
    case Kind::kComplex: return wide ? ComputeClass::kC128 : ComputeClass::kC64;
    case Kind::kFloating: return wide ? ComputeClass::kF64 : ComputeClass::kF32;
    default: break;
  }
  const auto has_double = [](DType dtype) { return is_wide(dtype) && kind_of(dtype) != Kind::kInteger; };
  if (any(has_double)) return ComputeClass::kI64f;
  return wide ? ComputeClass::kI64 : ComputeClass::kI32;
}

std::array<std::uint32_t, 4> scalar_words(const Scalar& scalar, ComputeClass compute) {
  std::array<std::uint32_t, 4> words{};
  const auto value = scalar.to_complex();
  switch (compute) {
    case ComputeClass::kI32:
    case ComputeClass::kI64:
    case ComputeClass::kI64f: put(words, 0, scalar.to_int64()); break;
    case ComputeClass::kF32:
    case ComputeClass::kC64:
      put(words, 0, static_cast<float>(value.real()));
      put(words, 4, static_cast<float>(value.imag()));
      break;
    case ComputeClass::kF64:
    case ComputeClass::kC128:
      put(words, 0, value.real());
      put(words, 8, value.imag());
      break;
  }
  return words;
}

}  // namespace aclvk::ops
