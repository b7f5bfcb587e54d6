// Copies, fills and host functions inside captures (capture-tests F; capture-semantics 8).
#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <future>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// aclrtMemcpyAsync of a whole buffer.
class CaptureMemory : public CaptureTest {
 protected:
  static aclError upload(const Cell& to, const float* from, aclrtStream stream) {
    return aclrtMemcpyAsync(to.address(), to.bytes(), from, to.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }
  static aclError download(float* to, const Cell& from, aclrtStream stream) {
    return aclrtMemcpyAsync(to, from.bytes(), from.address(), from.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, stream);
  }

  static constexpr std::size_t kCount = 8;
  Cell cell;
};

using StrictCaptureMemory = StrictCaptureTest;

TEST_F(CaptureMemory, T123_PinnedMemoryIsReadAndWrittenAtEachReplay) {
  Pinned<float> in(kCount, 1), out(kCount);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(upload(cell, in.data(), s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(download(out.data(), cell, s), 0);
  });
  for (const float input : {1.0F, 20.0F}) {
    in.fill(input);
    run(model, s);
    for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(out[i], input + 1);
  }
}

TEST_F(CaptureMemory, T125_PageableMemoryIsReadAndWrittenAtEachReplayInLenientMode) {
  std::vector<float> in(kCount, 1), out(kCount);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(upload(cell, in.data(), s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(download(out.data(), cell, s), 0);
  });
  EXPECT_EQ(out, std::vector<float>(kCount, 0));
  for (const float input : {1.0F, 20.0F}) {
    in.assign(kCount, input);
    run(model, s);
    EXPECT_EQ(out, std::vector<float>(kCount, input + 1));
  }
}

// A buffer of a program's that has gone out of scope, where the C library has given its pages back. They are only
// closed here, so that no other call gets them.
TEST_F(CaptureMemory, PageableMemoryThatIsGoneAtAReplayIs107000) {
  constexpr std::size_t kPage = 4096;
  for (const bool into_device : {true, false}) {
    void* gone = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(gone, MAP_FAILED);
    auto* host = static_cast<float*>(gone);
    aclmdlRI model = capture([&] { EXPECT_EQ(into_device ? upload(cell, host, s) : download(host, cell, s), 0); });
    run(model, s);
    ASSERT_EQ(mprotect(gone, kPage, PROT_NONE), 0);
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), 0);
    EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0) << "the stream goes on";
    munmap(gone, kPage);
  }
}

TEST_F(StrictCaptureMemory, PageableMemoryIs107000) {
  Cell cell;
  std::vector<float> host(8);
  begin(s);
  EXPECT_EQ(aclrtMemcpyAsync(cell.address(), cell.bytes(), host.data(), cell.bytes(), ACL_MEMCPY_HOST_TO_DEVICE, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsync(host.data(), cell.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, s),
            ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CaptureMemory, HostToHostIs207000) {
  const Pinned<float> in(kCount), out(kCount);
  begin(s);
  EXPECT_EQ(aclrtMemcpyAsync(out.data(), out.bytes(), in.data(), in.bytes(), ACL_MEMCPY_HOST_TO_HOST, s),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(CaptureMemory, T126_PageableCopyOnAnotherStreamIs107041WhileGlobal) {
  const std::vector<float> in(kCount, 1);
  begin(s, kGlobal);
  EXPECT_EQ(upload(cell, in.data(), side), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(CaptureMemory, T127_PageableCopyOnAnotherStreamIsAllowedWhileRelaxed) {
  const std::vector<float> in(kCount, 1);
  begin(s, kRelaxed);
  EXPECT_EQ(upload(cell, in.data(), side), 0);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureMemory, PinnedCopyOnAnotherStreamIsAlwaysAllowed) {
  const Pinned<float> in(kCount, 1);
  begin(s, kGlobal);
  EXPECT_EQ(upload(cell, in.data(), side), 0);
  sync(side);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(CaptureMemory, T129_FillsAndCopiesAreReplayed) {
  Cell copy;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(
        aclrtMemcpyAsync(copy.address(), copy.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s),
        0);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), s), 0);
  });
  for (const float value : {3.0F, 4.0F}) {
    cell.set(value);
    run(model, s);
    EXPECT_EQ(copy.value(), value);
    EXPECT_EQ(cell.value(), 0);
  }
}

TEST_F(CaptureMemory, T129_RowsArePackedAtEachReplay) {
  Pinned<float> in(kCount);
  Cell packed(0, 4);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemcpy2dAsync(packed.address(), 8, in.data(), 16, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  });
  for (const float value : {5.0F, 6.0F}) {
    for (const std::size_t i : {0, 1, 4, 5}) in[i] = value;
    run(model, s);
    EXPECT_EQ(packed.value(), value);
  }
}

TEST_F(CaptureMemory, T130_RowsOfPageableMemoryAre107000) {
  const std::vector<float> in(kCount);
  begin(s);
  EXPECT_EQ(aclrtMemcpy2dAsync(cell.address(), 8, in.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE, s),
            ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CaptureMemory, CopyOutsideAnAllocationIsRefused) {
  begin(s);
  const std::size_t bytes = std::size_t{1} << 40;
  EXPECT_NE(aclrtMemsetAsync(cell.address(), bytes, 0, bytes, s), 0);
}

TEST_F(CaptureMemory, T131_KernelKeepsTheArgumentsOfTheCapture) {
  float by = 2;
  float one = 1;
  aclScalar* other = aclCreateScalar(&by, ACL_FLOAT);
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnInplaceAddsGetWorkspaceSize(cell.tensor(), other, alpha, &size, &executor), 0);
  aclmdlRI model = capture([&] { EXPECT_EQ(aclnnInplaceAdds(nullptr, 0, executor, s), 0); });
  by = 100;
  one = 100;
  aclDestroyScalar(other);
  aclDestroyScalar(alpha);
  run(model, s);
  EXPECT_EQ(cell.value(), 2);
}

// Host functions

/// Notes what the device had computed when the function was called.
struct Witness {
  float* seen;
  std::vector<float> calls;

  static void call(void* self) {
    auto* witness = static_cast<Witness*>(self);
    witness->calls.push_back(*witness->seen);
  }
};

TEST_F(CaptureMemory, T133_HostFunctionRunsInOrderAtEachReplay) {
  Pinned<float> out(kCount);
  Witness witness{out.data(), {}};
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(download(out.data(), cell, s), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(s, Witness::call, &witness), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  EXPECT_TRUE(witness.calls.empty());
  for (int i = 0; i < 3; ++i) execute(model, s);
  sync(s);
  EXPECT_EQ(witness.calls, (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(cell.value(), 6);
}

TEST_F(CaptureMemory, T133_LaterTasksWaitForTheHostFunction) {
  Pinned<float> in(kCount);
  const auto fill = [](void* data) {
    for (std::size_t i = 0; i < kCount; ++i) static_cast<float*>(data)[i] = 9;
  };
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtLaunchHostFunc(s, fill, in.data()), 0);
    EXPECT_EQ(upload(cell, in.data(), s), 0);
  });
  run(model, s);
  EXPECT_EQ(cell.value(), 9);
}

TEST_F(CaptureMemory, T134_NullHostFunctionIs107000) {
  begin(s);
  EXPECT_EQ(aclrtLaunchHostFunc(s, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(CaptureMemory, T135_CallbackWithoutASubscriberIs107015) {
  begin(s);
  EXPECT_EQ(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, s), ACL_ERROR_RT_STREAM_NO_CB_REG);
}

TEST_F(CaptureMemory, CallbackRunsOnItsSubscriberAtEachReplay) {
  std::atomic<int> calls{0};
  std::atomic<bool> stop{false};
  std::promise<std::uint64_t> id;
  std::thread subscriber([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    id.set_value(static_cast<std::uint64_t>(pthread_self()));
    while (!stop) aclrtProcessReport(10);
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
  const std::uint64_t thread = id.get_future().get();
  ASSERT_EQ(aclrtSubscribeReport(thread, s), 0);

  const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  aclmdlRI model = capture([&] { EXPECT_EQ(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_BLOCK, s), 0); });
  run(model, s);
  run(model, s);
  EXPECT_EQ(calls, 2);

  stop = true;
  subscriber.join();
  EXPECT_EQ(aclrtUnSubscribeReport(thread, s), 0);
}

TEST_F(CaptureMemory, T137_HostFunctionOnASubscribedStreamIs107011) {
  const auto thread = static_cast<std::uint64_t>(pthread_self());
  ASSERT_EQ(aclrtSubscribeReport(thread, s), 0);
  begin(s);
  EXPECT_EQ(aclrtLaunchHostFunc(
                s, [](void*) {}, nullptr),
            ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtUnSubscribeReport(thread, s), 0);
}

}  // namespace
}  // namespace aclvk::test
