#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// A 32-bit specialization constant.
struct SpecializationValue {
  std::uint32_t id;
  std::uint32_t value;
};

/// Returns the module with these constants substituted, and without the branches and functions that they rule out.
/// Functions are not inlined. Returns the module unchanged when SPIRV-Tools fails.
std::vector<std::uint32_t> specialized(const std::vector<std::uint32_t>& words,
                                       const std::vector<SpecializationValue>& values);

/// Does the same, and makes the module one function without dead code: constants often reach branches only as function
/// arguments. Loops are not unrolled. Returns the module unchanged, but for these loops, when SPIRV-Tools fails.
std::vector<std::uint32_t> specialized_and_inlined(const std::vector<std::uint32_t>& words,
                                                   const std::vector<SpecializationValue>& values);

}  // namespace aclvk::vk
