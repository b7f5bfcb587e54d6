// Stories of programs that drop a model right after they have launched it.
#include <atomic>
#include <memory>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

class FreeStory : public CaptureTest {
 protected:
  static constexpr std::size_t kBytes = 256;
  static constexpr int kPieces = 50;

  static void* allocate() {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    return memory;
  }
  /// Takes as many pieces of memory as have been freed, and writes them past all streams; they are as they were
  /// written when everything that was launched before is done.
  void expect_kept_from_launched_tasks(BlockedStream& gate) {
    const std::vector<std::uint8_t> values(kBytes, 7);
    std::vector<void*> taken;
    for (int i = 0; i < kPieces; ++i) {
      taken.push_back(allocate());
      EXPECT_EQ(aclrtMemcpy(taken.back(), kBytes, values.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    }
    gate.release();
    sync(s);
    for (void* memory : taken) {
      std::vector<std::uint8_t> now(kBytes);
      EXPECT_EQ(aclrtMemcpy(now.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST), 0);
      EXPECT_EQ(now, values);
      EXPECT_EQ(aclrtFree(memory), 0);
    }
  }
};

// The tasks are launched, so that they use the memory, but they are not submitted.
TEST_F(FreeStory, MemoryStaysThatOfItsTasksUntilTheyAreSubmitted) {
  BlockedStream gate(s);
  for (int i = 0; i < kPieces; ++i) {
    void* memory = allocate();
    EXPECT_EQ(aclrtMemsetAsync(memory, kBytes, 1, kBytes, s), 0);
    EXPECT_EQ(aclrtFree(memory), 0);
  }
  expect_kept_from_launched_tasks(gate);
}

TEST_F(FreeStory, MemoryStaysThatOfRunsUntilTheyAreSubmitted) {
  BlockedStream gate(s);
  for (int i = 0; i < kPieces; ++i) {
    void* memory = allocate();
    ASSERT_EQ(aclmdlRICaptureBegin(side, kGlobal), 0);
    EXPECT_EQ(aclrtMemsetAsync(memory, kBytes, 1, kBytes, side), 0);
    execute(end(side), s);
    EXPECT_EQ(aclrtFree(memory), 0);
  }
  expect_kept_from_launched_tasks(gate);
}

// The model has been asked what it refers to before, when it was something else.
TEST_F(FreeStory, MemoryOfAnUpdateStaysThatOfRunsUntilTheyAreSubmitted) {
  const Cell first;
  auto second = std::make_unique<Cell>(0, kBytes / sizeof(float));
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(increment(first, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  {
    const BlockedStream gate(s);
    execute(model, s);
    EXPECT_EQ(aclrtFree(allocate()), 0);
  }
  sync(s);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(increment(*second, side), 0);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  sync(side);
  BlockedStream gate(s);
  execute(model, s);
  second.reset();
  expect_kept_from_launched_tasks(gate);
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
