// Small numbers on the host, aclnn/opdev: types for the data of programs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "aclnn/opdev/float4_e2m1.h"
#include "aclnn/opdev/fp16_t.h"
#include "aclnnop/aclnn_util.h"

namespace {

ACLNN_API int declared_as_an_operator_is() { return 1; }

double exact(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) return fraction ? std::nan("") : bits >> 15 ? -INFINITY : INFINITY;
  const double value = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

TEST(HostTypes, HalvesAreFloats) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const op::fp16_t half = op::fp16_t::from_bits(static_cast<std::uint16_t>(bits));
    const double value = exact(static_cast<std::uint16_t>(bits));
    const float got = half;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(got));
      continue;
    }
    ASSERT_EQ(got, value) << bits;
    ASSERT_EQ(std::signbit(got), std::signbit(value)) << bits;
    ASSERT_EQ(op::fp16_t(got).val, bits);
  }
}

TEST(HostTypes, HalvesRoundToEven) {
  // Between each two neighbours: halfway, and just beside it, also where a float cannot tell.
  for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const double low = exact(bits);
    const double high = exact(static_cast<std::uint16_t>(bits + 1));
    const double middle = (low + high) / 2;
    const auto even = static_cast<std::uint16_t>(bits % 2 ? bits + 1 : bits);
    ASSERT_EQ(op::fp16_t(middle).val, even);
    ASSERT_EQ(op::fp16_t(-middle).val, even | 0x8000);
    ASSERT_EQ(op::fp16_t(std::nextafter(middle, 0.0)).val, bits);
    ASSERT_EQ(op::fp16_t(std::nextafter(middle, 1e9)).val, bits + 1);
  }
  EXPECT_EQ(op::fp16_t(65519.99).val, 0x7BFF);
  EXPECT_EQ(op::fp16_t(65520.0).val, 0x7C00);
  EXPECT_EQ(op::fp16_t(1e300).val, 0x7C00);
  EXPECT_EQ(op::fp16_t(-1e300).val, 0xFC00);
  EXPECT_EQ(op::fp16_t(-1e-300).val, 0x8000);
  EXPECT_TRUE(std::isnan(static_cast<float>(op::fp16_t(std::nan("")))));
}

TEST(HostTypes, HalvesAreMadeOfAllNumbers) {
  EXPECT_EQ(op::fp16_t(3).val, 0x4200);
  EXPECT_EQ(op::fp16_t(3LL).val, 0x4200);
  EXPECT_EQ(op::fp16_t(std::uint64_t{3}).val, 0x4200);
  op::fp16_t sum = 1.5F;
  sum += 2;
  EXPECT_EQ(sum * 2, 7.0F);
}

TEST(HostTypes, FourBitsRoundToEvenAndSaturate) {
  const float numbers[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  for (std::uint8_t code = 0; code < 16; ++code) {
    const float value = op::float4_e2m1::from_bits(code);
    EXPECT_EQ(value, code & 8 ? -numbers[code & 7] : numbers[code & 7]);
    EXPECT_EQ(op::float4_e2m1(value).val, code == 8 ? 0 : code);
  }
  for (int code = 0; code < 7; ++code) {
    const float middle = (numbers[code] + numbers[code + 1]) / 2;
    EXPECT_EQ(op::float4_e2m1(middle).val, code % 2 ? code + 1 : code);
    EXPECT_EQ(op::float4_e2m1(std::nextafter(middle, 0.0F)).val, code);
    EXPECT_EQ(op::float4_e2m1(std::nextafter(middle, 9.0F)).val, code + 1);
  }
  EXPECT_EQ(static_cast<float>(op::float4_e2m1(1e9F)), 6.0F);
  EXPECT_EQ(static_cast<float>(op::float4_e2m1(-INFINITY)), -6.0F);
  EXPECT_EQ(op::float4_e2m1(std::nanf("")).val, 0);
}

TEST(HostTypes, DeclarationsHaveAWord) { EXPECT_EQ(declared_as_an_operator_is(), 1); }

}  // namespace
