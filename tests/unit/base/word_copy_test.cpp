#include "base/word_copy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace aclvk {
namespace {

// All sizes near those of words, at all alignments, including overlapping ranges.
TEST(WordCopy, CopiesAllBytesAndNoOther) {
  for (std::size_t bytes = 0; bytes <= 17; ++bytes) {
    for (std::size_t to = 0; to < 16; ++to) {
      for (std::size_t from = 0; from < 16; ++from) {
        alignas(8) std::array<unsigned char, 40> data{};
        std::iota(data.begin(), data.end(), static_cast<unsigned char>(1));
        std::array<unsigned char, 40> expected = data;
        for (std::size_t i = 0; i < bytes; ++i) expected[to + i] = data[from + i];
        copy_host_bytes(data.data() + to, data.data() + from, bytes);
        ASSERT_EQ(data, expected) << bytes << " bytes from " << from << " to " << to;
      }
    }
  }
}

}  // namespace
}  // namespace aclvk
