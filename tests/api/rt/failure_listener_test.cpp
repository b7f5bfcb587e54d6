// Listeners of tasks that fail on the device (runtime-semantics 8.6).
#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <thread>
#include <vector>

#include "support/failure_fixture.hpp"

namespace aclvk::test {
namespace {

std::uint32_t this_thread_id() { return static_cast<std::uint32_t>(syscall(SYS_gettid)); }

struct Heard {
  std::uint32_t task, stream, thread, device, code;
  void* arguments;
  std::uint32_t argument_bytes;
  aclrtFuncHandle function;
  std::thread::id called_on;
};

std::mutex heard_mutex;
std::vector<Heard> heard;
aclrtExceptionInfo* kept_info = nullptr;

class FailureListener : public Failure {
 protected:
  FailureListener() {
    heard.clear();
    kept_info = nullptr;
  }
};

void hear(aclrtExceptionInfo* info) {
  Heard now{aclrtGetTaskIdFromExceptionInfo(info),
            aclrtGetStreamIdFromExceptionInfo(info),
            aclrtGetThreadIdFromExceptionInfo(info),
            aclrtGetDeviceIdFromExceptionInfo(info),
            aclrtGetErrorCodeFromExceptionInfo(info),
            &heard,
            1,
            &heard,
            std::this_thread::get_id()};
  EXPECT_EQ(aclrtGetArgsFromExceptionInfo(info, &now.arguments, &now.argument_bytes), 0);
  EXPECT_EQ(aclrtGetFuncHandleFromExceptionInfo(info, &now.function), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the synchronisation has to wait for this
  const std::lock_guard lock(heard_mutex);
  heard.push_back(now);
}

TEST_F(FailureListener, IsReportedBeforeTheSynchronisationReturns) {
  const Cell cell;
  ASSERT_EQ(aclrtSetExceptionInfoCallback(hear), 0);
  EXPECT_EQ(increment(cell, s), 0);
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].stream, static_cast<std::uint32_t>(id_of(s)));
  EXPECT_EQ(heard[0].thread, this_thread_id());
  EXPECT_EQ(heard[0].device, 0U);
  EXPECT_EQ(heard[0].code, static_cast<std::uint32_t>(kFailed));
  EXPECT_EQ(heard[0].arguments, nullptr);
  EXPECT_EQ(heard[0].argument_bytes, 0U);
  EXPECT_EQ(heard[0].function, nullptr);
  EXPECT_NE(heard[0].called_on, std::this_thread::get_id());
}

TEST_F(FailureListener, CanBeQueriedOnlyInsideTheListener) {
  const Cell cell;
  ASSERT_EQ(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) { kept_info = info; }), 0);
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  ASSERT_NE(kept_info, nullptr);
  int number = 0;
  void* arguments = &number;
  std::uint32_t bytes = 0;
  aclrtFuncHandle function = nullptr;
  for (aclrtExceptionInfo* info : {kept_info, reinterpret_cast<aclrtExceptionInfo*>(8)}) {
    EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(info), 0xFFFFFFFF);
    EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(info), 0xFFFFFFFF);
    EXPECT_EQ(aclrtGetArgsFromExceptionInfo(info, &arguments, &bytes), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtGetFuncHandleFromExceptionInfo(info, &function), ACL_ERROR_INVALID_PARAM);
  }
}

TEST_F(FailureListener, OfDifferentTasksHaveDifferentNumbers) {
  const Cell cell;
  ASSERT_EQ(aclrtSetExceptionInfoCallback(hear), 0);
  BlockedStream blocked(s);
  fail(cell, s);
  std::uint32_t other_thread = 0;
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&context), 0);
  on_another_thread([&] {
    EXPECT_EQ(aclrtSetCurrentContext(context), 0);
    other_thread = this_thread_id();
    fail(cell, s);
  });
  blocked.release();
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  ASSERT_EQ(heard.size(), 2U);
  if (heard[0].task > heard[1].task) std::swap(heard[0], heard[1]);
  EXPECT_EQ(heard[1].task, heard[0].task + 1);
  EXPECT_EQ(heard[0].thread, this_thread_id());
  EXPECT_EQ(heard[1].thread, other_thread);
}

TEST_F(FailureListener, IsReportedToAllListenersOnce) {
  const Cell cell;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(hear), 0);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(hear), 0);
  static int others = 0;
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister([](aclrtExceptionInfo*) { ++others; }), 0);
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(heard.size(), 1U);
  EXPECT_EQ(others, 1);
}

TEST_F(FailureListener, IsNotReportedToRemovedListeners) {
  const Cell cell;
  ASSERT_EQ(aclrtSetExceptionInfoCallback(hear), 0);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(nullptr), 0);
  ASSERT_EQ(aclrtExceptionInfoCallbackRegister(hear), 0);
  ASSERT_EQ(aclrtExceptionInfoCallbackUnregister(hear), 0);
  ASSERT_EQ(aclrtExceptionInfoCallbackUnregister(hear), 0);
  fail(cell, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_TRUE(heard.empty());
}

TEST_F(FailureListener, ListenersMayUseTheStream) {
  const Cell cell;
  static aclrtStream stream = nullptr;
  static aclError seen = 0;
  stream = s;
  ASSERT_EQ(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) {
              EXPECT_EQ(aclrtSetDevice(0), 0);
              seen = aclrtSynchronizeStream(stream);
            }),
            0);
  fail(cell, s);
  const aclError code = aclrtSynchronizeStream(s);
  EXPECT_EQ(seen + code, kFailed);  // one of the two takes it
}

TEST_F(FailureListener, T209_T210_listeners_and_infos_are_checked) {
  void* pointer = nullptr;
  std::uint32_t bytes = 0;
  EXPECT_EQ(aclrtExceptionInfoCallbackRegister(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtExceptionInfoCallbackUnregister(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetExceptionInfoCallback(nullptr), 0);
  EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), 0xFFFFFFFFU);
  EXPECT_EQ(aclrtGetArgsFromExceptionInfo(nullptr, &pointer, &bytes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetFuncHandleFromExceptionInfo(nullptr, &pointer), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace aclvk::test
