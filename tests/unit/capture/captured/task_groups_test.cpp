// Without a device: the model has no context.
#include "capture/captured/task_groups.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_group.hpp"

namespace aclvk::capture {
namespace {

using runtime::Core;
using runtime::KernelTask;

/// A model whose lanes 0 and 1 are the streams 3 and 4.
class TaskGroupsTest : public testing::Test {
 protected:
  TaskGroupsTest() {
    model->graph().add_lane(3);
    model->graph().add_lane(4);
  }
  ~TaskGroupsTest() override { groups.remove_handles(); }

  NodeId add(std::uint32_t lane) {
    const NodeId node = model->graph().add(lane, KernelTask{"kernel", {}});
    groups.add(node);
    return node;
  }
  /// Returns the code that a call throws; none when it returns.
  static std::optional<Code> code_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    return {};
  }
  std::optional<Code> check(std::uint32_t lane, const runtime::Task& task) {
    return code_of([&] { groups.check_task(lane, task); });
  }

  const CapturedModelPtr model = std::make_shared<CapturedModel>(nullptr);
  TaskGroups& groups = model->groups();
};

TEST_F(TaskGroupsTest, HasTheTasksOfItsLaneWhileItIsOpen) {
  add(0);
  groups.open(0);
  EXPECT_TRUE(groups.has_open());
  const NodeId first = add(0);
  const NodeId other = add(1);
  const NodeId second = add(0);
  const auto group = groups.close(0);
  EXPECT_FALSE(groups.has_open());
  add(0);
  EXPECT_EQ(group->nodes, (std::vector<NodeId>{first, second}));
  EXPECT_EQ(groups.nodes(), (std::vector<std::vector<NodeId>>{{first, second}}));
  EXPECT_EQ(groups.find(second), group);
  EXPECT_EQ(groups.find(other), nullptr);
}

TEST_F(TaskGroupsTest, AreNumberedAndHaveHandles) {
  for (const std::size_t index : {0, 1}) {
    groups.open(0);
    const auto group = groups.close(0);
    EXPECT_EQ(group->index, index);
    EXPECT_EQ(task_group_handles().find(group->handle), group);
  }
}

TEST_F(TaskGroupsTest, EndWithTheirHandles) {
  groups.open(0);
  const auto group = groups.close(0);
  groups.remove_handles();
  EXPECT_EQ(task_group_handles().find(group->handle), nullptr);
}

TEST_F(TaskGroupsTest, OneIsOpenAtATime) {
  groups.open(0);
  EXPECT_EQ(code_of([&] { groups.open(1); }), Code::kTaskGroupStatus);
  EXPECT_EQ(code_of([&] { groups.close(1); }), Code::kTaskGroupStatus);
  EXPECT_EQ(code_of([&] { groups.check_closed(); }), Code::kTaskGroupStatus);
  groups.drop_open();
  EXPECT_EQ(code_of([&] { groups.check_closed(); }), std::nullopt);
  EXPECT_EQ(code_of([&] { groups.close(0); }), Code::kTaskGroupStatus);
}

TEST_F(TaskGroupsTest, AllowEverythingWhileNoneIsOpen) {
  EXPECT_EQ(check(0, KernelTask{"kernel", {}}), std::nullopt);
  EXPECT_EQ(check(0, runtime::FillTask{}), std::nullopt);
}

TEST_F(TaskGroupsTest, TakeKernelsAndMarks) {
  groups.open(0);
  EXPECT_EQ(check(0, KernelTask{"kernel", {}}), std::nullopt);
  EXPECT_EQ(check(0, runtime::MarkTask{"mark"}), std::nullopt);
  EXPECT_EQ(check(1, runtime::MarkTask{"mark"}), std::nullopt);
  EXPECT_EQ(check(1, runtime::FillTask{}), std::nullopt) << "only kernels of other streams disturb";
  EXPECT_FALSE(model->poisoned());
}

TEST_F(TaskGroupsTest, RefuseOtherTasks) {
  groups.open(0);
  EXPECT_EQ(check(0, runtime::FillTask{}), Code::kTaskTypeNotSupported);
  EXPECT_TRUE(model->poisoned());
  EXPECT_EQ(check(0, KernelTask{"reduction", {}, Core::kNone}), Code::kTaskTypeNotSupported);
}

TEST_F(TaskGroupsTest, RefuseKernelsOfOtherStreams) {
  groups.open(0);
  EXPECT_EQ(check(1, KernelTask{"kernel", {}}), Code::kTaskGroupInterrupted);
  EXPECT_TRUE(model->poisoned());
}

TEST_F(TaskGroupsTest, EndWithTheFirstErrorOfTheirTasks) {
  groups.open(0);
  check(0, runtime::FillTask{});
  check(1, KernelTask{"kernel", {}});
  EXPECT_EQ(code_of([&] { groups.close(0); }), Code::kTaskTypeNotSupported);
  EXPECT_FALSE(groups.has_open());
}

TEST_F(TaskGroupsTest, AreLostWithTheCapture) {
  groups.open(0);
  model->poison(Error(Code::kMemoryAllocation, "The host has no memory."));
  EXPECT_EQ(code_of([&] { groups.close(0); }), Code::kCaptureInvalidated);
  EXPECT_TRUE(groups.nodes().empty());
}

}  // namespace
}  // namespace aclvk::capture
