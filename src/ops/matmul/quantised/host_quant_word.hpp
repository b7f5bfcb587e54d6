#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::ops {

/// Returns the quant words of aclnnTransQuantParam: the upper 19 bits of a float scale and a 9-bit offset. A single
/// scale or a single offset is repeated; without offsets their bits are 0. 161001 and 161002 as
/// interface/docs/helpers.tsv says.
std::vector<std::uint64_t> host_quant_words(const float* scales, std::uint64_t scale_count, const float* offsets,
                                            std::uint64_t offset_count);

}  // namespace aclvk::ops
