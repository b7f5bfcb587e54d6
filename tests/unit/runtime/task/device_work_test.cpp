#include "runtime/task/device_work.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace aclvk::runtime {
namespace {

/// The offset, role and number of a visited range.
using Visit = std::tuple<std::uint64_t, std::string, std::size_t>;
using Visits = std::vector<Visit>;

Visits visits(const Task& task) {
  Visits all;
  for_each_range(task, [&](const vk::BufferRange& range, const char* role, std::size_t number) {
    all.emplace_back(range.offset, role, number);
  });
  return all;
}

const vk::BufferRange kOne{nullptr, 1, 8};
const vk::BufferRange kTwo{nullptr, 2, 8};

TEST(ForEachRange, OperandsOfAKernelAreNumberedFromOne) {
  KernelTask kernel;
  kernel.dispatch.operands = {{kOne, vk::Access::kRead}, {kTwo, vk::Access::kWrite}};
  EXPECT_EQ(visits(kernel), (Visits{{1, "operand", 1}, {2, "operand", 2}}));
}

TEST(ForEachRange, CopiesHaveADestinationAndASource) {
  const Visits both{{1, "destination", 0}, {2, "source", 0}};
  EXPECT_EQ(visits(CopyTask{kOne, kTwo}), both);
  EXPECT_EQ(visits(Copy2dTask{{kOne, kTwo, 8, 8, 4, 1}}), both);
}

TEST(ForEachRange, FillsHaveADestination) {
  const Visits one{{1, "destination", 0}};
  EXPECT_EQ(visits(FillTask{kOne, 0}), one);
  EXPECT_EQ(visits(FillWordsTask{kOne, 0}), one);
}

TEST(ForEachRange, ValueTasksHaveAWord) {
  const Visits one{{1, "word", 0}};
  EXPECT_EQ(visits(ValueWriteTask{kOne, 0}), one);
  EXPECT_EQ(visits(ValueWaitTask{kOne, 0, Comparison::kEqual}), one);
}

TEST(ForEachRange, CopyByTheHostHasDeviceMemory) {
  EXPECT_EQ(visits(HostTask{"MEMCPY_ASYNC", [] {}, nullptr, kOne}), (Visits{{1, "device memory", 0}}));
}

TEST(ForEachRange, OtherTasksHaveNone) {
  EXPECT_EQ(visits(HostTask{"HOSTFUNC_CALLBACK", [] {}, nullptr}), Visits{});
  EXPECT_EQ(visits(EventWaitTask{}), Visits{});
}

}  // namespace
}  // namespace aclvk::runtime
