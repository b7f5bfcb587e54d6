#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// A specialization constant of 32 bits.
struct SpecializationValue {
  std::uint32_t id;
  std::uint32_t value;
};

/// The module with these constants as numbers, and without what they rule out. Its functions have been put where they
/// were called, since only there it shows what an argument that is constant rules out; its loops stay loops. The module
/// as it is where SPIRV-Tools cannot do it.
std::vector<std::uint32_t> specialized(const std::vector<std::uint32_t>& words,
                                       const std::vector<SpecializationValue>& values);

}  // namespace aclvk::vk
