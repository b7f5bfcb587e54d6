#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::ops {

/// The words of aclnnTransQuantParam: a float's upper 19 bits, and an offset of 9 bits beside it. One scale or one
/// offset serves all of the other; no offsets at all leave their bits out. 161001 and 161002 as api/docs/helpers.tsv
/// says.
std::vector<std::uint64_t> host_quant_words(const float* scales, std::uint64_t scale_count, const float* offsets,
                                            std::uint64_t offset_count);

}  // namespace aclvk::ops
