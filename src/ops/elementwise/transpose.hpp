#pragma once

#include <optional>
#include <string_view>

#include "ops/operator.hpp"

namespace aclvk::ops {

/// The copy of `input`, broadcast, to `out`, of the same dtype, where elements lie side by side along one dim of the
/// input and along another of out: a kernel that moves whole lines of both. None for other views, and for few elements.
std::optional<runtime::Kernel> transposing_kernel(std::string_view name, const Tensor& out, const Tensor& input);

}  // namespace aclvk::ops
