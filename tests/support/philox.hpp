#pragma once

#include <array>
#include <cstdint>

namespace aclvk::test {

/// Four random words.
using Block4 = std::array<std::uint32_t, 4>;

/// Philox4x32-10 on the host, written from the paper (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3").
inline Block4 philox(Block4 counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

}  // namespace aclvk::test
