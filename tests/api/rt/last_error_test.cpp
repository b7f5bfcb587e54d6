#include <cstdio>
#include <fstream>
#include <string>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::on_another_thread;
using LastError = aclvk::test::OneStream;
using LastErrorOfPlainProcess = aclvk::test::Plain;

aclError peek() { return aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL); }
aclError take() { return aclrtGetLastError(ACL_RT_THREAD_LEVEL); }
aclError fail() { return aclrtSetDevice(-1); }

std::string message() {
  const char* text = aclGetRecentErrMsg();
  return text ? text : "<null>";
}

TEST_F(LastError, IsSuccessAtFirst) {
  EXPECT_EQ(peek(), 0);
  EXPECT_EQ(take(), 0);
}

TEST_F(LastError, IsTakenOnce) {
  EXPECT_EQ(fail(), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(peek(), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(peek(), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(take(), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(take(), 0);
}

TEST_F(LastError, T211_IsNotSetByArgumentErrors) {
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(peek(), 0);
  EXPECT_EQ(take(), 0);
}

TEST_F(LastError, T213_SurvivesSuccess) {
  fail();
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(take(), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(LastError, T214_BelongsToAThread) {
  on_another_thread([] { fail(); });
  EXPECT_EQ(take(), 0);
}

TEST_F(LastError, T215_HasOneLevel) {
  EXPECT_EQ(aclrtGetLastError(static_cast<aclrtLastErrLevel>(1)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPeekAtLastError(static_cast<aclrtLastErrLevel>(2)), ACL_ERROR_INVALID_PARAM);
}

TEST_F(LastError, T217_IsNotSetByUnsupportedCalls) {
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEvent(new_event_ex(ACL_EVENT_SYNC), &status), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(take(), 0);
}

TEST_F(LastErrorOfPlainProcess, IsNotSetByAskingForAContext) {
  int32_t device = 0;
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(take(), 0);
  EXPECT_EQ(message(), "<null>");
}

TEST_F(LastErrorOfPlainProcess, IsSetByNeedingAContext) {
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(take(), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_F(LastError, T218_DetailsOfAHealthyDevice) {
  aclrtErrorInfo info{};
  info.tryRepair = 7;
  EXPECT_EQ(aclrtGetErrorVerbose(0, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetErrorVerbose(-1, &info), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetErrorVerbose(0, &info), 0);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(info.tryRepair, 0);
}

// Messages (E0.8).

TEST_F(LastErrorOfPlainProcess, ThereIsNoMessageAtFirst) { EXPECT_EQ(aclGetRecentErrMsg(), nullptr); }

TEST_F(LastErrorOfPlainProcess, AMessageNamesObjectAndValue) {
  EXPECT_EQ(aclrtSetDevice(77), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_NE(message().find("Device id 77 is outside the visible devices 0.."), std::string::npos);
}

TEST_F(LastErrorOfPlainProcess, ArgumentErrorsHaveMessages) {
  EXPECT_EQ(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(message().find("runMode is NULL."), std::string::npos);
}

TEST_F(LastErrorOfPlainProcess, MessagesAreTakenOnce) {
  aclrtSetDevice(77);
  EXPECT_NE(message(), "<null>");
  EXPECT_EQ(message(), "<null>");
}

TEST_F(LastErrorOfPlainProcess, TheNewestMessageComesFirst) {
  aclrtSetDevice(77);
  aclrtSetDevice(78);
  const std::string text = message();
  EXPECT_LT(text.find("78"), text.find("77"));
}

TEST_F(LastErrorOfPlainProcess, MessagesBelongToAThread) {
  on_another_thread([] { aclrtSetDevice(77); });
  EXPECT_EQ(message(), "<null>");
}

TEST_F(LastErrorOfPlainProcess, MessagesBelongToTheProcessWhenConfigured) {
  const std::string path = testing::TempDir() + "aclvk_err_msg_mode.json";
  std::ofstream(path) << R"({"err_msg_mode":"1"})";
  ASSERT_EQ(aclInit(path.c_str()), 0);
  std::remove(path.c_str());
  on_another_thread([] { aclrtSetDevice(77); });
  EXPECT_NE(message().find("77"), std::string::npos);
}

TEST_F(LastErrorOfPlainProcess, ManyFailuresDoNotFillTheMemory) {
  for (int i = 0; i < 100000; ++i) aclrtGetRunMode(nullptr);
  EXPECT_LT(message().size(), 100000U);
}

}  // namespace
