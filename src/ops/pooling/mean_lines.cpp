#include "ops/pooling/mean_lines.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk::ops {

std::vector<Line> mean_lines(const Shape& self, const Windows& windows, const Shape& spatial,
                             const PoolDivisor& divisor) {
  const std::size_t lead = self.size() - windows.size();
  std::vector<Line> lines;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    Line line;
    line.dim = lead + i;
    line.map = LineMap::kWindow;
    line.inputs = self[line.dim];
    line.outputs = spatial[i];
    line.window = windows[i];
    // An override divides once, as the factor of all lines.
    line.divisor = divisor.divisor != 0     ? LineDivisor::kNone
                   : divisor.counts_padding ? LineDivisor::kWindow
                                            : LineDivisor::kInside;
    lines.push_back(line);
  }
  return lines;
}

void check_divisor(const PoolDivisor& divisor) {
  constexpr std::int64_t kMaxDivisor = std::int64_t{1} << 31;
  check(divisor.divisor > -kMaxDivisor && divisor.divisor < kMaxDivisor, Code::kNnInvalid,
        "divisorOverride is {}; it has at most 31 bits, and 0 stands for none.", divisor.divisor);
}

std::vector<Line> adaptive_lines(const Shape& self, const Shape& spatial, const char* name) {
  constexpr std::int64_t kMaxProduct = std::int64_t{1} << 31;
  const std::size_t lead = self.size() - spatial.size();
  std::vector<Line> lines;
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    Line line;
    line.dim = lead + i;
    line.map = LineMap::kAdaptive;
    line.inputs = self[line.dim];
    line.outputs = spatial[i];
    // The shader computes position * extent in 32 bits.
    check(line.inputs < kMaxProduct / std::max<std::int64_t>(line.outputs, 1), Code::kNnInvalid,
          "{} makes {} places of {} elements; their product must be below 2^31.", name, line.outputs, line.inputs);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace aclvk::ops
