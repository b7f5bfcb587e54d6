// Looking into models and changing them: outputs, stale handles and states (capture-semantics 3.1 and 14).
#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

/// `model` is cell += 1 in the middle of a fork and a join, and `kernel` its task.
class ChangeRules : public ModelTaskTest {
 protected:
  void SetUp() override {
    ModelTaskTest::SetUp();
    model = capture([&] {
      EXPECT_EQ(increment(cell, s), 0);
      order(s, side);
      order(side, s);
    });
    kernel = tasks_of_origin(model)[0];
    record = tasks_of_origin(model)[1];
  }
  aclError execute_now() { return aclmdlRIExecuteAsync(model, s); }
  void expect_ready() {
    EXPECT_EQ(aclmdlRIUpdate(model), 0);
    run(model, s);
  }
  void expect_fault() {
    EXPECT_EQ(execute_now(), ACL_ERROR_RT_MODEL_EXECUTE);
    EXPECT_EQ(aclmdlRIUpdate(model), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
    aclmdlRITaskParams params = value_write(word, 1);
    EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
    EXPECT_EQ(aclmdlRITaskDisable(kernel), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
  }

  Word word;
  aclmdlRI model = nullptr;
  aclmdlRITask kernel = nullptr;
  aclmdlRITask record = nullptr;
};

TEST_F(ChangeRules, NullAndGarbageModels) {
  int garbage = 0;
  std::uint32_t count = 0;
  EXPECT_EQ(aclmdlRIUpdate(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIUpdate(&garbage), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIGetStreams(nullptr, nullptr, &count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIGetStreams(&garbage, nullptr, &count), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIAbort(&garbage), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(
                nullptr, [](void*) {}, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(nullptr, [](void*) {}), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ChangeRules, GarbageTasksAre107017) {
  int garbage = 0;
  auto type = ACL_MODEL_RI_TASK_DEFAULT;
  std::uint32_t id = 0;
  aclmdlRITaskParams params{};
  aclrtLaunchKernelAttrValue value{};
  EXPECT_EQ(aclmdlRITaskGetType(&garbage, &type), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRITaskGetSeqId(&garbage, &id), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRITaskGetParams(&garbage, &params), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRITaskSetParams(&garbage, &params), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRITaskDisable(&garbage), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(&garbage, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, &value),
            ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ChangeRules, StreamsAreTwoAndTooSmallAnArrayGetsWhatFits) {
  aclrtStream streams[3] = {s, s, s};
  std::uint32_t count = 1;
  EXPECT_EQ(aclmdlRIGetStreams(model, streams, &count), ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY);
  EXPECT_NE(streams[0], s);
  EXPECT_EQ(streams[1], s);
  count = 3;
  EXPECT_EQ(aclmdlRIGetStreams(model, streams, &count), 0);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(streams[2], nullptr);
}

TEST_F(ChangeRules, TasksFollowTheSameProtocol) {
  aclrtStream origin = streams_of(model)[0];
  const std::size_t all = tasks_of(origin).size();
  std::vector<aclmdlRITask> tasks(all + 1, s);
  auto count = static_cast<std::uint32_t>(all - 1);
  EXPECT_EQ(aclmdlRIGetTasksByStream(origin, tasks.data(), &count), ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY);
  EXPECT_EQ(tasks[0], kernel);
  EXPECT_EQ(tasks[all - 1], s);
  count = static_cast<std::uint32_t>(all + 1);
  EXPECT_EQ(aclmdlRIGetTasksByStream(origin, tasks.data(), &count), 0);
  EXPECT_EQ(count, all);
  EXPECT_EQ(tasks[all], nullptr);
}

TEST_F(ChangeRules, EventTasksReturnTheEventAndItsFlags) {
  aclrtEvent event = new_event(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  aclmdlRI other = capture([&] {
    EXPECT_EQ(aclrtRecordEvent(event, s), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  });
  const auto tasks = tasks_of_origin(other);
  ASSERT_EQ(tasks.size(), 3u) << "a record, a wait, and the reset with which a run ends";
  const aclmdlRITaskParams recorded = params_of(tasks[0]);
  EXPECT_EQ(recorded.eventRecordTaskParams.event, event);
  EXPECT_EQ(recorded.eventRecordTaskParams.eventFlag, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  EXPECT_EQ(params_of(tasks[1]).eventWaitTaskParams.event, event);
  EXPECT_EQ(params_of(tasks[2]).eventResetTaskParams.event, event);
}

TEST_F(ChangeRules, EventTaskOfADestroyedEventCanStillBeAsked) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
  aclmdlRI other = capture([&] { EXPECT_EQ(aclrtRecordEvent(event, s), 0); });
  ASSERT_EQ(aclrtDestroyEvent(event), 0);
  EXPECT_EQ(params_of(tasks_of_origin(other)[0]).type, ACL_MODEL_RI_TASK_EVENT_RECORD);
}

// States

TEST_F(ChangeRules, NullParametersDoNotSpoilTheModel) {
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskSetParams(nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskDisable(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(ChangeRules, SeveralChangesAreCommittedByOneUpdate) {
  aclmdlRITaskParams params = value_write(word, 1);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), 0);
  params = value_write(word, 7);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), 0) << "a model that waits for its update takes more";
  EXPECT_EQ(execute_now(), ACL_ERROR_RT_MODEL_EXECUTE);
  expect_ready();
  EXPECT_EQ(word.value(), 7u);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(ChangeRules, DisabledTaskNeedsAnUpdateToo) {
  EXPECT_EQ(aclmdlRITaskDisable(kernel), 0);
  EXPECT_EQ(execute_now(), ACL_ERROR_RT_MODEL_EXECUTE);
  expect_ready();
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(ChangeRules, FailureWhileUpdatingIsAFault) {
  EXPECT_EQ(aclmdlRITaskDisable(kernel), 0);
  aclmdlRITaskParams params = value_write(word, 1);
  EXPECT_EQ(aclmdlRITaskSetParams(record, &params), ACL_ERROR_RT_PARAM_INVALID);
  expect_fault();
}

TEST_F(ChangeRules, T217_EventTaskTakesNoParametersNotEvenItsOwn) {
  aclmdlRITaskParams params = params_of(record);
  EXPECT_EQ(aclmdlRITaskSetParams(record, &params), ACL_ERROR_RT_PARAM_INVALID);
  expect_fault();
}

TEST_F(ChangeRules, FaultyModelCanBeLookedAtNamedAndDestroyed) {
  aclmdlRITaskParams params = params_of(record);
  ASSERT_EQ(aclmdlRITaskSetParams(record, &params), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(type_of(kernel), ACL_MODEL_RI_TASK_KERNEL);
  EXPECT_EQ(aclmdlRISetName(model, "lost"), 0);
  destroyed(model);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

}  // namespace
}  // namespace aclvk::test
