// What a user sees who has set something wrong, or whose program fails over and over.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "support/acl_fixture.hpp"
#include "support/standard_error.hpp"

namespace aclvk::test {
namespace {

using testing::HasSubstr;

std::string recent_message() {
  const char* message = aclGetRecentErrMsg();
  return message ? message : "";
}

TEST_F(Plain, AWrongSettingIsRefusedWithTheRightOnes) {
  setenv("ACLVK_COMPATIBILITY", "bogus", 1);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(recent_message(), HasSubstr("ACLVK_COMPATIBILITY is \"bogus\"; expected lenient or strict."));
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(recent_message(), HasSubstr("bogus"));
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Plain, SoIsANumberOutOfRange) {
  setenv("ACLVK_DEVICES_PER_GPU", "1000000", 1);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(recent_message(), HasSubstr("expected a number from 1 to 64"));
}

TEST_F(Plain, WithoutADeviceTheReasonIsReported) {
  setenv("ACLVK_DEVICE", "no such device", 1);
  ASSERT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_RT_INVALID_DEVICEID);
  const std::string message = recent_message();
  EXPECT_THAT(message, HasSubstr("ACLVK_DEVICE is \"no such device\"; Vulkan finds "));
  EXPECT_THAT(message, HasSubstr("aclvk doctor"));
}

TEST_F(Plain, WithoutADeviceInTheListTheListIsReported) {
  setenv("ASCEND_RT_VISIBLE_DEVICES", "77", 1);
  ASSERT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_THAT(recent_message(), HasSubstr("ASCEND_RT_VISIBLE_DEVICES is \"77\"; it names none of the "));
}

TEST_F(Plain, WithoutADriverThatIsReported) {
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) setenv(name, "/nowhere/driver.json", 1);
  unsetenv("VK_ADD_DRIVER_FILES");
  ASSERT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_RT_INVALID_DEVICEID);
  const std::string message = recent_message();
  EXPECT_THAT(message, HasSubstr("no device is visible. There is no Vulkan loader, or it finds no driver."));
  EXPECT_THAT(message, HasSubstr("\"aclvk doctor\" tells more."));
}

TEST_F(Plain, FailuresInALoopDoNotFillTheLog) {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "3", 1);
  std::string log;
  {
    const StandardError error;
    for (int i = 0; i < 100000; ++i) EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
    log = error.text();
  }
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 104);
  EXPECT_THAT(log, HasSubstr("100000 lines like this one so far"));
  EXPECT_THAT(log, HasSubstr("aclrtFree returns 100000"));
}

TEST_F(Plain, ASecondInitIsNoErrorInTheLog) {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "3", 1);
  std::string log;
  {
    const StandardError error;
    EXPECT_EQ(aclInit(nullptr), 0);
    EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
    log = error.text();
  }
  EXPECT_EQ(log, "");
  EXPECT_THAT(recent_message(), HasSubstr("has been called already"));
}

TEST_F(Plain, MessagesThatAreNotReadDoNotGatherWithoutEnd) {
  for (int i = 0; i < 10000; ++i) EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  const std::string messages = recent_message();
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 31);
  EXPECT_NE(messages.back(), '\n');
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

}  // namespace
}  // namespace aclvk::test
