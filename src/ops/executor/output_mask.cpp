#include "ops/executor/output_mask.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"

namespace aclvk::ops {

OutputMask required_output_mask(const void* array) {
  const auto values = required(bool_array_handles(), array, "outputMask");
  check(values->size() == 3, Code::kNnInvalid, "outputMask has {} values; expected 3.", values->size());
  return {(*values)[0] != 0, (*values)[1] != 0, (*values)[2] != 0};
}

TensorParameters::ParamId wanted_output(TensorParameters& tensors, bool wanted, const void* handle, const char* name) {
  return wanted ? tensors.output(handle, name) : tensors.optional_output(nullptr, name);
}

}  // namespace aclvk::ops
