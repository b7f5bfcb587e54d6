#pragma once

#include <cstdint>

namespace aclvk::test {

/// Which elements of the last dim, `columns` long, make the point that column `d` of the result is a coordinate of.
struct Point {
  std::int64_t first;   ///< in x
  std::int64_t second;  ///< in x
  bool is_second;       ///< of the coordinates
};

/// As the modes of aclnnRotaryPositionEmbedding say: halves, neighbours, quarters, neighbours that become halves.
inline Point point_of(std::int64_t mode, std::int64_t d, std::int64_t columns) {
  const std::int64_t half = columns / 2;
  const std::int64_t quarter = columns / 4;
  switch (mode) {
    case 0: return {d % half, d % half + half, d >= half};
    case 1: return {d / 2 * 2, d / 2 * 2 + 1, d % 2 == 1};
    case 2: return {d / half * half + d % quarter, d / half * half + d % quarter + quarter, d % half >= quarter};
    default: return {d % half * 2, d % half * 2 + 1, d >= half};
  }
}

}  // namespace aclvk::test
