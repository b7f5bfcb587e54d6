// Utilities without a device: T231-T237 and aclAppLog.
#include <cmath>
#include <limits>

#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

TEST_F(Plain, T231_FloatToHalf) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(aclFloatToFloat16(1), 0x3C00);
  EXPECT_EQ(aclFloatToFloat16(-2), 0xC000);
  EXPECT_EQ(aclFloatToFloat16(65504), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65519), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(1e9F), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-1e9F), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(kInfinity), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-kInfinity), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(std::copysign(std::nanf(""), 1.0F)), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(std::copysign(std::nanf(""), -1.0F)), 0xFBFF);
}

TEST_F(Plain, T231_FloatToHalfRoundsToEven) {
  EXPECT_EQ(aclFloatToFloat16(0.0F), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(-0.0F), 0x8000);
  EXPECT_EQ(aclFloatToFloat16(2049), 0x6800) << "between 2048 and 2050";
  EXPECT_EQ(aclFloatToFloat16(2051), 0x6802) << "between 2050 and 2052";
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(2049.0F, 3000.0F)), 0x6801);
  EXPECT_EQ(aclFloatToFloat16(std::ldexp(1.0F, -24)), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(std::ldexp(1.0F, -25)), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(std::ldexp(1.0F, -25), 1.0F)), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(std::ldexp(3.0F, -25)), 0x0002);
  EXPECT_EQ(aclFloatToFloat16(std::ldexp(1.0F, -14)), 0x0400) << "the smallest normal number";
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(std::ldexp(1.0F, -14), 0.0F)), 0x0400);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(-std::numeric_limits<float>::denorm_min()), 0x8000);
}

TEST_F(Plain, T233_HalfToFloat) {
  EXPECT_EQ(aclFloat16ToFloat(0x7C00), 65536.0F);
  EXPECT_EQ(aclFloat16ToFloat(0xFC00), -65536.0F);
  EXPECT_EQ(aclFloat16ToFloat(0x7E00), 98304.0F);
  EXPECT_EQ(aclFloat16ToFloat(0x0001), std::ldexp(1.0F, -24));
  EXPECT_EQ(aclFloat16ToFloat(0x8000), 0.0F);
  EXPECT_TRUE(std::signbit(aclFloat16ToFloat(0x8000)));
  EXPECT_EQ(aclFloat16ToFloat(0x3555), 0.333251953125F);
}

TEST_F(Plain, T234_EveryFiniteHalfSurvivesTheRoundTrip) {
  for (std::uint32_t half = 0; half <= 0xFFFF; ++half) {
    if ((half >> 10 & 0x1F) == 0x1F) continue;
    ASSERT_EQ(aclFloatToFloat16(aclFloat16ToFloat(static_cast<aclFloat16>(half))), half);
  }
}

TEST_F(Plain, T234_HalvesInBetweenGoToTheNearest) {
  for (std::uint32_t half = 0; half < 0x7BFF; ++half) {
    const float low = aclFloat16ToFloat(static_cast<aclFloat16>(half));
    const float high = aclFloat16ToFloat(static_cast<aclFloat16>(half + 1));
    const float middle = (low + high) / 2;
    ASSERT_EQ(aclFloatToFloat16(middle), half % 2 == 0 ? half : half + 1);
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, low)), half);
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, high)), half + 1);
  }
}

TEST_F(Plain, T235_DataTypeSize) {
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT16), 2U);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT8), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_DOUBLE), 8U);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX64), 8U);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16U);
  EXPECT_EQ(aclDataTypeSize(ACL_STRING), 0U);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT4), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_UINT1), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX32), 4U);
  EXPECT_EQ(aclDataTypeSize(ACL_UINT8), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT16), 2U);
  EXPECT_EQ(aclDataTypeSize(ACL_UINT16), 2U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT32), 4U);
  EXPECT_EQ(aclDataTypeSize(ACL_UINT32), 4U);
  EXPECT_EQ(aclDataTypeSize(ACL_INT64), 8U);
  EXPECT_EQ(aclDataTypeSize(ACL_UINT64), 8U);
  EXPECT_EQ(aclDataTypeSize(ACL_HIFLOAT8), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT8_E8M0), 1U);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT6_E3M2), 8U);
  EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(1000)), 8U);
}

TEST_F(Plain, T237_DataBufferSizes) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 5'000'000'000);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 5'000'000'000U);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 705'032'704U);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclDestroyDataBuffer(buffer), 0);
}

TEST_F(Plain, DataBuffersAreUpdatedAndDestroyed) {
  int data = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 0);
  EXPECT_EQ(aclUpdateDataBuffer(buffer, &data, sizeof(data)), 0);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &data);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof(data));
  EXPECT_EQ(aclDestroyDataBuffer(buffer), 0);
  EXPECT_NE(aclDestroyDataBuffer(buffer), 0) << "it is gone";
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
}

TEST_F(Plain, DataBuffersThatAreNull) {
  EXPECT_EQ(aclDestroyDataBuffer(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclUpdateDataBuffer(nullptr, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclGetDataBufferAddr(nullptr), nullptr);
  EXPECT_EQ(aclGetDataBufferSize(nullptr), 0U);
  EXPECT_EQ(aclGetDataBufferSizeV2(nullptr), 0U);
}

std::string logged(const std::string& message) {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "0", 1);
  testing::internal::CaptureStderr();
  aclAppLog(ACL_ERROR, "function", "file.cpp", 12, "%s", message.c_str());
  return testing::internal::GetCapturedStderr();
}

TEST_F(Plain, ALogLineTellsWhereItComesFrom) {
  EXPECT_THAT(logged("hello"), testing::AllOf(testing::HasSubstr("hello"), testing::HasSubstr("function"),
                                              testing::HasSubstr("file.cpp:12")));
}

TEST_F(Plain, ALongLogLineIsCut) {
  const std::string log = logged(std::string(3000, 'x'));
  EXPECT_THAT(log, testing::HasSubstr("x...[truncated]"));
  EXPECT_EQ(std::count(log.begin(), log.end(), 'x'), 1024 - 14);
}

TEST_F(Plain, ALogLineOfExactlyTheLimitIsNotCut) {
  EXPECT_THAT(logged(std::string(1024, 'x')), testing::Not(testing::HasSubstr("truncated")));
}

TEST_F(Plain, ALogLineNeedsNothingButAFormat) {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "0", 1);
  testing::internal::CaptureStderr();
  aclAppLog(ACL_ERROR, nullptr, nullptr, 7, nullptr);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  aclAppLog(ACL_ERROR, nullptr, nullptr, 7, "hello");
  EXPECT_THAT(testing::internal::GetCapturedStderr(), testing::HasSubstr("?:7 ?: hello"));
}

}  // namespace
}  // namespace aclvk::test
