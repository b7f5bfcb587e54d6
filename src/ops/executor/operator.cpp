#include "ops/executor/operator.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_address.hpp"
#include "ops/tensor/promotion.hpp"

namespace aclvk::ops {

// A tensor whose address is still NULL gets a placeholder (tensor_address.hpp).
TensorPtr required_tensor(const TensorArg& arg) {
  return without_unused_strides(with_placeholder(required(tensor_handles(), arg)));
}
TensorPtr optional_tensor(const TensorArg& arg) { return arg ? required_tensor(arg) : nullptr; }
ScalarPtr required_scalar(const ScalarArg& arg) { return required(scalar_handles(), arg); }

std::vector<std::int64_t> required_ints(const IntArrayArg& arg) { return *required(int_array_handles(), arg); }

std::vector<TensorPtr> optional_tensors(const TensorListArg& arg) {
  const auto list = required(tensor_list_handles(), arg);
  std::vector<TensorPtr> tensors;
  for (const void* member : list->members) {
    tensors.push_back(optional_tensor({static_cast<const aclTensor*>(member), arg.name}));
  }
  return tensors;
}

std::vector<Tensor> required_tensors(const TensorListArg& arg) {
  std::vector<Tensor> tensors;
  for (const TensorPtr& tensor : optional_tensors(arg)) {
    check(tensor != nullptr, Code::kNnNullptr, "tensor {} of {} is NULL.", tensors.size(), arg.name);
    tensors.push_back(*tensor);
  }
  check(!tensors.empty(), Code::kNnInvalid, "{} has no tensors; expected one at least.", arg.name);
  return tensors;
}

void check_unsupported(const char* name, const std::vector<InputArg>& parameters) {
  for (const InputArg& parameter : parameters) {
    check(parameter.handle == nullptr, Code::kFeatureNotSupported,
          "{} of {} is given; it is not supported yet, NULL is expected.", parameter.name, name);
  }
}

void check_operand(const Tensor& tensor, const char* name, const DTypeSet& supported) {
  check_dtype(tensor, name, supported);
  check_view(tensor, name);
}

void check_same_dtype(const Tensor& tensor, const char* name, const Tensor& other, const char* other_name) {
  check(tensor.dtype == other.dtype, Code::kNnInvalid, "{} has dtype {} and {} has {}; the same is expected.", name,
        tensor.dtype, other_name, other.dtype);
}

void check_pair(const Tensor& self, const char* self_name, const Tensor& out, const DTypeSet& dtypes) {
  check_dtype(self, self_name, dtypes);
  check_dtype(out, "out", dtypes);
  check_same_dtype(out, "out", self, self_name);
  check_view(self, self_name);
  check_view(out, "out");
}

void check_disjoint(const Tensor& out, const char* out_name, const Tensor& input, const char* input_name) {
  // check_overlap() accepts the same view, with which such an operator would be wrong: refuses any view with the same
  // start.
  const ByteSpan written = span_of(out);
  const ByteSpan read = span_of(input);
  const bool disjoint = written.end <= read.begin || read.end <= written.begin || out.empty() || input.empty();
  check(disjoint || written.begin != read.begin, Code::kNnInvalid,
        "{} and {} both start at {:#x}; this operator moves elements, so they must not overlap.", out_name, input_name,
        written.begin);
  check_overlap(out, out_name, input, input_name);
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

void check_one(const Tensor& tensor, const char* name) {
  check(tensor.elements() == 1, Code::kNnInvalid, "{} has shape {}; one element is expected.", name, tensor.shape);
}

void check_shape(const Tensor& tensor, const char* name, const Shape& expected, const char* reason) {
  check(tensor.shape == expected, Code::kNnInvalid, "{} has shape {}; {} {}.", name, tensor.shape, reason, expected);
}

}  // namespace aclvk::ops
