#include "runtime/process/process.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/context/label.hpp"
#include "runtime/context/sys_params.hpp"
#include "runtime/device/device.hpp"
#include "runtime/failure/op_timeout.hpp"
#include "runtime/process/compile_options.hpp"
#include "runtime/process/init.hpp"
#include "runtime/tensor_desc.hpp"
#include "support/process.hpp"

namespace aclvk::runtime {
namespace {

using Names = std::vector<std::string>;

/// Ends a Process and returns the states in the wrong order.
Names end(Process& process) {
  const std::vector<const char*> late = process.end();
  return {late.begin(), late.end()};
}

// Cases of one kind: a change in one Process, and a look at the next one.

TEST(Process, BeginsWithoutParameters) {
  Process first;
  process_params().set(0, 1);
  EXPECT_EQ(process_params().get_or_zero(0), 1);
  EXPECT_EQ(end(first), Names());
  EXPECT_EQ(process_params().get_or_zero(0), 0);
}

TEST(Process, BeginsUninitialised) {
  Process first;
  init(nullptr);
  EXPECT_TRUE(initialized());
  EXPECT_EQ(end(first), Names());
  EXPECT_FALSE(initialized());
  init(nullptr);
  EXPECT_TRUE(initialized());
}

TEST(Process, BeginsWithoutHandles) {
  Process first;
  aclDataBuffer* const buffer = aclCreateDataBuffer(nullptr, 0);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(data_buffer_handles().size(), 1U);
  EXPECT_EQ(end(first), Names());
  EXPECT_EQ(data_buffer_handles().size(), 0U);
}

TEST(Process, BeginsWithoutLimits) {
  Process first;
  const auto usual = task_limit();
  set_task_limit(kTaskLimitStep);
  EXPECT_NE(task_limit(), usual);
  EXPECT_EQ(end(first), Names());
  EXPECT_EQ(task_limit(), usual);
}

TEST(Process, BeginsWithoutAnError) {
  Process first;
  EXPECT_NE(aclrtSynchronizeStream(reinterpret_cast<aclrtStream>(0x5)), ACL_SUCCESS);
  EXPECT_NE(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(end(first), Names());
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST(Process, EndsWhatWasThereBeforeIt) {
  process_params().set(0, 1);
  const Process process;
  EXPECT_EQ(process_params().get_or_zero(0), 0);
}

TEST(Process, EndsRepeatedly) {
  Process process;
  EXPECT_EQ(end(process), Names());
  EXPECT_EQ(end(process), Names());
}

TEST(Process, OpensNoDevice) {
  Process process;
  EXPECT_TRUE(open_devices().empty());
  EXPECT_EQ(end(process), Names());
  EXPECT_TRUE(open_devices().empty());
}

class ProcessFixture : public test::ProcessTest {};

TEST_F(ProcessFixture, ChangesAState) { process_params().set(0, 1); }

TEST_F(ProcessFixture, SeesNoStateOfAnotherCase) { EXPECT_EQ(process_params().get_or_zero(0), 0); }

// With a device.

class ProcessWithDevice : public testing::Test {
 protected:
  void SetUp() override {
    Process look;
    std::uint32_t count = 0;
    if (aclrtGetDeviceCount(&count) != ACL_SUCCESS || count == 0) GTEST_SKIP() << "there is no Vulkan device";
  }
};

TEST_F(ProcessWithDevice, ClosesIt) {
  Process first;
  set_device(0);
  const std::weak_ptr<Device> opened = open_devices().at(0);
  EXPECT_EQ(end(first), Names());
  EXPECT_TRUE(opened.expired());
  EXPECT_EQ(find_current_context(), nullptr);
}

TEST_F(ProcessWithDevice, OpensItAgain) {
  for (int i = 0; i < 3; ++i) {
    Process process;
    set_device(0);
    EXPECT_EQ(current_device_id(), 0);
    EXPECT_EQ(current_context()->default_stream()->id, 0U);
    EXPECT_EQ(end(process), Names());
  }
}

// The program has destroyed nothing: a stream, its work, an event and memory are left to the Process.
TEST_F(ProcessWithDevice, EndsWhatTheProgramHasLeft) {
  for (int i = 0; i < 2; ++i) {
    Process process;
    void* memory = nullptr;
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemsetAsync(memory, 4096, 1, 4096, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    EXPECT_EQ(end(process), Names());
  }
}

TEST_F(ProcessWithDevice, EndsModelsAndCaptures) {
  for (int i = 0; i < 2; ++i) {
    Process process;
    void* memory = nullptr;
    aclrtStream stream = nullptr;
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    for (const bool ends : {true, false}) {
      ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
      ASSERT_EQ(aclrtMemsetAsync(memory, 4096, 1, 4096, stream), ACL_SUCCESS);
      if (!ends) break;
      ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), ACL_SUCCESS);
      ASSERT_EQ(aclmdlRIExecuteAsync(model, stream), ACL_SUCCESS);
    }
    EXPECT_EQ(end(process), Names());
  }
}

TEST_F(ProcessWithDevice, WaitsForHostFunctions) {
  Process process;
  aclrtStream stream = nullptr;
  int calls = 0;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  const auto count = [](void* number) { ++*static_cast<int*>(number); };
  ASSERT_EQ(aclrtLaunchHostFunc(stream, count, &calls), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(end(process), Names());
}

}  // namespace
}  // namespace aclvk::runtime
