// The rows of task.def. The lists here are written from the behaviour of the kinds, not from the table.
#include "runtime/task/task_row.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "runtime/task/device_work.hpp"
#include "runtime/task/task_name.hpp"

namespace aclvk::runtime {
namespace {

using Kinds = std::vector<std::string>;

/// Returns the kinds whose row satisfies the condition, in the order of the table.
Kinds kinds_with(const std::function<bool(const TaskRow&)>& condition) {
  Kinds found;
  for (const TaskRow& row : kTaskRows) {
    if (condition(row)) found.emplace_back(row.kind);
  }
  return found;
}

Kinds kinds_with(TaskFlag flag) {
  return kinds_with([flag](const TaskRow& row) { return row.has(flag); });
}

template <typename Value>
Kinds kinds_with(Value TaskRow::*member, Value value) {
  return kinds_with([=](const TaskRow& row) { return row.*member == value; });
}

const Kinds kDeviceKinds{"Kernel", "Copy", "Copy2d", "Fill", "FillWords", "Mark"};

template <std::size_t... Index>
void expect_rows_of_alternatives(std::index_sequence<Index...>) {
  (..., [] {
    using Kind = std::variant_alternative_t<Index, Task>;
    EXPECT_STREQ(kTaskRow<Kind>.kind, kTaskRows[Index].kind);
    EXPECT_STREQ(kTaskRow<const Kind&>.kind, kTaskRows[Index].kind);
    EXPECT_STREQ(row_of(Kind{}).kind, kTaskRows[Index].kind);
  }());
}

TEST(TaskRow, EachAlternativeHasOne) {
  EXPECT_EQ(std::size(kTaskRows), std::variant_size_v<Task>);
  expect_rows_of_alternatives(std::make_index_sequence<std::variant_size_v<Task>>());
  EXPECT_STREQ(kTaskRow<KernelTask>.kind, "Kernel");
  EXPECT_STREQ(kTaskRow<ModelEndTask>.kind, "ModelEnd");
}

TEST(TaskRow, DeviceWork) {
  EXPECT_EQ(kinds_with([](const TaskRow& row) { return row.is_device_work(); }), kDeviceKinds);
  EXPECT_TRUE(is_device_work(FillTask{}));
  EXPECT_FALSE(is_device_work(ValueWriteTask{}));
}

TEST(TaskRow, ClassesOfOtherKinds) {
  EXPECT_EQ(kinds_with(&TaskRow::task_class, TaskClass::kSignal),
            (Kinds{"EventRecord", "EventWait", "EventReset", "NotifyRecord", "NotifyWait", "CountRecord", "CountWait",
                   "ValueWrite", "ValueWait", "Host"}));
  EXPECT_EQ(kinds_with(&TaskRow::task_class, TaskClass::kProcedure), Kinds{"Procedure"});
  EXPECT_EQ(kinds_with(&TaskRow::task_class, TaskClass::kControlFlow),
            (Kinds{"Label", "LabelSwitch", "StreamSwitch", "StreamActive", "ModelEnd"}));
}

TEST(TaskRow, HostSteps) {
  EXPECT_EQ(kinds_with(&TaskRow::host_step, HostStep::kIfVisible), (Kinds{"EventRecord", "EventWait", "EventReset"}));
  EXPECT_EQ(kinds_with(&TaskRow::host_step, HostStep::kAlways),
            (Kinds{"NotifyRecord", "NotifyWait", "CountRecord", "CountWait", "ValueWrite", "ValueWait", "Host",
                   "Procedure"}));
}

TEST(TaskRow, EndsOfHostSteps) {
  EXPECT_EQ(kinds_with(&TaskRow::step_end, StepEnd::kAtStart),
            (Kinds{"EventRecord", "NotifyRecord", "CountRecord", "Host"}));
  EXPECT_EQ(kinds_with(&TaskRow::step_end, StepEnd::kOwnSubmission), Kinds{"ValueWrite"});
  for (const TaskRow& row : kTaskRows) {
    EXPECT_EQ(row.step_end == StepEnd::kNone, row.host_step == HostStep::kNever) << row.kind;
    // A step without an earlier submission has none to end with (CapturedPass::run_step).
    EXPECT_FALSE(row.step_end == StepEnd::kAtStart && row.has(kIgnoresEarlierWork)) << row.kind;
  }
}

TEST(TaskRow, PublicTypes) {
  EXPECT_EQ(kTaskRow<KernelTask>.public_type, TaskType::kKernel);
  EXPECT_EQ(kTaskRow<EventRecordTask>.public_type, TaskType::kEventRecord);
  EXPECT_EQ(kTaskRow<EventWaitTask>.public_type, TaskType::kEventWait);
  EXPECT_EQ(kTaskRow<EventResetTask>.public_type, TaskType::kEventReset);
  EXPECT_EQ(kTaskRow<ValueWriteTask>.public_type, TaskType::kValueWrite);
  EXPECT_EQ(kTaskRow<ValueWaitTask>.public_type, TaskType::kValueWait);
  EXPECT_EQ(kinds_with(&TaskRow::public_type, TaskType::kDefault).size(), std::size(kTaskRows) - 6);
}

TEST(TaskRow, Roles) {
  EXPECT_EQ(kinds_with(&TaskRow::role, TaskRole::kKernel), Kinds{"Kernel"});
  EXPECT_EQ(kinds_with(&TaskRow::role, TaskRole::kCopy), (Kinds{"Copy", "Copy2d", "Fill", "FillWords"}));
  EXPECT_EQ(kinds_with(&TaskRow::role, TaskRole::kSignal),
            (Kinds{"EventRecord", "EventReset", "NotifyRecord", "CountRecord", "ValueWrite"}));
  EXPECT_EQ(kinds_with(&TaskRow::role, TaskRole::kWait), (Kinds{"EventWait", "NotifyWait", "CountWait", "ValueWait"}));
  EXPECT_EQ(kinds_with(&TaskRow::role, TaskRole::kHost), Kinds{"Host"});
  EXPECT_EQ(kinds_with(&TaskRow::role, TaskRole::kDecision), (Kinds{"Procedure", "LabelSwitch", "StreamSwitch"}));
}

TEST(TaskRow, Waits) {
  EXPECT_EQ(kinds_with(kMayBlock), (Kinds{"EventWait", "NotifyWait", "CountWait", "ValueWait", "Host", "Procedure"}));
  EXPECT_EQ(kinds_with(kHasWaitLimit), (Kinds{"EventWait", "NotifyWait", "CountWait"}));
  EXPECT_EQ(kinds_with(kIgnoresEarlierWork), (Kinds{"EventWait", "EventReset", "NotifyWait"}));
}

TEST(TaskRow, DroppedTasks) {
  EXPECT_EQ(kinds_with(kHasWaiters), (Kinds{"EventRecord", "EventWait", "Host", "Procedure"}));
  EXPECT_EQ(kinds_with(kRunsFunctions), (Kinds{"Host", "Procedure"}));
}

TEST(TaskRow, Memory) {
  EXPECT_EQ(kinds_with(kRefersToMemory), (Kinds{"Kernel", "Copy", "Copy2d", "Fill", "FillWords", "ValueWrite",
                                                "ValueWait", "Host", "LabelSwitch", "StreamSwitch"}));
}

TEST(TaskRow, MarksAreOnlyInProfiles) { EXPECT_EQ(kinds_with(kOnlyInProfiles), Kinds{"Mark"}); }

TEST(TypeName, IsThatOfTheRow) {
  EXPECT_EQ(type_name(CopyTask{}), "MEMCPY_ASYNC");
  EXPECT_EQ(type_name(FillWordsTask{}), "MEMSET_ASYNC");
  EXPECT_EQ(type_name(MarkTask{"step"}), "PROFILE_MARK");
  EXPECT_EQ(type_name(EventResetTask{}), "EVENT_RESET");
  EXPECT_EQ(type_name(CountWaitTask{}), "CNT_NOTIFY_WAIT");
  EXPECT_EQ(type_name(ValueWaitTask{}), "MEM_WAIT_VALUE");
  EXPECT_EQ(type_name(ModelEndTask{}), "MODEL_END");
}

TEST(TypeName, IsThatOfTheTaskWhereItsRowHasNone) {
  KernelTask kernel;
  EXPECT_EQ(type_name(kernel), "KERNEL_AIVEC");
  kernel.core = Core::kCube;
  EXPECT_EQ(type_name(kernel), "KERNEL_AICORE");
  EXPECT_EQ(type_name(EventRecordTask{}), "EVENT_RECORD");
  EXPECT_EQ(type_name(EventRecordTask{nullptr, nullptr, EventUse::kExternal}), "CAPTURE_RECORD_EXTERNAL");
  EXPECT_EQ(type_name(EventWaitTask{}), "EVENT_WAIT");
  EXPECT_EQ(type_name(EventWaitTask{nullptr, nullptr, nullptr, {}, EventUse::kExternal}), "CAPTURE_WAIT_EXTERNAL");
  HostTask host;
  host.type = "HOSTFUNC_CALLBACK";
  EXPECT_EQ(type_name(host), "HOSTFUNC_CALLBACK");
  EXPECT_EQ(type_name(ProcedureTask{}), "MODEL_EXECUTE");
}

}  // namespace
}  // namespace aclvk::runtime
