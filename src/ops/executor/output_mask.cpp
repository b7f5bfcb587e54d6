#include "ops/executor/output_mask.hpp"

#include "base/error.hpp"
#include "ops/executor/handles.hpp"

namespace aclvk::ops {

OutputMask required_output_mask(const BoolArrayArg& array) {
  const auto values = required(bool_array_handles(), array);
  check(values->size() == 3, Code::kNnInvalid, "outputMask has {} values; expected 3.", values->size());
  return {(*values)[0] != 0, (*values)[1] != 0, (*values)[2] != 0};
}

TensorParameters::ParamId wanted_output(TensorParameters& tensors, bool wanted, const OutputArg& arg) {
  return wanted ? tensors.output(arg) : tensors.no_output(arg.name);
}

}  // namespace aclvk::ops
