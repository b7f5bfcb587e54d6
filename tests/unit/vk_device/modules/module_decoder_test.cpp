#include "vk_device/modules/module_decoder.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>

#include "vk_device/modules/module_words.hpp"
#include "vk_device/modules/shader_store.hpp"

namespace aclvk::vk {
namespace {

using Words = std::vector<std::uint32_t>;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kVariants = 8;

/// Returns the embedded shader whose family is the smallest.
const EmbeddedShader& smallest_shader() {
  return *std::min_element(
      kEmbeddedShaders, kEmbeddedShaders + kEmbeddedShaderCount,
      [](const EmbeddedShader& a, const EmbeddedShader& b) { return a.family->bytes < b.family->bytes; });
}

std::size_t first_variant(const EmbeddedShader& shader) {
  const auto exists = [](std::uint32_t words) { return words > 0; };
  return static_cast<std::size_t>(std::find_if(shader.word_counts, shader.word_counts + kVariants, exists) -
                                  shader.word_counts);
}

Bytes family_of(const EmbeddedShader& shader) {
  Bytes bytes(shader.family->bytes);
  ZSTD_decompress(bytes.data(), bytes.size(), shader.family->packed, shader.family->packed_bytes);
  return bytes;
}

/// Returns true if the instructions end where the words end.
bool is_complete(const Words& words) {
  std::size_t at = kHeaderWords;
  while (at < words.size() && words[at] >> spv::WordCountShift > 0) at += words[at] >> spv::WordCountShift;
  return words.size() > kHeaderWords && words[0] == spv::MagicNumber && at == words.size();
}

// The decoder compares each module with the checksum that the encoder took of the compiler's output.
TEST(ModuleDecoder, DecodesEveryEmbeddedModule) {
  std::size_t modules = 0;
  for (std::size_t i = 0; i < kEmbeddedShaderCount; ++i) {
    const EmbeddedShader& shader = kEmbeddedShaders[i];
    for (std::size_t variant = 0; variant < kVariants; ++variant) {
      const Words words = unpack(shader, variant);
      ASSERT_EQ(words.size(), shader.word_counts[variant]) << shader.name << " " << variant;
      if (words.empty()) continue;
      ASSERT_TRUE(is_complete(words)) << shader.name << " " << variant;
      ++modules;
    }
  }
  EXPECT_GE(modules, kEmbeddedShaderCount);
}

class DamagedFamily : public testing::Test {
 protected:
  Words decoded(const Bytes& bytes) const { return decode_module({bytes.data(), bytes.size()}, offset_, words_); }

  const EmbeddedShader& shader_ = smallest_shader();
  const std::size_t offset_ = shader_.offsets[first_variant(shader_)];
  const std::size_t words_ = shader_.word_counts[first_variant(shader_)];
  const Bytes family_ = family_of(shader_);
};

TEST_F(DamagedFamily, IsRefusedWithOtherBytes) {
  const Words whole = decoded(family_);
  ASSERT_EQ(whole.size(), words_);
  // Bytes of the table that this module does not use change nothing.
  std::size_t refused = 0;
  for (std::size_t at = 0; at < family_.size(); ++at) {
    Bytes damaged = family_;
    damaged[at] ^= static_cast<std::uint8_t>(1U << at % 8);
    const Words words = decoded(damaged);
    ASSERT_TRUE(words.empty() || words == whole) << at;
    if (words.empty()) ++refused;
  }
  EXPECT_GT(refused, words_ / 8);
}

TEST_F(DamagedFamily, IsRefusedWithoutItsEnd) {
  // The first module ends before the second one begins; until then, each byte of it counts.
  std::size_t decodes = 0;
  for (std::size_t size = 0; size < family_.size(); ++size) {
    const Words words = decoded(Bytes(family_.begin(), family_.begin() + static_cast<std::ptrdiff_t>(size)));
    ASSERT_TRUE(words.empty() || words.size() == words_) << size;
    ASSERT_TRUE(words.empty() || size > offset_ + words_ / 8) << size;
    if (!words.empty()) ++decodes;
  }
  EXPECT_LT(decodes, family_.size() - offset_);
}

TEST_F(DamagedFamily, IsRefusedWithAnotherOffsetOrSize) {
  const EncodedFamily family{family_.data(), family_.size()};
  for (const std::size_t offset :
       {std::size_t{0}, offset_ + 1, family_.size() - 1, family_.size(), family_.size() + 1}) {
    EXPECT_TRUE(decode_module(family, offset, words_).empty()) << offset;
  }
  for (const std::size_t words : {std::size_t{0}, words_ - 1, words_ + 1}) {
    EXPECT_TRUE(decode_module(family, offset_, words).empty()) << words;
  }
}

}  // namespace
}  // namespace aclvk::vk
