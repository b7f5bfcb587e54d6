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
  std::string shaders;                    ///< the stem of their names in bench/shaders/
  std::vector<std::size_t> bytes;         ///< of each operand, the output last
  std::size_t elements = 0;               ///< what the kernels are told
  bool transfers = false;                 ///< vkCmdCopyBuffer does the operator's work, too
  std::optional<raw::Product> product{};  ///< what the kernels of products are told in place of elements
  std::size_t products = 1;               ///< one after the other
};

/// The copy that moves so many bytes: half of them read, half written. By kernels, since others compute with what they
/// move: on CPU drivers vkCmdCopyBuffer is memcpy, which is faster than kernels can load and store.
Floor copy_moving(std::size_t bytes);

/// Adds a group to the report: the operator's replay against the two fastest raw kernels.
void compare_with_floor(const Context& context, Group group, const Floor& floor, const std::string& name,
                        const acl::Operator& ours);

}  // namespace bench
