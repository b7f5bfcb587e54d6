#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/context.hpp"
#include "raw/prerecorded_kernel.hpp"

namespace bench {

/// The raw kernels that an operator is measured against.
struct Floor {
  std::string shaders;                    ///< prefix of their names in bench/shaders/
  std::vector<std::size_t> bytes;         ///< size of each operand, the output last
  std::size_t elements = 0;               ///< argument of the kernels
  bool transfers = false;                 ///< vkCmdCopyBuffer is a contender, too
  std::optional<raw::Product> product{};  ///< argument of matrix product kernels, in place of `elements`
  std::size_t products = 1;               ///< dispatches per pass
};

/// Returns the copy that moves `bytes` bytes: half of them read, half written. It uses kernels, not vkCmdCopyBuffer: on
/// CPU drivers that is memcpy, which is faster than any kernel.
Floor copy_moving(std::size_t bytes);

/// Adds a group to the report: the operator's replay against the two fastest raw kernels.
void compare_with_floor(const Context& context, Group group, const Floor& floor, const std::string& name,
                        const acl::Operator& measured);

}  // namespace bench
