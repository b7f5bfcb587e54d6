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
  // 65520 is halfway to what would be the next number, and rounds up to it.
  if (!(magnitude < 65520.0F)) return sign | kLargest;
  if (magnitude == 0) return sign;
  // The unit in the last place of the result: the scaled value is exact, and nearbyint() rounds it to even as long as
  // nobody has changed the rounding mode. The sum carries into the exponent by itself.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int ulp = std::max(exponent - 1, 1 - kBias) - kMantissaBits;
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -ulp)));
  const int biased = ulp + kMantissaBits + kBias;  // 1 for denormals and the smallest normal numbers
  return static_cast<std::uint16_t>(sign | (((biased - 1) << kMantissaBits) + static_cast<int>(units)));
}

}  // namespace aclvk::runtime
