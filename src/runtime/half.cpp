#include "runtime/half.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace aclvk::runtime {
namespace {

constexpr std::uint16_t kSign = 0x8000;
constexpr std::uint16_t kLargest = 0x7BFF;
constexpr int kMantissaBits = 10;
constexpr int kBias = 15;

}  // namespace

float half_to_float(std::uint16_t half) {
  const int exponent = half >> kMantissaBits & 0x1F;
  const int mantissa = half & 0x3FF;
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(mantissa), 1 - kBias - kMantissaBits)
                              : std::ldexp(static_cast<float>(mantissa | 0x400), exponent - kBias - kMantissaBits);
  return half & kSign ? -magnitude : magnitude;
}

std::uint16_t float_to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? kSign : 0);
  const float magnitude = std::fabs(value);
  // 65520 is halfway between 65504 and 65536, and would round to 65536.
  if (!(magnitude < 65520.0F)) return sign | kLargest;
  if (magnitude == 0) return sign;
  // Scales by the unit in the last place of the result, which is exact. nearbyint() rounds ties to even in the default
  // rounding mode. A carry of the mantissa increments the exponent in the sum below.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int ulp = std::max(exponent - 1, 1 - kBias) - kMantissaBits;
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -ulp)));
  const int biased = ulp + kMantissaBits + kBias;  // 1 for denormals and the smallest normal numbers
  return static_cast<std::uint16_t>(sign | (((biased - 1) << kMantissaBits) + static_cast<int>(units)));
}

}  // namespace aclvk::runtime
