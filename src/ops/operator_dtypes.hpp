#pragma once

#include <string_view>

#include "ops/dtype.hpp"

namespace aclvk::ops {

/// Which dtypes the tensors of an operator may have, as the tables in api/ say.
struct OperatorDtypes {
  std::string_view name;  ///< of the function that runs the operator: "aclnnInplaceSin"
  DTypeSet inputs;
  DTypeSet outputs;
};

/// Every operator that is built is in the tables; std::terminate tells who asks for another one.
const OperatorDtypes& dtypes_of(std::string_view name) noexcept;

}  // namespace aclvk::ops
