#pragma once

#include <string_view>

#include "ops/tensor/dtype.hpp"

namespace aclvk::ops {

/// The dtypes that an operator's tensors may have. Generated from the tables in interface/.
struct OperatorDtypes {
  std::string_view name;  ///< of the function that runs the operator: "aclnnInplaceSin"
  DTypeSet inputs;
  DTypeSet outputs;
};

/// Returns the row of an operator. Every implemented operator has one: a missing row is a bug, and ends the process.
const OperatorDtypes& dtypes_of(std::string_view name) noexcept;

}  // namespace aclvk::ops
