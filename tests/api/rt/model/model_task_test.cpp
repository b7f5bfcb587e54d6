// acl/rt/model_ri_task.h: looking into captured models (capture-semantics 14, capture-tests J). Changes of tasks are in
// model_task_change_test.cpp.
#include <algorithm>
#include <vector>

#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

using ModelStreams = ModelTaskTest;
using ModelTasks = ModelTaskTest;
using TaskParams = ModelTaskTest;
using KernelAttribute = ModelTaskTest;

TEST_F(ModelStreams, T207_CountIsAskedForFirst) {
  aclmdlRI model = capture([] {});
  std::uint32_t count = 0;
  EXPECT_EQ(aclmdlRIGetStreams(model, nullptr, &count), 0);
  EXPECT_EQ(count, 1u);
}

TEST_F(ModelStreams, T209_RestOfTheArrayIsNull) {
  aclmdlRI model = capture([] {});
  std::vector<aclrtStream> streams(4, s);
  std::uint32_t count = 4;
  EXPECT_EQ(aclmdlRIGetStreams(model, streams.data(), &count), 0);
  EXPECT_EQ(count, 1u);
  EXPECT_NE(streams[0], nullptr);
  EXPECT_NE(streams[0], s) << "a stream of the model, not of the program";
  for (int i = 1; i < 4; ++i) EXPECT_EQ(streams[i], nullptr);
}

TEST_F(ModelStreams, TooSmallAnArrayIs107039) {
  aclmdlRI model = capture([&] {
    order(s, side);
    order(side, s);
  });
  aclrtStream stream = nullptr;
  std::uint32_t count = 1;
  EXPECT_EQ(aclmdlRIGetStreams(model, &stream, &count), ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY);
  EXPECT_NE(stream, nullptr);
}

TEST_F(ModelStreams, T210_NullIs107000) {
  std::uint32_t count = 0;
  EXPECT_EQ(aclmdlRIGetStreams(capture([] {}), nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIGetStreams(nullptr, nullptr, &count), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ModelStreams, AreTheSameWhenAskedAgain) {
  aclmdlRI model = capture([] {});
  EXPECT_EQ(streams_of(model), streams_of(model));
}

TEST_F(ModelStreams, OfABuiltModelAreThoseThatAreBound) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, s, 0), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(streams_of(model), std::vector<aclrtStream>{s});
  const auto tasks = tasks_of(s);
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(type_of(tasks[0]), ACL_MODEL_RI_TASK_KERNEL);
  std::uint32_t id = 0;
  EXPECT_EQ(aclmdlRITaskGetSeqId(tasks[0], &id), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(ModelTasks, T211_StreamOfTheProgramIs107000) {
  std::uint32_t count = 0;
  EXPECT_EQ(aclmdlRIGetTasksByStream(s, nullptr, &count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIGetTasksByStream(nullptr, nullptr, &count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIGetTasksByStream(&count, nullptr, &count), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ModelTasks, NullIs107000) {
  aclmdlRI model = capture([] {});
  EXPECT_EQ(aclmdlRIGetTasksByStream(streams_of(model)[0], nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  aclmdlRITaskType type{};
  std::uint32_t id = 0;
  aclmdlRITaskParams params{};
  EXPECT_EQ(aclmdlRITaskGetType(nullptr, &type), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskGetSeqId(nullptr, &id), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskGetParams(nullptr, &params), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskSetParams(nullptr, &params), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskDisable(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIUpdate(nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ModelTasks, NullOutputsAre107000) {
  aclmdlRITask kernel = only_task(capture([&] { EXPECT_EQ(increment(cell, s), 0); }));
  EXPECT_EQ(aclmdlRITaskGetType(kernel, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskGetSeqId(kernel, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskGetParams(kernel, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ModelTasks, DieWithTheModel) {
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  const aclrtStream stream = streams_of(model)[0];
  const aclmdlRITask task = tasks_of(stream)[0];
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  std::uint32_t number = 0;
  aclmdlRITaskType type{};
  EXPECT_EQ(aclmdlRIGetTasksByStream(stream, nullptr, &number), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRITaskGetType(task, &type), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ModelTasks, OfAModelThatOutlivesItsContextHaveNoParameters) {
  aclrtContext before = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&before), 0);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0);
  EXPECT_EQ(increment(cell, stream), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
  const aclmdlRITask task = only_task(model);
  aclmdlRITaskParams parameters{};
  ASSERT_EQ(aclmdlRITaskGetParams(task, &parameters), 0);
  ASSERT_EQ(aclrtDestroyContext(context), 0);
  ASSERT_EQ(aclrtSetCurrentContext(before), 0);
  EXPECT_EQ(aclmdlRITaskGetParams(task, &parameters), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclmdlRITaskSetParams(task, &parameters), ACL_ERROR_RT_MODEL_CONTEXT);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(ModelTasks, TypesDistinguishKernelsValuesAndTheRest) {
  Word word;
  Cell copy;
  const auto tasks = tasks_of(streams_of(capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtMemcpyAsync(copy.address(), 4, cell.address(), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
    EXPECT_EQ(aclrtValueWrite(word.address(), 5, 0, s), 0);
    EXPECT_EQ(aclrtValueWait(word.address(), 5, ACL_STREAM_WAIT_VALUE_GEQ, s), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  s, [](void*) {}, nullptr),
              0);
  }))[0]);
  ASSERT_EQ(tasks.size(), 5u);
  EXPECT_EQ(type_of(tasks[0]), ACL_MODEL_RI_TASK_KERNEL);
  EXPECT_EQ(type_of(tasks[1]), ACL_MODEL_RI_TASK_DEFAULT);
  EXPECT_EQ(type_of(tasks[2]), ACL_MODEL_RI_TASK_VALUE_WRITE);
  EXPECT_EQ(type_of(tasks[3]), ACL_MODEL_RI_TASK_VALUE_WAIT);
  EXPECT_EQ(type_of(tasks[4]), ACL_MODEL_RI_TASK_DEFAULT);
  EXPECT_EQ(params_of(tasks[2]).valueWriteTaskParams.devAddr, word.address());
  EXPECT_EQ(params_of(tasks[2]).valueWriteTaskParams.value, 5u);
  EXPECT_EQ(params_of(tasks[3]).valueWaitTaskParams.devAddr, word.address());
  EXPECT_EQ(params_of(tasks[3]).valueWaitTaskParams.value, 5u);
  EXPECT_EQ(params_of(tasks[3]).valueWaitTaskParams.flag, static_cast<std::uint32_t>(ACL_STREAM_WAIT_VALUE_GEQ));
}

TEST_F(ModelTasks, SequenceIdsAreDifferent) {
  const auto tasks = tasks_of(streams_of(capture([&] {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(increment(cell, s), 0);
  }))[0]);
  std::vector<std::uint32_t> ids;
  for (aclmdlRITask task : tasks) {
    std::uint32_t id = 0;
    EXPECT_EQ(aclmdlRITaskGetSeqId(task, &id), 0);
    ids.push_back(id);
  }
  EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST_F(ModelTasks, T226_ForksJoinsAndResetsAreEventTasks) {
  aclrtEvent fork = new_event(), join = new_event();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtRecordEvent(fork, s), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(side, fork), 0);
    EXPECT_EQ(aclrtRecordEvent(join, side), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, join), 0);
  });
  const auto streams = streams_of(model);
  ASSERT_EQ(streams.size(), 2u);
  const auto origin = tasks_of(streams[0]);
  const auto forked = tasks_of(streams[1]);
  EXPECT_EQ(types_of(origin),
            (std::vector<aclmdlRITaskType>{ACL_MODEL_RI_TASK_EVENT_RECORD, ACL_MODEL_RI_TASK_EVENT_WAIT,
                                           ACL_MODEL_RI_TASK_EVENT_RESET, ACL_MODEL_RI_TASK_EVENT_RESET}));
  EXPECT_EQ(types_of(forked),
            (std::vector<aclmdlRITaskType>{ACL_MODEL_RI_TASK_EVENT_WAIT, ACL_MODEL_RI_TASK_EVENT_RECORD}));
  EXPECT_EQ(params_of(origin[0]).eventRecordTaskParams.event, fork);
  EXPECT_EQ(params_of(origin[0]).eventRecordTaskParams.eventFlag, ACL_EVENT_SYNC);
  EXPECT_EQ(params_of(origin[1]).eventWaitTaskParams.event, join);
  EXPECT_EQ(params_of(origin[2]).eventResetTaskParams.event, fork);
  EXPECT_EQ(params_of(origin[3]).eventResetTaskParams.event, join);
}

TEST_F(ModelTasks, EventThatIsRecordedTwiceIsResetOnce) {
  aclrtEvent event = new_event();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtRecordEvent(event, s), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
    EXPECT_EQ(aclrtRecordEvent(event, side), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
  });
  const auto types = types_of(tasks_of(streams_of(model)[0]));
  EXPECT_EQ(std::count(types.begin(), types.end(), ACL_MODEL_RI_TASK_EVENT_RESET), 1);
}

TEST_F(TaskParams, T213_DefaultTaskIs107000) {
  Cell copy;
  aclmdlRITask task = only_task(capture(
      [&] { EXPECT_EQ(aclrtMemcpyAsync(copy.address(), 4, cell.address(), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0); }));
  aclmdlRITaskParams params{};
  EXPECT_EQ(aclmdlRITaskGetParams(task, &params), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(TaskParams, KernelShowsItsFunctionAndItsBlock) {
  Cell out;
  const auto params = params_of(only_task(capture([&] { EXPECT_EQ(add(cell, 1, out, s), 0); })));
  EXPECT_EQ(params.type, ACL_MODEL_RI_TASK_KERNEL);
  EXPECT_EQ(params.taskGrp, nullptr);
  EXPECT_NE(params.kernelTaskParams.funcHandle, nullptr);
  EXPECT_EQ(params.kernelTaskParams.isHostArgs, 1u);
  EXPECT_GE(params.kernelTaskParams.numBlocks, 1u);
  EXPECT_NE(find_address(params, cell.address()), nullptr);
  EXPECT_NE(find_address(params, out.address()), nullptr);
}

TEST_F(TaskParams, KernelOfAGroupNamesTheGroup) {
  aclrtTaskGrp group = nullptr;
  const auto params = params_of(only_task(capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  })));
  EXPECT_EQ(params.taskGrp, group);
}

TEST_F(KernelAttribute, T223_NullIs100000) {
  aclmdlRITask task = only_task(capture([&] { EXPECT_EQ(increment(cell, s), 0); }));
  aclrtLaunchKernelAttrValue value{};
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(nullptr, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, &value),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, nullptr),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(KernelAttribute, T223_AttributesThatCannotBeReadAre107000) {
  aclmdlRITask task = only_task(capture([&] { EXPECT_EQ(increment(cell, s), 0); }));
  aclrtLaunchKernelAttrValue value{};
  for (const auto id : {ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET,
                        ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH, static_cast<aclrtLaunchKernelAttrId>(99)}) {
    EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, id, &value), ACL_ERROR_RT_PARAM_INVALID) << id;
  }
}

TEST_F(KernelAttribute, OthersHaveTheValuesOfALaunchWithoutAttributes) {
  aclmdlRITask task = only_task(capture([&] { EXPECT_EQ(increment(cell, s), 0); }));
  aclrtLaunchKernelAttrValue value{};
  value.rsv[0] = 7;
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, &value), 0);
  EXPECT_EQ(value.schemMode, 0u);
}

TEST_F(KernelAttribute, TaskThatIsNoKernelIs107000) {
  Word word;
  aclmdlRITask task = only_task(capture([&] { EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, s), 0); }));
  aclrtLaunchKernelAttrValue value{};
  EXPECT_EQ(aclmdlRIKernelTaskGetAttribute(task, ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, &value),
            ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace aclvk::test
