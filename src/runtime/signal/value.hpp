#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// aclrtValueWrite and aclrtValueWait. A word is 8 bytes of device memory, aligned to 8 (capture-semantics, 7.7).

/// Throws kParamInvalid unless the address is in device memory and aligned to 8 bytes.
void check_word(const void* word);
/// Throws kParamInvalid for an unknown flag.
Comparison comparison_of(std::uint32_t flag);

void write_value(Stream& stream, void* word, std::uint64_t value, std::uint32_t flag);
void wait_value(Stream& stream, void* word, std::uint64_t value, std::uint32_t flag);

}  // namespace aclvk::runtime
