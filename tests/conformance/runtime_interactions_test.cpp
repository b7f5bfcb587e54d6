// Stories about parts of the runtime that meet: pools, mapped memory, kernels of the program's own, several devices,
// failures, profiles, recordings.
#include <cstring>
#include <memory>
#include <vector>

#include "support/devices_fixture.hpp"
#include "support/failure_fixture.hpp"
#include "support/folder.hpp"
#include "support/kernel_fixture.hpp"
#include "support/pool.hpp"
#include "support/virtual_memory.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kBytes = 64;

/// What all eight floats at the address are.
float value_at(const void* address) {
  const RelaxedThread relaxed;
  float values[8] = {};
  EXPECT_EQ(aclrtMemcpy(values, sizeof(values), address, sizeof(values), ACL_MEMCPY_DEVICE_TO_HOST), 0)
      << aclGetRecentErrMsg();
  for (const float value : values) EXPECT_EQ(value, values[0]);
  return values[0];
}

void set_at(void* address, float value) {
  const RelaxedThread relaxed;
  const std::vector<float> values(8, value);
  EXPECT_EQ(aclrtMemcpy(address, 32, values.data(), 32, ACL_MEMCPY_HOST_TO_DEVICE), 0) << aclGetRecentErrMsg();
}

aclError copy(void* to, const void* from, aclrtStream stream) {
  return aclrtMemcpyAsync(to, 32, from, 32, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}

aclError sum(void* to, const void* from, aclrtStream stream) {
  return aclrtReduceAsync(to, from, 32, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT, stream, nullptr);
}

// Several devices.

class InteractionsOfDevices : public ThreeDevices {
 protected:
  const aclrtStream on0 = stream_on(0);
  const aclrtStream on1 = stream_on(1);
};

TEST_F(InteractionsOfDevices, PoolMemoryOfAPeerTakesAccessAsOtherMemoryDoes) {
  const auto own = cell_on(0, 1);
  void* remote = nullptr;
  aclrtMemPool pool = nullptr;
  {
    const OnDevice on(1);
    pool = new_pool(0, 1);
    remote = malloc_async(pool, kBytes, on1);
    set_at(remote, 7);
  }
  EXPECT_EQ(aclrtMemsetAsync(remote, 4, 0, 4, on0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("device 0 has no peer access"), std::string::npos);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  EXPECT_EQ(sum(own->address(), remote, on0), 0) << aclGetRecentErrMsg();
  sync(on0);
  EXPECT_EQ(own->value(), 8);
  EXPECT_EQ(aclrtDeviceDisablePeerAccess(1), 0);
  EXPECT_EQ(sum(own->address(), remote, on0), ACL_ERROR_RT_PARAM_INVALID);
  void* none = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&none, kBytes, pool, on0), ACL_ERROR_RT_PARAM_INVALID) << "not its device";
  EXPECT_EQ(aclrtFree(remote), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

// What a stream of device 0 frees goes to another one that comes later only by way of device 1.
TEST_F(InteractionsOfDevices, EventsOfAnotherDeviceOrderWhatAPoolGivesAgain) {
  aclrtMemPool pool = new_pool();
  const aclrtStream later = stream_on(0);
  void* p = malloc_async(pool, 4 << 20, on0);
  {
    const BlockedStream blocked(on0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, on0), 0);
    void* q = malloc_async(pool, 4 << 20, later);
    EXPECT_NE(q, p);
    aclrtEvent there = nullptr, back = nullptr;
    ASSERT_EQ(aclrtCreateEventExWithFlag(&there, ACL_EVENT_SYNC), 0);
    ASSERT_EQ(aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC), 0);
    EXPECT_EQ(aclrtRecordEvent(there, on0), 0);
    {
      const OnDevice on(1);
      EXPECT_EQ(aclrtStreamWaitEvent(on1, there), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclrtRecordEvent(back, on1), 0);
    }
    EXPECT_EQ(aclrtStreamWaitEvent(later, back), 0);
    void* again = malloc_async(pool, 4 << 20, later);
    EXPECT_EQ(again, p);
    EXPECT_EQ(aclrtMemsetAsync(again, 32, 5, 32, later), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(again, later), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(q, later), 0);
  }
  sync(later);
  EXPECT_EQ(used(pool), 0U);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(InteractionsOfDevices, MappedMemoryLiesOnItsDeviceAndModelsNoticeThatItGoes) {
  if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  const auto own = cell_on(0, 1);
  aclrtPhysicalMemProp prop = device_properties();
  prop.location.id = 1;
  aclrtDrvMemHandle physical = nullptr;
  ASSERT_EQ(aclrtMallocPhysical(&physical, kChunk, &prop, 0), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclrtSetDevice(1), 0);
  const Reservation addresses(1);
  ASSERT_EQ(aclrtResetDevice(1), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtResetDevice(0), 0);
  ASSERT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, physical, 0), 0) << aclGetRecentErrMsg();
  set_at(addresses.at(0), 3);
  aclrtPtrAttributes attributes{};
  EXPECT_EQ(aclrtPointerGetAttributes(addresses.at(0), &attributes), 0);
  EXPECT_EQ(attributes.location.id, 1U);

  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(on0, kThreadLocal), 0);
  EXPECT_EQ(copy(own->address(), addresses.at(0), on0), 0) << aclGetRecentErrMsg();
  ASSERT_EQ(aclmdlRICaptureEnd(on0, &model), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, on0), 0);
  sync(on0);
  EXPECT_EQ(own->value(), 3);
  EXPECT_EQ(aclrtUnmapMem(addresses.at(0)), 0);
  EXPECT_EQ(aclrtFreePhysical(physical), 0);
  EXPECT_NE(aclmdlRIExecuteAsync(model, on0), 0) << "its memory is gone";
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(InteractionsOfDevices, TimesOfEventsAreOnOneAxis) {
  aclrtEvent first = nullptr, second = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&first), 0);
  const auto cell = cell_on(0);
  EXPECT_EQ(increment(*cell, on0), 0);
  EXPECT_EQ(aclrtRecordEvent(first, on0), 0);
  {
    const OnDevice on(1);
    ASSERT_EQ(aclrtCreateEvent(&second), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(on1, first), 0);
    const Cell other;
    EXPECT_EQ(increment(other, on1), 0);
    EXPECT_EQ(aclrtRecordEvent(second, on1), 0);
    sync(on1);
  }
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, first, second), 0) << aclGetRecentErrMsg();
  EXPECT_GE(ms, 0);
  EXPECT_LT(ms, 60000);
  float back = 1;
  EXPECT_EQ(aclrtEventElapsedTime(&back, second, first), 0);
  EXPECT_EQ(back, -ms);
}

TEST_F(InteractionsOfDevices, AResetOfOneLeavesPoolsOfTheOthers) {
  aclrtMemPool pool = new_pool();
  void* p = malloc_async(pool, kBytes, on0);
  {
    const OnDevice on(1);
    aclrtMemPool gone = new_pool(0, 1);
    malloc_async(gone, kBytes, on1);
    BlockedStream blocked(on1);
    EXPECT_EQ(aclrtMemPoolFreeAsync(malloc_async(gone, kBytes, on1), on1), 0);
    EXPECT_EQ(aclrtDeviceTaskAbort(1, 30000), 0);
    EXPECT_EQ(aclrtMemPoolDestroy(gone), 0);
  }
  EXPECT_EQ(aclrtResetDeviceForce(1), 0);
  EXPECT_EQ(aclrtMemsetAsync(p, kBytes, 1, kBytes, on0), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, on0), 0);
  sync(on0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
  EXPECT_EQ(aclrtSetDevice(1), 0);  // for the fixture
  const Cell cell;
  EXPECT_EQ(increment(cell, nullptr), 0) << aclGetRecentErrMsg();
  sync(nullptr);
  EXPECT_EQ(cell.value(), 1);
}

// Tasks that are given up.

class InteractionsOfAborts : public KernelTest {};

TEST_F(InteractionsOfAborts, PoolsKeepNothingThatWasFreed) {
  aclrtMemPool pool = new_pool();
  for (const bool whole_device : {false, true}) {
    const BlockedStream blocked(s);
    void* p = malloc_async(pool, kBytes, s);
    EXPECT_EQ(aclrtMemsetAsync(p, kBytes, 1, kBytes, s), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
    order(s, side);
    EXPECT_EQ(whole_device ? aclrtDeviceTaskAbort(0, 30000) : aclrtStreamAbort(s), 0);
    EXPECT_NE(aclrtSynchronizeStreamWithTimeout(s, 30000), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_NE(aclrtSynchronizeStreamWithTimeout(side, 30000), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    EXPECT_EQ(used(pool), 0U);
    void* q = malloc_async(pool, kBytes, side);
    set_at(q, 4);
    EXPECT_EQ(value_at(q), 4);
    EXPECT_EQ(aclrtFree(q), 0);
  }
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(InteractionsOfAborts, ADroppedRunLetsItsModelAndTheMemoryGo) {
  aclrtMemPool pool = new_pool();
  void* malloced = nullptr;
  ASSERT_EQ(aclrtMalloc(&malloced, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  aclmdlRI model = capture([&] {
    void* p = malloc_async(pool, kBytes, s);
    EXPECT_EQ(copy(p, malloced, s), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(malloced, s), 0);
  });
  const BlockedStream blocked(s);
  execute(model, s);
  EXPECT_EQ(aclrtStreamAbort(s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_GT(used(pool), 0U);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(used(pool), 0U);
  EXPECT_EQ(aclrtFree(malloced), ACL_ERROR_RT_PARAM_INVALID) << "freed with the model";
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

// Failing tasks.

class InteractionsOfFailures : Settings, public KernelTest {
 protected:
  explicit InteractionsOfFailures(const char* trace = "")
      : Settings({{"ACLVK_FAIL_KERNEL", "main"}, {"ACLVK_TRACE", trace}}) {}

  void expect_failing_replays() {
    const Cell out;
    const aclrtFuncHandle function = load_function(kAddByPointer);
    aclmdlRI model = capture([&] {
      EXPECT_EQ(add(function, cell, out, 1, s), 0);
      EXPECT_EQ(increment(out, s), 0);
    });
    for (int run = 0; run < 3; ++run) {
      execute(model, s);
      EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), kFailed);
    }
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  }
};

TEST_F(InteractionsOfFailures, KernelsOfTheProgramFailInModels) { expect_failing_replays(); }

struct InteractionsOfTracedFailures : Folder, InteractionsOfFailures {
  InteractionsOfTracedFailures() : InteractionsOfFailures((path() + "/trace.json").c_str()) {}
};

TEST_F(InteractionsOfTracedFailures, KernelsOfTheProgramFailInModels) { expect_failing_replays(); }

TEST_F(InteractionsOfFailures, AContextThatHasStoppedLosesNoMemory) {
  aclrtMemPool pool = new_pool(1 << 20);
  const Cell out;
  const aclrtFuncHandle function = load_function(kAddByPointer);
  void* p = malloc_async(pool, 1 << 20, s);
  void* m = nullptr;
  ASSERT_EQ(aclrtMalloc(&m, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(out, s), 0); });
  aclrtEvent event = new_event();
  ASSERT_EQ(aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE), 0);
  const BlockedStream blocked(side);
  EXPECT_EQ(add(function, cell, out, 1, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), kFailed);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), kFailed);
  EXPECT_EQ(aclrtMemPoolFreeAsync(m, s), kFailed);
  void* none = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&none, kBytes, pool, s), kFailed);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), kFailed);
  EXPECT_EQ(aclrtRecordEvent(event, s), kFailed);
  EXPECT_EQ(used(pool), 1U << 20);
  EXPECT_EQ(aclrtDeviceTaskAbort(0, 30000), 0);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtMemPoolFreeAsync(m, s), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 1);
  EXPECT_EQ(used(pool), 0U);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(side, 30000), ACL_ERROR_RT_DEVICE_TASK_ABORT);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

}  // namespace
}  // namespace aclvk::test
