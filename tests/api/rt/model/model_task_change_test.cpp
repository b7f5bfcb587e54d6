// acl/rt/model_ri_task.h: changing the tasks of captured models (capture-semantics 14, capture-tests J).
#include <string>
#include <vector>

#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

/// `model` is one kernel, out = cell + 1; `kernel` is its task, with its parameters.
class TaskChange : public ModelTaskTest {
 protected:
  void SetUp() override {
    ModelTaskTest::SetUp();
    cell.set(10);
    model = capture([&] { EXPECT_EQ(add(cell, 1, out, s), 0); });
    kernel = only_task(model);
    params = params_of(kernel);
  }
  /// The kernel writes into another cell. The block belongs to the library, so the change is made in a copy.
  void direct_to(const Cell& target) {
    const auto* block = static_cast<std::byte*>(params.kernelTaskParams.args);
    block_.assign(block, block + params.kernelTaskParams.argsSize);
    params.kernelTaskParams.args = block_.data();
    std::byte* at = find_address(params, out.address());
    ASSERT_NE(at, nullptr);
    const void* address = target.address();
    std::memcpy(at, &address, sizeof(address));
  }
  void expect_fault() {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
    EXPECT_EQ(aclmdlRIUpdate(model), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
    EXPECT_EQ(aclmdlRITaskDisable(kernel), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
  }

  Cell out, other;
  aclmdlRI model = nullptr;
  aclmdlRITask kernel = nullptr;
  aclmdlRITaskParams params{};

 private:
  std::vector<std::byte> block_;
};

using SetParams = TaskChange;
using TaskDisable = TaskChange;
using ModelUpdate = TaskChange;

TEST_F(SetParams, T214_KernelRunsWithItsNewArguments) {
  direct_to(other);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0) << aclGetRecentErrMsg();
  run(model, s);
  EXPECT_EQ(other.value(), 11);
  EXPECT_EQ(out.value(), 0);
  EXPECT_NE(find_address(params_of(kernel), other.address()), nullptr);
}

TEST_F(SetParams, T215_UpdateHasToFollow) {
  direct_to(other);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("aclmdlRIUpdate"), std::string::npos);
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  run(model, s);
  EXPECT_EQ(other.value(), 11);
}

// The kernel was chosen for the alignment of its operands: at another one it would work on the wrong elements.
TEST_F(SetParams, AddressWithLessAlignmentIsRefused) {
  direct_to(other);
  std::byte* at = find_address(params, other.address());
  ASSERT_NE(at, nullptr);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  const void* between = static_cast<std::byte*>(memory) + 4;
  std::memcpy(at, &between, sizeof(between));
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("multiple of 32"), std::string::npos) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtFree(memory), 0);
}

TEST_F(SetParams, ArgumentsMayLieInDeviceMemory) {
  direct_to(other);
  void* block = nullptr;
  const std::size_t bytes = params.kernelTaskParams.argsSize;
  ASSERT_EQ(aclrtMalloc(&block, bytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  ASSERT_EQ(aclrtMemcpy(block, bytes, params.kernelTaskParams.args, bytes, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  params.kernelTaskParams.args = block;
  params.kernelTaskParams.isHostArgs = 0;
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  EXPECT_EQ(aclrtFree(block), 0);
  run(model, s);
  EXPECT_EQ(other.value(), 11);
}

TEST_F(SetParams, FunctionAndBlockOfAnotherTask) {
  aclmdlRITaskParams doubling = params_of(only_task(capture([&] { EXPECT_EQ(increment(other, s, 5), 0); })));
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &doubling), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  run(model, s);
  EXPECT_EQ(other.value(), 5);
}

TEST_F(SetParams, KernelCanBecomeAValueTask) {
  Word word;
  aclmdlRITaskParams write = value_write(word, 9);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &write), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  run(model, s);
  EXPECT_EQ(word.value(), 9u);
  EXPECT_EQ(out.value(), 0);
  EXPECT_EQ(type_of(kernel), ACL_MODEL_RI_TASK_VALUE_WRITE);
}

TEST_F(SetParams, KernelOfAGroupThatBecomesAWaitBlocksThoseAfterIt) {
  Word word;
  Cell late;
  aclrtTaskGrp group = nullptr;
  aclmdlRI grouped = capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(cell, 1, out, s), 0);
    EXPECT_EQ(add(cell, 1, late, s), 0);
    EXPECT_EQ(add(other, 1, late, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  aclmdlRITaskParams wait{};
  wait.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
  wait.valueWaitTaskParams = {word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ};
  EXPECT_EQ(aclmdlRITaskSetParams(tasks_of_origin(grouped).at(1), &wait), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(grouped), 0);
  execute(grouped, s);
  EXPECT_TRUE(becomes(out, 11));
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(late.value(), 0);
  other.set(20);
  word.set(1);
  sync(s);
  EXPECT_EQ(late.value(), 21);
}

TEST_F(SetParams, ValueTaskTakesAnotherWordAndValue) {
  Word before, after;
  aclmdlRI values = capture([&] { EXPECT_EQ(aclrtValueWrite(before.address(), 1, 0, s), 0); });
  aclmdlRITaskParams write = value_write(after, 3);
  EXPECT_EQ(aclmdlRITaskSetParams(only_task(values), &write), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(values), 0);
  run(values, s);
  EXPECT_EQ(before.value(), 0u);
  EXPECT_EQ(after.value(), 3u);
}

TEST_F(SetParams, T225_ValueTaskBecomesNoKernel) {
  Word word;
  model = capture([&] { EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, s), 0); });
  aclmdlRITaskParams of_kernel = params;
  kernel = only_task(model);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &of_kernel), ACL_ERROR_RT_PARAM_INVALID);
  expect_fault();
}

TEST_F(SetParams, ParametersThatDoNotFitSpoilTheModel) {
  params.kernelTaskParams.argsSize -= 1;
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), ACL_ERROR_RT_PARAM_INVALID);
  expect_fault();
}

TEST_F(SetParams, KernelNeedsFunctionArgumentsAndNoGroup) {
  const auto refused = [&](auto spoil) {
    aclmdlRI fresh = capture([&] { EXPECT_EQ(add(cell, 1, out, s), 0); });
    aclmdlRITask task = only_task(fresh);
    aclmdlRITaskParams spoiled = params_of(task);
    spoil(spoiled);
    return aclmdlRITaskSetParams(task, &spoiled) == ACL_ERROR_RT_PARAM_INVALID;
  };
  EXPECT_TRUE(refused([](auto& p) { p.kernelTaskParams.funcHandle = nullptr; }));
  EXPECT_TRUE(refused([&](auto& p) { p.kernelTaskParams.funcHandle = s; }));
  EXPECT_TRUE(refused([](auto& p) { p.kernelTaskParams.args = nullptr; }));
  EXPECT_TRUE(refused([](auto& p) { p.kernelTaskParams.argsSize = 0; }));
  EXPECT_TRUE(refused([](auto& p) { p.kernelTaskParams.argsSize = std::size_t{1} << 40; }));
  EXPECT_TRUE(refused([](auto& p) { p.kernelTaskParams.numBlocks = 0; }));
  EXPECT_TRUE(refused([&](auto& p) { p.taskGrp = s; }));
  EXPECT_TRUE(refused([](auto& p) { p.type = ACL_MODEL_RI_TASK_DEFAULT; }));
}

TEST_F(SetParams, WordLiesInDeviceMemoryAtAMultipleOf8) {
  const auto refused = [&](void* address, std::uint32_t flag = ACL_STREAM_WAIT_VALUE_EQ) {
    aclmdlRITask task = only_task(capture([&] { EXPECT_EQ(add(cell, 1, out, s), 0); }));
    aclmdlRITaskParams wait{};
    wait.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
    wait.valueWaitTaskParams = {address, 1, flag};
    return aclmdlRITaskSetParams(task, &wait) == ACL_ERROR_RT_PARAM_INVALID;
  };
  const Word word;
  const Pinned<std::uint64_t> pinned(1);
  EXPECT_TRUE(refused(nullptr));
  EXPECT_TRUE(refused(pinned.data()));
  EXPECT_TRUE(refused(static_cast<char*>(word.address()) + 4));
  EXPECT_TRUE(refused(word.address(), 4));
  EXPECT_FALSE(refused(word.address(), 3));
}

TEST_F(SetParams, ValueTaskTakesNoOperatorInfo) {
  Word word;
  aclmdlRITaskParams write = value_write(word, 1);
  write.opInfoPtr = &write;
  write.opInfoSize = 8;
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &write), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(SetParams, AddressOutsideLiveMemoryIs107000) {
  direct_to(other);
  void* gone = nullptr;
  ASSERT_EQ(aclrtMalloc(&gone, out.bytes(), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  std::memcpy(find_address(params, other.address()), &gone, sizeof(gone));
  ASSERT_EQ(aclrtFree(gone), 0);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &params), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(SetParams, T218_RunningModelIs107040) {
  Word word;
  aclmdlRI waiting = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(add(cell, 1, out, s), 0);
  });
  aclmdlRITask task = tasks_of_origin(waiting)[1];
  aclmdlRITaskParams same = params_of(task);
  execute(waiting, s);
  EXPECT_EQ(aclmdlRITaskSetParams(task, &same), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
  EXPECT_EQ(aclmdlRITaskDisable(task), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
  word.set(1);
  sync(s);
  EXPECT_EQ(aclmdlRITaskSetParams(task, &same), 0) << "the refusal has not spoiled the model";
}

TEST_F(SetParams, CapturingModelIs107040) {
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  aclmdlRITask task = only_task(model_of(s));
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
}

TEST_F(SetParams, BuiltModelIs207000) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  EXPECT_EQ(increment(cell, side), 0);
  aclmdlRITask task = tasks_of(side)[0];
  EXPECT_EQ(aclmdlRITaskSetParams(task, &params), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRITaskDisable(task), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
}

TEST_F(TaskDisable, T219_KernelIsSkipped) {
  EXPECT_EQ(aclmdlRITaskDisable(kernel), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 0);
  EXPECT_EQ(type_of(kernel), ACL_MODEL_RI_TASK_DEFAULT);
}

TEST_F(TaskDisable, OthersContinue) {
  aclmdlRI three = capture([&] {
    EXPECT_EQ(increment(other, s, 1), 0);
    EXPECT_EQ(increment(other, s, 10), 0);
    EXPECT_EQ(increment(other, s, 100), 0);
  });
  EXPECT_EQ(aclmdlRITaskDisable(tasks_of_origin(three)[1]), 0);
  EXPECT_EQ(aclmdlRIUpdate(three), 0);
  run(three, s);
  EXPECT_EQ(other.value(), 101);
}

TEST_F(TaskDisable, WaitIsNotWaitedForAnyMore) {
  Word word;
  aclmdlRI waiting = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(other, s), 0);
  });
  EXPECT_EQ(aclmdlRITaskDisable(tasks_of_origin(waiting)[0]), 0);
  EXPECT_EQ(aclmdlRIUpdate(waiting), 0);
  run(waiting, s);
  EXPECT_EQ(other.value(), 1);
}

TEST_F(TaskDisable, DefaultTaskIs107000AndSpoilsTheModel) {
  model = capture(
      [&] { EXPECT_EQ(aclrtMemcpyAsync(out.address(), 4, cell.address(), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0); });
  kernel = only_task(model);
  EXPECT_EQ(aclmdlRITaskDisable(kernel), ACL_ERROR_RT_PARAM_INVALID);
  expect_fault();
}

TEST_F(ModelUpdate, T221_ReadyModelHasNothingToDo) {
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 11);
}

TEST_F(ModelUpdate, T222_BuiltModelIs207000) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  EXPECT_EQ(aclmdlRIUpdate(built), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
}

TEST_F(ModelUpdate, CapturingModelIs107040) {
  begin(s);
  EXPECT_EQ(aclmdlRIUpdate(model_of(s)), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
}

/// `model` is a group of one kernel, out = cell + 1.
class ChangedGroup : public TaskChange {
 protected:
  void SetUp() override {
    TaskChange::SetUp();
    model = capture([&] {
      EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
      EXPECT_EQ(add(cell, 1, out, s), 0);
      EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
    });
    kernel = only_task(model);
  }
  aclnnStatus update_group() {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0) << aclGetRecentErrMsg();
    return add(cell, 5, out, side);
  }

  aclrtTaskGrp group = nullptr;
};

TEST_F(ChangedGroup, DisabledKernelStaysDisabledWhenItsGroupIsUpdated) {
  EXPECT_EQ(aclmdlRITaskDisable(kernel), 0);
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  EXPECT_EQ(update_group(), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 0);
}

TEST_F(ChangedGroup, KernelThatBecameAValueTaskIsNotReplaced) {
  Word word;
  aclmdlRITaskParams write = value_write(word, 9);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &write), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  EXPECT_EQ(update_group(), kLaunchRefused);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_INTERNAL_ERROR);
  run(model, s);
  EXPECT_EQ(word.value(), 9u);
  EXPECT_EQ(out.value(), 0);
}

// The update is in its stream's queue when the task changes.
TEST_F(ChangedGroup, KernelThatBecomesAValueTaskMeanwhileIsNotReplaced) {
  Word word;
  BlockedStream gate(side);
  EXPECT_EQ(update_group(), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  aclmdlRITaskParams write = value_write(word, 9);
  EXPECT_EQ(aclmdlRITaskSetParams(kernel, &write), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclmdlRIUpdate(model), 0);
  gate.release();
  sync(side);
  run(model, s);
  EXPECT_EQ(word.value(), 9u);
  EXPECT_EQ(out.value(), 0);
}

TEST_F(ModelUpdate, GroupsCanStillBeUpdated) {
  aclrtTaskGrp group = nullptr;
  aclmdlRI grouped = capture([&] {
    EXPECT_EQ(increment(other, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(cell, 1, out, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  EXPECT_EQ(aclmdlRITaskDisable(tasks_of_origin(grouped)[0]), 0);
  EXPECT_EQ(aclmdlRIUpdate(grouped), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(add(cell, 5, out, side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  sync(side);
  run(grouped, s);
  EXPECT_EQ(out.value(), 15);
  EXPECT_EQ(other.value(), 0);
}

}  // namespace
}  // namespace aclvk::test
