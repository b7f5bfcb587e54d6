#include "ops/operator.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/promotion.hpp"
#include "ops/strided.hpp"
#include "ops/tensor_address.hpp"

namespace aclvk::ops {

TensorPtr required_tensor(const void* handle, const char* name) {
  return with_placeholder(required(tensor_handles(), handle, name));
}
TensorPtr optional_tensor(const void* handle, const char* name) {
  return handle ? required_tensor(handle, name) : nullptr;
}
ScalarPtr required_scalar(const void* handle, const char* name) { return required(scalar_handles(), handle, name); }

std::vector<std::int64_t> required_ints(const void* handle, const char* name) {
  return *required(int_array_handles(), handle, name);
}

std::vector<TensorPtr> optional_tensors(const void* handle, const char* name) {
  const auto list = required(tensor_list_handles(), handle, name);
  std::vector<TensorPtr> tensors;
  for (const void* member : list->members) tensors.push_back(member ? required_tensor(member, name) : nullptr);
  return tensors;
}

std::vector<Tensor> required_tensors(const void* handle, const char* name) {
  std::vector<Tensor> tensors;
  for (const TensorPtr& tensor : optional_tensors(handle, name)) {
    check(tensor != nullptr, Code::kNnNullptr, "tensor {} of {} is NULL.", tensors.size(), name);
    tensors.push_back(*tensor);
  }
  check(!tensors.empty(), Code::kNnInvalid, "{} has no tensors; expected one at least.", name);
  return tensors;
}

void check_unsupported(const char* name, const std::vector<UnsupportedParameter>& parameters) {
  for (const UnsupportedParameter& parameter : parameters) {
    check(parameter.handle == nullptr, Code::kFeatureNotSupported, "{} of {} is not built yet; it has to be NULL.",
          parameter.name, name);
  }
}

void check_operand(const Tensor& tensor, const char* name, const DTypeSet& supported) {
  check_dtype(tensor, name, supported);
  check_view(tensor, name);
}

void check_same_dtype(const Tensor& tensor, const char* name, const Tensor& other, const char* other_name) {
  check(tensor.dtype == other.dtype, Code::kNnInvalid, "{} has dtype {}; {} has {}.", name, tensor.dtype, other_name,
        other.dtype);
}

void check_disjoint(const Tensor& out, const char* out_name, const Tensor& input, const char* input_name) {
  // check_overlap() accepts the same view, with which such an operator would be wrong: refuses any view with the same
  // start.
  const ByteSpan written = span_of(out);
  const ByteSpan read = span_of(input);
  const bool disjoint = written.end <= read.begin || read.end <= written.begin || out.empty() || input.empty();
  check(disjoint || written.begin != read.begin, Code::kNnInvalid,
        "{} and {} both start at {:#x}; this operator moves elements, so they must be apart.", out_name, input_name,
        written.begin);
  check_overlap(out, out_name, input, input_name);
}

void append(Kernels& to, Kernels more) {
  check_kernels(to.size() + more.size());
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void check_dtype(const Tensor& tensor, const char* name, const DTypeSet& supported) {
  check(supported.contains(tensor.dtype), Code::kNnInvalid, "{} has dtype {}; supported are {}.", name, tensor.dtype,
        supported);
}

void check_castable(DType from, DType to, const char* what, const char* target) {
  check(can_cast(from, to), Code::kNnInvalid, "{} has dtype {}; it cannot be cast to {}, the dtype of {}.", what, from,
        to, target);
}

Shape check_broadcast(const Tensor& first, const char* first_name, const Tensor& second, const char* second_name) {
  const auto shape = broadcast(first.shape, second.shape);
  check(shape.has_value(), Code::kNnInvalid, "{} has shape {} and {} has shape {}; they do not broadcast.", first_name,
        first.shape, second_name, second.shape);
  return *shape;
}

void check_shape(const Tensor& tensor, const char* name, const Shape& expected, const char* reason) {
  check(tensor.shape == expected, Code::kNnInvalid, "{} has shape {}; {} {}.", name, tensor.shape, reason, expected);
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

namespace {

template <typename T>
void put(std::array<std::uint32_t, 4>& words, std::size_t at, T value) {
  std::memcpy(reinterpret_cast<std::byte*>(words.data()) + at, &value, sizeof(value));
}

}  // namespace

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
