// Programs whose threads use one device at the same time, or several: its queues, its memory, its kernels and its
// clock.
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_trunc.h"
#include "support/devices_fixture.hpp"
#include "support/memory_fixture.hpp"
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;

using SharedDevice = CaptureTest;

// Times lie in the order in which the stream was given its tasks.
TEST_F(SharedDevice, EventsOfAllThreadsHaveTimes) {
  constexpr int kRounds = 30;
  constexpr std::size_t kEvents = 4;
  const Crowd crowd(kThreads, [](int) {
    const OwnStream stream;
    const Cell cell;
    for (int round = 0; round < kRounds; ++round) {
      std::array<aclrtEvent, kEvents> events{};
      std::array<std::uint64_t, kEvents> times{};
      for (aclrtEvent& event : events) {
        EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_TIME_LINE), 0);
        EXPECT_EQ(increment(cell, stream), 0);
        EXPECT_EQ(aclrtRecordEvent(event, stream), 0);
      }
      sync(stream);
      for (std::size_t i = 0; i < kEvents; ++i) {
        EXPECT_EQ(aclrtEventGetTimestamp(events[i], &times[i]), 0) << aclGetRecentErrMsg();
        EXPECT_GE(times[i], i > 0 ? times[i - 1] : 1);
        EXPECT_EQ(aclrtDestroyEvent(events[i]), 0);
      }
    }
    EXPECT_EQ(cell.value(), kRounds * kEvents);
  });
}

/// From and to each place, of some sizes; the bytes arrive, and no others change.
void copy_everywhere(std::uint32_t seed) {
  constexpr std::size_t kSpare = 3;
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, std::size_t{100001}}) {
    for (const MemoryKind from : {MemoryKind::kPageable, MemoryKind::kPinned, MemoryKind::kDevice}) {
      for (const MemoryKind to : {MemoryKind::kPageable, MemoryKind::kPinned, MemoryKind::kDevice}) {
        const Bytes content = pattern(size, seed++);
        const Bytes before = pattern(size + kSpare, seed++);
        const Block source(from, content);
        const Block target(to, before);
        EXPECT_EQ(aclrtMemcpy(target.begin(), size, source.begin(), size, ACL_MEMCPY_DEFAULT), 0)
            << aclGetRecentErrMsg();
        EXPECT_EQ(target.read(), with_copied(before, 0, content, 0, size));
      }
    }
  }
}

TEST_F(SharedDevice, AllCopySynchronously) {
  constexpr int kRounds = 4;
  const Crowd crowd(kThreads, [](int thread) {
    for (int round = 0; round < kRounds; ++round) copy_everywhere(static_cast<std::uint32_t>(1000 * thread + round));
  });
}

/// The host does not see device memory, as that of most graphics cards: copies go through memory that it does see.
struct SharedUnseenDevice : private Settings, public CaptureTest {
  SharedUnseenDevice() : Settings({{"ACLVK_HOST_VISIBLE", "0"}}) {}
};

TEST_F(SharedUnseenDevice, AllCopySynchronously) {
  const Crowd crowd(kThreads, [](int thread) { copy_everywhere(static_cast<std::uint32_t>(1000 * thread)); });
}

/// Half of the threads allocate, copy and free while the others launch.
void copy_while_others_launch() {
  constexpr int kRounds = 40;
  std::atomic<int> launching{kThreads};
  const Crowd crowd(2 * kThreads, [&](int thread) {
    while (thread < kThreads && launching > 0) {
      const Bytes content = pattern(64U << thread, static_cast<std::uint32_t>(thread));
      const Block device(MemoryKind::kDevice, content);
      const Block pinned(MemoryKind::kPinned, content);
      EXPECT_EQ(device.read(), content);
      EXPECT_EQ(pinned.read(), content);
    }
    if (thread < kThreads) return;
    const OwnStream stream;
    const Cell sum;
    for (int round = 0; round < kRounds; ++round) {
      Pinned<float> seen(8);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(increment(sum, stream), 0);
      EXPECT_EQ(
          aclrtMemcpyAsync(seen.data(), seen.bytes(), sum.address(), sum.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, stream),
          0);
      sync(stream);
      EXPECT_EQ(seen[7], static_cast<float>(3 * round + 3));
    }
    --launching;
  });
}

TEST_F(SharedDevice, MemoryComesAndGoesWhileOthersLaunch) { copy_while_others_launch(); }

TEST_F(SharedUnseenDevice, MemoryComesAndGoesWhileOthersLaunch) { copy_while_others_launch(); }

// Each pair of operands is a descriptor set of its own; those of memory that is gone are let go.
TEST_F(SharedDevice, KernelsOfAllThreadsHaveManyOperands) {
  constexpr int kRounds = 8;
  constexpr std::size_t kCells = 12;
  const Crowd crowd(kThreads, [](int thread) {
    const OwnStream stream;
    for (int round = 0; round < kRounds; ++round) {
      std::array<Cell, kCells> cells;
      cells[0].set(static_cast<float>(thread));
      for (std::size_t i = 1; i < kCells; ++i) EXPECT_EQ(add(cells[i - 1], 1, cells[i], stream), 0);
      sync(stream);
      EXPECT_EQ(cells.back().value(), static_cast<float>(thread) + kCells - 1);
    }
  });
}

using Plan = aclnnStatus (*)(const aclTensor*, aclTensor*, std::uint64_t*, aclOpExecutor**);
using Launch = aclnnStatus (*)(void*, std::uint64_t, aclOpExecutor*, aclrtStream);

/// An operator, and what it makes of 1.
struct Operator {
  Plan plan;
  Launch launch;
  float result;
};

constexpr std::size_t kOperators = 15;
const std::array<Operator, kOperators> kAllOperators = {{
    {aclnnNegGetWorkspaceSize, aclnnNeg, -1},
    {aclnnAbsGetWorkspaceSize, aclnnAbs, 1},
    {aclnnSqrtGetWorkspaceSize, aclnnSqrt, 1},
    {aclnnReciprocalGetWorkspaceSize, aclnnReciprocal, 1},
    {aclnnFloorGetWorkspaceSize, aclnnFloor, 1},
    {aclnnCeilGetWorkspaceSize, aclnnCeil, 1},
    {aclnnExp2GetWorkspaceSize, aclnnExp2, 2},
    {aclnnLogGetWorkspaceSize, aclnnLog, 0},
    {aclnnSignGetWorkspaceSize, aclnnSign, 1},
    {aclnnRsqrtGetWorkspaceSize, aclnnRsqrt, 1},
    {aclnnRoundGetWorkspaceSize, aclnnRound, 1},
    {aclnnTruncGetWorkspaceSize, aclnnTrunc, 1},
    {aclnnFracGetWorkspaceSize, aclnnFrac, 0},
    {aclnnLog10GetWorkspaceSize, aclnnLog10, 0},
    {aclnnSquareGetWorkspaceSize, aclnnSquare, 1},
}};

/// Launches all operators, each thread beginning with others, and each with an output of its own, which `finish` has
/// computed.
void launch_all(int thread, aclrtStream stream, const std::function<void()>& finish) {
  const Cell in(1);
  const std::array<Cell, kOperators> outs;
  const std::size_t first = static_cast<std::size_t>(thread) * kOperators / kThreads;
  const auto at = [&](std::size_t i) { return (first + i) % kOperators; };
  for (std::size_t i = 0; i < kOperators; ++i) {
    const Operator& chosen = kAllOperators[at(i)];
    std::uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(chosen.plan(in.tensor(), outs[at(i)].tensor(), &workspace, &executor), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(chosen.launch(nullptr, workspace, executor, stream), 0) << aclGetRecentErrMsg();
  }
  finish();
  for (std::size_t i = 0; i < kOperators; ++i) EXPECT_EQ(outs[i].value(), kAllOperators[i].result) << "operator " << i;
}

// The kernel of an operator is compiled for the first who launches it.
TEST_F(SharedDevice, AllLaunchOperatorsForTheFirstTime) {
  Barrier barrier(kThreads);
  const Crowd crowd(kThreads, [&](int thread) {
    const OwnStream stream;
    barrier.wait();
    launch_all(thread, stream, [&] { sync(stream); });
  });
}

// A driver may compile when a kernel first runs: so one that is captured for the first time runs once, with nothing to
// do.
TEST_F(SharedDevice, AllCaptureOperatorsForTheFirstTime) {
  launch_all(0, s, [&] { sync(s); });
  Barrier barrier(kThreads);
  const Crowd crowd(kThreads, [&](int thread) {
    const OwnStream stream;
    barrier.wait();
    EXPECT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0);
    launch_all(thread, stream, [&] {
      aclmdlRI model = nullptr;
      EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclmdlRIExecuteAsync(model, stream), 0) << aclGetRecentErrMsg();
      sync(stream);
      EXPECT_EQ(aclmdlRIDestroy(model), 0);
    });
  });
}

/// Eight devices that no thread has set.
struct ManyNewDevices : private Settings, public Plain {
  ManyNewDevices() : Settings({{"ACLVK_DEVICES_PER_GPU", "8"}}) { EXPECT_EQ(aclInit(nullptr), 0); }
  ~ManyNewDevices() override { EXPECT_EQ(aclFinalize(), 0); }
};

TEST_F(ManyNewDevices, ThreadsSetThemWhileOthersWork) {
  constexpr std::int32_t kDevices = 8;
  constexpr int kRounds = 6;
  std::atomic<std::int32_t> set{0};
  Threads threads;
  threads.start(kDevices, [&set](int device) {
    while (set < device) std::this_thread::yield();
    for (int round = 0; round < kRounds; ++round) {
      const OnDevice on(device);
      const Cell first(static_cast<float>(device)), second;
      if (round == 0) ++set;
      EXPECT_EQ(
          aclrtMemcpy(second.address(), second.bytes(), first.address(), first.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE),
          0);
      EXPECT_EQ(increment(second, nullptr), 0) << aclGetRecentErrMsg();
      sync(nullptr);
      EXPECT_EQ(second.value(), static_cast<float>(device + 1));
    }
  });
}

}  // namespace
}  // namespace aclvk::test
