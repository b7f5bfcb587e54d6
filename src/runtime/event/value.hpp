#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// aclrtValueWrite and aclrtValueWait: a word of device memory, 8 bytes at a multiple of 8 (capture-semantics, 7.7).

/// Throws kParamInvalid for what is not device memory, or not at a multiple of 8.
void check_word(const void* word);
/// Throws kParamInvalid for a flag that is none.
Comparison comparison_of(std::uint32_t flag);

void write_value(Stream& stream, void* word, std::uint64_t value, std::uint32_t flag);
void wait_value(Stream& stream, void* word, std::uint64_t value, std::uint32_t flag);

}  // namespace aclvk::runtime
