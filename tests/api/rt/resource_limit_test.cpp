// Limits of cores, of time, and of what can be detected (runtime-semantics 2.9, 9 and 11).
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

using CoreLimit = OneStream;
using CoreLimitOfPlainProcess = Plain;

constexpr auto kCube = ACL_RT_DEV_RES_CUBE_CORE;
constexpr auto kVector = ACL_RT_DEV_RES_VECTOR_CORE;

std::uint32_t of_device(aclrtDevResLimitType type) {
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetDeviceResLimit(0, type, &value), 0);
  return value;
}

std::uint32_t of_stream(aclrtStream stream, aclrtDevResLimitType type) {
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetStreamResLimit(stream, type, &value), 0);
  return value;
}

std::uint32_t of_thread(aclrtDevResLimitType type) {
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetResInCurrentThread(type, &value), 0);
  return value;
}

TEST_F(CoreLimit, T047_OfTheDeviceIsChecked) {
  const auto unknown = static_cast<aclrtDevResLimitType>(2);
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetDeviceResLimit(0, unknown, &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetDeviceResLimit(0, kCube, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetDeviceResLimit(-1, kCube, &value), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, unknown, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetDeviceResLimit(-1, kCube, 1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtResetDeviceResLimit(1000), ACL_ERROR_RT_INVALID_DEVICEID);
}

// Programs are written for the many cores of a board.
TEST_F(CoreLimit, MoreThanThereAreIsAllOfThem) {
  const std::uint32_t cores = of_device(kCube);
  ASSERT_EQ(aclrtSetDeviceResLimit(0, kCube, 1), 0);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, kCube, cores + 24), 0);
  EXPECT_EQ(of_device(kCube), cores);
  EXPECT_EQ(aclrtSetStreamResLimit(s, kVector, UINT32_MAX), 0);
  EXPECT_EQ(of_stream(s, kVector), of_device(kVector));
}

struct StrictCoreLimit : OneStream {
  StrictCoreLimit() { setenv("ACLVK_COMPATIBILITY", "strict", 1); }
};

TEST_F(StrictCoreLimit, MoreThanThereAreIsRefused) {
  const std::uint32_t cores = of_device(kCube);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, kCube, cores + 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetStreamResLimit(s, kCube, cores + 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(of_device(kCube), cores);
}

TEST_F(CoreLimit, OfTheDeviceIsKeptForEachKind) {
  const std::uint32_t cores = of_device(kVector);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, kCube, 0), 0);
  EXPECT_EQ(of_device(kCube), 0U);
  EXPECT_EQ(of_device(kVector), cores);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, kCube, cores), 0);
  EXPECT_EQ(of_device(kCube), cores);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, kCube, 1), 0);
  EXPECT_EQ(aclrtResetDeviceResLimit(0), 0);
  EXPECT_EQ(of_device(kCube), cores);
}

TEST_F(CoreLimit, OfAStreamTakesThePlaceOfTheDevices) {
  ASSERT_EQ(aclrtSetDeviceResLimit(0, kCube, 0), 0);
  EXPECT_EQ(of_stream(s, kCube), 0U);
  EXPECT_EQ(aclrtSetStreamResLimit(s, kCube, 1), 0);
  EXPECT_EQ(of_stream(s, kCube), 1U);
  EXPECT_EQ(of_stream(nullptr, kCube), 0U);
  EXPECT_EQ(aclrtResetStreamResLimit(s), 0);
  EXPECT_EQ(of_stream(s, kCube), 0U);
}

TEST_F(CoreLimit, OfAStreamIsChecked) {
  std::uint32_t value = 0;
  const auto unknown = static_cast<aclrtDevResLimitType>(2);
  EXPECT_EQ(aclrtGetStreamResLimit(s, kCube, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetStreamResLimit(s, unknown, &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetStreamResLimit(s, unknown, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetStreamResLimit(s, kCube, of_device(kCube) + 1), 0);
  EXPECT_EQ(of_stream(s, kCube), of_device(kCube)) << "there are no more";
  ASSERT_EQ(aclrtDestroyStream(s), 0);
  EXPECT_EQ(aclrtGetStreamResLimit(s, kCube, &value), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSetStreamResLimit(s, kCube, 1), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtResetStreamResLimit(s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtUseStreamResInCurrentThread(s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtUnuseStreamResInCurrentThread(s), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(CoreLimit, OfAThreadIsThatOfTheStreamItUses) {
  const std::uint32_t cores = of_device(kCube);
  ASSERT_EQ(aclrtSetStreamResLimit(s, kCube, 0), 0);
  EXPECT_EQ(of_thread(kCube), cores);
  EXPECT_EQ(aclrtUseStreamResInCurrentThread(s), 0);
  EXPECT_EQ(of_thread(kCube), 0U);
  EXPECT_EQ(of_thread(kVector), cores);
  on_another_thread([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    EXPECT_EQ(of_thread(kCube), cores);
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
  EXPECT_EQ(aclrtUnuseStreamResInCurrentThread(s), 0);
  EXPECT_EQ(of_thread(kCube), cores);
  EXPECT_EQ(aclrtUseStreamResInCurrentThread(s), 0);
  ASSERT_EQ(aclrtDestroyStream(s), 0);
  EXPECT_EQ(of_thread(kCube), cores);
  EXPECT_EQ(aclrtGetResInCurrentThread(kCube, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CoreLimitOfPlainProcess, NeedsADeviceThatWasSet) {
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtGetDeviceResLimit(0, kCube, &value), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, kCube, 1), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtResetDeviceResLimit(0), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtGetResInCurrentThread(kCube, &value), ACL_ERROR_RT_CONTEXT_NULL);
}

// Time.

using TimeLimit = Plain;

std::uint32_t limit_ms() {
  std::uint32_t ms = 0;
  EXPECT_EQ(aclrtGetOpExecuteTimeout(&ms), 0);
  return ms;
}

TEST_F(TimeLimit, T243_IsAMultipleOfAnInterval) {
  std::uint64_t interval = 0;
  std::uint64_t actual = 0;
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(1000, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetOpTimeOutInterval(nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtGetOpTimeOutInterval(&interval), 0);
  ASSERT_GT(interval, 0U);
  const struct {
    std::uint64_t asked, multiple;
  } rows[] = {{1, 1}, {interval, 1}, {interval + 1, 2}, {253 * interval + 1, 254}, {0, 254}, {UINT64_MAX, 254}};
  for (const auto& row : rows) {
    EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(row.asked, &actual), 0);
    EXPECT_EQ(actual, row.multiple * interval) << row.asked;
    EXPECT_EQ(limit_ms(), actual / 1000);
  }
}

TEST_F(TimeLimit, Is1091SecondsAtFirst) {
  EXPECT_EQ(aclrtGetOpExecuteTimeout(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(limit_ms(), 1091000U);
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(10), 0);
  EXPECT_GE(limit_ms(), 10000U);
  EXPECT_LT(limit_ms(), 20000U);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutWithMs(30), 0);
  EXPECT_LT(limit_ms(), 10000U);
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(UINT32_MAX), 0);
  EXPECT_EQ(limit_ms(), 1091000U);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutWithMs(30), 0);
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(0), 0);
  EXPECT_EQ(limit_ms(), 1091000U);
}

// Overflow: as on a chip that computes with Inf and NaN.

class Overflow : public OneStream {
 protected:
  static constexpr aclError kUnsupported = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  char status[64] = {};
};

TEST_F(Overflow, T242_ArgumentsAreCheckedFirst) {
  EXPECT_EQ(aclrtGetOverflowStatus(nullptr, 64, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 32, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetFloatOverflowStatus(nullptr, 64, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtNpuGetFloatOverFlowStatus(nullptr, 64, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCtxGetFloatOverflowAddr(nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 64, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtResetOverflowStatus(s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtResetFloatOverflowStatus(s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(other), 0);
  EXPECT_EQ(aclrtResetOverflowStatus(s), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtSetDevice(0), 0);
}

TEST_F(Overflow, T242_CannotBeDetected) {
  void* address = nullptr;
  EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), kUnsupported);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(s, 1), kUnsupported);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 64, s), kUnsupported);
  EXPECT_EQ(aclrtResetOverflowStatus(s), kUnsupported);
  EXPECT_EQ(aclrtCtxGetFloatOverflowAddr(&address), kUnsupported);
  EXPECT_EQ(aclrtGetFloatOverflowStatus(status, 64, nullptr), kUnsupported);
  EXPECT_EQ(aclrtResetFloatOverflowStatus(nullptr), kUnsupported);
  EXPECT_EQ(aclrtNpuGetFloatOverFlowStatus(status, 64, 0, s), kUnsupported);
  EXPECT_EQ(aclrtNpuClearFloatOverFlowStatus(0, s), kUnsupported);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
}

TEST_F(Overflow, IsNoBusinessOfStreamsThatAreCaptured) {
  ASSERT_EQ(aclmdlRICaptureBegin(s, kThreadLocal), 0);
  EXPECT_EQ(aclrtGetOverflowStatus(status, 64, s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtResetOverflowStatus(s), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSetStreamOverflowSwitch(s, 0), ACL_ERROR_RT_STREAM_CAPTURED);
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

}  // namespace
}  // namespace aclvk::test
