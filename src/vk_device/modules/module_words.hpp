#pragma once

#include <cstddef>
#include <cstdint>
#include <spirv_cross/spirv.hpp>

namespace aclvk::vk {

/// The words of a SPIR-V module before its first instruction.
constexpr std::size_t kHeaderWords = 5;

/// Calls visit(opcode, words, word count) for each instruction of a validated module.
template <typename Words, typename Visit>
void for_each_instruction(Words& words, Visit&& visit) {
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = words[at] >> spv::WordCountShift;
    visit(static_cast<spv::Op>(words[at] & spv::OpCodeMask), &words[at], count);
    at += count;
  }
}

}  // namespace aclvk::vk
