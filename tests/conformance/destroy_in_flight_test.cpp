// Stories of programs that drop a model right after they have launched it.
#include <atomic>
#include <memory>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using FreeStory = CaptureTest;

// The tasks are launched, so that they use the memory, but nobody has submitted them.
TEST_F(FreeStory, MemoryStaysThatOfItsTasksUntilTheyAreSubmitted) {
  std::vector<float> values(64, 7);
  const std::size_t bytes = values.size() * sizeof(float);
  std::vector<void*> taken;
  const auto allocate = [&] {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    return memory;
  };
  BlockedStream gate(s);
  for (int i = 0; i < 50; ++i) {
    void* memory = allocate();
    EXPECT_EQ(aclrtMemsetAsync(memory, bytes, 1, bytes, s), 0);
    EXPECT_EQ(aclrtFree(memory), 0);
  }
  for (int i = 0; i < 50; ++i) {
    taken.push_back(allocate());
    EXPECT_EQ(aclrtMemcpy(taken.back(), bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  gate.release();
  sync(s);
  for (void* memory : taken) {
    std::vector<float> now(values.size());
    EXPECT_EQ(aclrtMemcpy(now.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(now, values);
    EXPECT_EQ(aclrtFree(memory), 0);
  }
}

class DestroyStory : public CaptureTest {
 protected:
  /// A model that lives for as long as its run.
  void run_once(const std::function<void()>& body, int runs = 1) {
    ASSERT_EQ(aclmdlRICaptureBegin(s, kGlobal), 0);
    body();
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0) << aclGetRecentErrMsg();
    for (int i = 0; i < runs; ++i) execute(model, i % 2 ? side : s);
    ASSERT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
  }

  Cell out;
};

// The memory of the model goes with it, and is used again at once.
TEST_F(DestroyStory, ModelAndItsMemoryGoAsSoonAsItIsLaunched) {
  for (int i = 0; i < times(5000) && !HasFailure(); ++i) {
    const auto value = static_cast<float>(i);
    {
      const Cell temporary(value, 256), result(0, 256);
      run_once([&] {
        for (int k = 0; k < 3; ++k) EXPECT_EQ(increment(temporary, s), 0);
        EXPECT_EQ(add(temporary, 0, result, s), 0);
      });
      ASSERT_EQ(result.elements(), std::vector<float>(256, value + 3));
    }
    const Cell next(-1, 256);
  }
}

TEST_F(DestroyStory, RunsOfTwoStreamsAreOverWhenTheModelIsGone) {
  for (int i = 1; i <= times(2000) && !HasFailure(); ++i) {
    run_once([&] { EXPECT_EQ(increment(out, s), 0); }, 5);
    ASSERT_EQ(out.value(), static_cast<float>(5 * i));
  }
}

// What a host function works on is freed as soon as the model is gone.
TEST_F(DestroyStory, HostFunctionsHaveRunWhenTheModelIsGone) {
  const auto count = [](void* calls) { ++*static_cast<int*>(calls); };
  const std::int64_t threads = footprint().threads;
  for (int i = 1; i <= times(3000) && !HasFailure(); ++i) {
    auto calls = std::make_unique<int>(0);
    run_once([&] {
      EXPECT_EQ(aclrtLaunchHostFunc(s, count, calls.get()), 0);
      EXPECT_EQ(increment(out, s), 0);
      EXPECT_EQ(aclrtLaunchHostFunc(s, count, calls.get()), 0);
    });
    ASSERT_EQ(*calls, 2);
    ASSERT_EQ(out.value(), static_cast<float>(i));
  }
  EXPECT_LT(footprint().threads, threads + 20);  // as many as were ever busy at the same time stay
}

TEST_F(DestroyStory, ThreadsDropTheirModelsBesideEachOther) {
  constexpr int kThreads = 4;
  DeviceThreads threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.start([thread] {
      const OwnStream stream;
      for (int i = 0; i < times(800); ++i) {
        const Cell cell(static_cast<float>(thread));
        std::atomic<int> calls{0};
        EXPECT_EQ(aclmdlRICaptureBegin(stream, kThreadLocal), 0);
        EXPECT_EQ(increment(cell, stream), 0);
        if (i % 2) {
          const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
          EXPECT_EQ(aclrtLaunchHostFunc(stream, count, &calls), 0);
        }
        aclmdlRI model = nullptr;
        EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
        execute(model, stream);
        EXPECT_EQ(aclmdlRIDestroy(model), 0);
        EXPECT_EQ(cell.value(), static_cast<float>(thread + 1));
        EXPECT_EQ(calls, i % 2);
      }
    });
  }
}

}  // namespace
}  // namespace aclvk::test
