#include "ops/matmul/quantised/host_quant_word.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/tensor/shape.hpp"

namespace aclvk::ops {
namespace {

/// Sign, exponent and ten bits of the mantissa: 19 bits.
constexpr std::uint32_t kUpperBits = 0xFFFFE000;
// The word of docs/adr/0010: a float with 13 mantissa bits less, an offset of nine bits from bit 37 on, and bit
// 46.
constexpr std::uint64_t kFixedBit = std::uint64_t{1} << 46;
constexpr int kOffsetPlace = 37;
constexpr std::uint64_t kOffsetBits = 0x1FF;
constexpr float kMinOffset = -256;
constexpr float kMaxOffset = 255;

std::uint64_t word_of(float scale) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &scale, sizeof(bits));
  return (bits & kUpperBits) | kFixedBit;
}

/// Returns the bits of an offset. NaN becomes 0, as in quant_word.comp.
std::uint64_t offset_in_word(float offset) {
  const float whole = std::isnan(offset) ? 0 : std::clamp(std::nearbyint(offset), kMinOffset, kMaxOffset);
  return (static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)) & kOffsetBits) << kOffsetPlace;
}

void check_counts(std::uint64_t scales, std::uint64_t offsets) {
  check(scales > 0 && scales <= kMaxElements, Code::kNnInvalid, "scaleSize is {}; 1 to {} is expected.", scales,
        kMaxElements);
  check(offsets == 0 || offsets == scales || offsets == 1 || (scales == 1 && offsets <= kMaxElements), Code::kNnInvalid,
        "scaleSize is {} and offsetSize {}; the same, or one of them 1, is expected.", scales, offsets);
}

}  // namespace

std::vector<std::uint64_t> host_quant_words(const float* scales, std::uint64_t scale_count, const float* offsets,
                                            std::uint64_t offset_count) {
  require(scales, "scaleArray");
  if (offset_count > 0) require(offsets, "offsetArray");
  check_counts(scale_count, offset_count);
  std::vector<std::uint64_t> words(std::max(scale_count, offset_count));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = word_of(scales[scale_count == 1 ? 0 : i]);
    if (offset_count > 0) words[i] |= offset_in_word(offsets[offset_count == 1 ? 0 : i]);
  }
  return words;
}

}  // namespace aclvk::ops
