#include "ops/norm/norm_checks.hpp"

#include "base/error.hpp"

namespace aclvk::ops {

void check_norm_tensors(NamedTensors tensors) {
  for (const auto& [tensor, name] : tensors) {
    if (tensor) check_dtype(*tensor, name, kNormDtypes);
  }
  for (const auto& [tensor, name] : tensors) {
    if (tensor) check_view(*tensor, name);
  }
}

void check_row_values(const TensorPtr& tensor, const char* name, const Shape& x, std::size_t lead) {
  if (!tensor) return;
  Shape expected(x.begin(), x.begin() + lead);
  Shape given = tensor->shape;
  if (given.size() == lead) return check_shape(*tensor, name, expected, "the dims that are not normalised are");
  expected.resize(x.size(), 1);
  check_shape(*tensor, name, expected, "there is a value for each row, so expected is");
}

void check_norm_memory(std::initializer_list<NamedTensor> inputs, std::initializer_list<NamedTensor> outputs) {
  for (const NamedTensor& output : outputs) {
    if (!output.tensor) continue;
    check_distinct(*output.tensor, output.name);
    for (const NamedTensor& input : inputs) {
      if (input.tensor) check_overlap(*output.tensor, output.name, *input.tensor, input.name);
    }
  }
}

}  // namespace aclvk::ops
