// Updates of task groups (capture-tests G; capture-semantics 9.2).
#include <string>

#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_scatter.h"
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// `out = in + by` is a group of its own; updates change `by`.
class TaskUpdate : public CaptureTest {
 protected:
  aclrtTaskGrp group(const std::function<void()>& body) {
    aclrtTaskGrp made = nullptr;
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    body();
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &made), 0);
    return made;
  }
  /// A model of one group of one kernel, out = in + 1.
  void capture_one() {
    model = capture([&] { handle = group([&] { EXPECT_EQ(add(in, 1, out, s), 0); }); });
  }
  static aclError update(aclrtStream stream, aclrtTaskGrp updated, const std::function<void()>& body) {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(stream, updated), 0) << aclGetRecentErrMsg();
    body();
    return aclmdlRICaptureTaskUpdateEnd(stream);
  }
  aclError update_to(float by) {
    return update(side, handle, [&] { EXPECT_EQ(add(in, by, out, side), 0); });
  }
  float result() {
    run(model, s);
    return out.value();
  }

  Cell in{10}, out;
  aclmdlRI model = nullptr;
  aclrtTaskGrp handle = nullptr;
};

TEST_F(TaskUpdate, ReplacesTheKernel) {
  capture_one();
  EXPECT_EQ(result(), 11);
  EXPECT_EQ(update_to(5), 0);
  sync(side);
  EXPECT_EQ(result(), 15);
  EXPECT_EQ(result(), 15);
}

TEST_F(TaskUpdate, RunsNothingOnTheUpdateStream) {
  capture_one();
  EXPECT_EQ(update_to(5), 0);
  sync(side);
  EXPECT_EQ(out.value(), 0);
}

TEST_F(TaskUpdate, EndsWhenItsStreamIsAborted) {
  capture_one();
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  ASSERT_EQ(add(in, 7, out, side), 0);
  EXPECT_EQ(aclrtStreamAbort(side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(result(), 11);
  EXPECT_EQ(add(in, 3, out, side), 0);  // runs at once
  sync(side);
  EXPECT_EQ(out.value(), 13);
  EXPECT_EQ(update_to(5), 0);
  sync(side);
  EXPECT_EQ(result(), 15);
}

TEST_F(TaskUpdate, MayChangeTheOperandsAndTheShape) {
  Cell wide_in(100, 1000), wide_out(0, 1000);
  capture_one();
  EXPECT_EQ(update(side, handle, [&] { EXPECT_EQ(add(wide_in, 7, wide_out, side), 0); }), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(wide_out.value(), 107);
  EXPECT_EQ(out.value(), 0);
}

TEST_F(TaskUpdate, MayChangeTheNumberOfBlocks) {
  constexpr std::int64_t kMany = 1 << 20;
  Cell many_in(100, kMany), many_out(0, kMany);
  capture_one();
  EXPECT_EQ(update(side, handle, [&] { EXPECT_EQ(add(many_in, 7, many_out, side), 0); }), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(many_out.value(), 107);
  EXPECT_EQ(update_to(3), 0);
  sync(side);
  EXPECT_EQ(result(), 13);
}

TEST_F(TaskUpdate, MayChangeTheOperator) {
  capture_one();
  const auto copy = [&] {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnInplaceCopyGetWorkspaceSize(out.tensor(), in.tensor(), &size, &executor), 0);
    EXPECT_EQ(aclnnInplaceCopy(nullptr, 0, executor, side), 0);
  };
  EXPECT_EQ(update(side, handle, copy), 0) << aclGetRecentErrMsg();
  sync(side);
  EXPECT_EQ(result(), 10);
}

TEST_F(TaskUpdate, GroupsOnSeveralStreamsChangeEachItsOwn) {
  Cell beside_in{20}, beside_out;
  aclrtTaskGrp beside = nullptr;
  aclrtStream branch = new_stream();
  model = capture([&] {
    order(s, branch);
    handle = group([&] { EXPECT_EQ(add(in, 1, out, s), 0); });
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(branch), 0);
    EXPECT_EQ(add(beside_in, 2, beside_out, branch), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(branch, &beside), 0);
    order(branch, s);
  });
  EXPECT_EQ(update(side, beside, [&] { EXPECT_EQ(add(beside_in, 5, beside_out, side), 0); }), 0);
  EXPECT_EQ(update(side, handle, [&] { EXPECT_EQ(add(in, 6, out, side), 0); }), 0);
  sync(side);
  EXPECT_EQ(result(), 16);
  EXPECT_EQ(beside_out.value(), 25);
}

TEST_F(TaskUpdate, T151_ChangesItsOwnGroupOnly) {
  Cell second_out;
  aclrtTaskGrp second = nullptr;
  model = capture([&] {
    handle = group([&] { EXPECT_EQ(add(in, 1, out, s), 0); });
    second = group([&] { EXPECT_EQ(add(in, 2, second_out, s), 0); });
  });
  EXPECT_EQ(update(side, second, [&] { EXPECT_EQ(add(in, 20, second_out, side), 0); }), 0);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 11);
  EXPECT_EQ(second_out.value(), 30);
}

TEST_F(TaskUpdate, T153_NullIs100000) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(nullptr, handle), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(TaskUpdate, T154_OnACapturingStreamIs107027) {
  capture_one();
  begin(side);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(TaskUpdate, SecondBeginOnTheStreamIs107033) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(add(in, 5, out, side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
}

TEST_F(TaskUpdate, T157_GroupThatAnotherStreamUpdatesIs107033) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(s, handle), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(add(in, 5, out, side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
}

TEST_F(TaskUpdate, T158_EndWithoutBeginIs107033) {
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
}

TEST_F(TaskUpdate, GroupOnAStreamInUpdateIs107033) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(add(in, 5, out, side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
}

TEST_F(TaskUpdate, CaptureOnAStreamInUpdateIs107033) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(aclmdlRICaptureBegin(side, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(add(in, 5, out, side), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  sync(side);
  EXPECT_EQ(result(), 15);
}

TEST_F(TaskUpdate, T159_MissingKernelsAre507000AndKeepTheirArguments) {
  Cell second_out;
  model = capture([&] {
    handle = group([&] {
      EXPECT_EQ(add(in, 1, out, s), 0);
      EXPECT_EQ(add(in, 2, second_out, s), 0);
    });
  });
  EXPECT_EQ(update_to(5), ACL_ERROR_RT_INTERNAL_ERROR);
  sync(side);
  run(model, s);
  EXPECT_EQ(out.value(), 15);
  EXPECT_EQ(second_out.value(), 12);
}

TEST_F(TaskUpdate, T161_EmptyUpdateIs507000AndLeavesTheGroup) {
  capture_one();
  EXPECT_EQ(update(side, handle, [] {}), ACL_ERROR_RT_INTERNAL_ERROR);
  sync(side);
  EXPECT_EQ(result(), 11);
  EXPECT_EQ(update_to(5), 0);
  sync(side);
  EXPECT_EQ(result(), 15);
}

TEST_F(TaskUpdate, SentenceTellsHowManyKernelsAreMissing) {
  capture_one();
  EXPECT_EQ(update(side, handle, [] {}), ACL_ERROR_RT_INTERNAL_ERROR);
  const std::string sentence = aclGetRecentErrMsg();
  EXPECT_NE(sentence.find("has 1 kernels and the update launched 0"), std::string::npos) << sentence;
}

TEST_F(TaskUpdate, T162_OneKernelTooManyIsRefused) {
  capture_one();
  const aclError code = update(side, handle, [&] {
    EXPECT_EQ(add(in, 5, out, side), 0);
    EXPECT_EQ(add(in, 6, out, side), kLaunchRefused);
  });
  EXPECT_EQ(code, 0);
  sync(side);
  EXPECT_EQ(result(), 15);
}

// aclnnScatter: a copy, and a kernel that has no place in the group.
TEST_F(TaskUpdate, OperatorOfTwoKernelsReplacesBothOrNone) {
  capture_one();
  const std::int64_t count = 8;
  const Word numbers;
  aclTensor* index = aclCreateTensor(&count, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, &count, 1, numbers.address());
  const aclError code = update(side, handle, [&] {
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(aclnnScatterGetWorkspaceSize(in.tensor(), 0, index, in.tensor(), 0, out.tensor(), &size, &executor), 0);
    EXPECT_EQ(aclnnScatter(nullptr, 0, executor, side), kLaunchRefused);
    EXPECT_EQ(add(in, 5, out, side), 0) << "in its place";
  });
  EXPECT_EQ(code, 0);
  sync(side);
  EXPECT_EQ(result(), 15);
  EXPECT_EQ(aclDestroyTensor(index), 0);
}

TEST_F(TaskUpdate, T165_OtherTasksInAnUpdateAre507009) {
  const Word word;
  capture_one();
  const aclError code = update(side, handle, [&] {
    EXPECT_EQ(aclrtMemcpyAsync(out.address(), out.bytes(), in.address(), in.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, side),
              ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(aclrtReduceAsync(out.address(), in.address(), in.bytes(), ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT,
                               side, nullptr),
              ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(aclrtRecordEvent(new_event(), side), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  side, [](void*) {}, nullptr),
              ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    EXPECT_EQ(add(in, 5, out, side), 0);
  });
  EXPECT_EQ(code, 0);
  sync(side);
  EXPECT_EQ(result(), 15);
}

/// The group waits for an EXTERNAL event at each replay, as in the documents.
class GatedUpdate : public TaskUpdate {
 protected:
  void SetUp() override {
    TaskUpdate::SetUp();
    gate = new_external_event();
    model = capture([&] {
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
      handle = group([&] { EXPECT_EQ(add(in, 1, out, s), 0); });
    });
  }

  aclrtEvent gate = nullptr;
};

TEST_F(GatedUpdate, T166_RecordAfterTheUpdateMakesItSeen) {
  EXPECT_EQ(update_to(5), 0);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 15);
}

TEST_F(GatedUpdate, T167_RunningReplayUsesTheNewKernel) {
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(update_to(5), 0);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
  EXPECT_EQ(out.value(), 15);
}

TEST_F(GatedUpdate, T171_EmptyUpdateThenARealOne) {
  execute(model, s);
  EXPECT_EQ(update(side, handle, [] {}), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
  EXPECT_EQ(out.value(), 11);

  execute(model, s);
  EXPECT_EQ(update_to(5), 0);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
  EXPECT_EQ(out.value(), 15);
}

TEST_F(GatedUpdate, UpdateTakesItsPlaceInTheUpdateStream) {
  const Word word;
  EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, side), 0);
  EXPECT_EQ(update_to(5), 0);
  aclrtStream other = new_stream();
  EXPECT_EQ(aclrtRecordEvent(gate, other), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 11);

  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, other), 0);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  run(model, s);
  EXPECT_EQ(out.value(), 15);
}

TEST_F(TaskUpdate, T170_HandleOfADestroyedModelIs107017) {
  capture_one();
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(TaskUpdate, EndAfterTheModelWasDestroyedIs107017) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  EXPECT_EQ(add(in, 5, out, side), 0);
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("has been destroyed"), std::string::npos);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(add(in, 3, out, side), 0);  // the stream executes again
  sync(side);
  EXPECT_EQ(out.value(), 13);
}

TEST_F(TaskUpdate, LaunchAfterTheModelWasDestroyedIsRefused) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, handle), 0);
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(add(in, 5, out, side), kLaunchRefused);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("has been destroyed"), std::string::npos);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_RT_INVALID_HANDLE);
  sync(side);
  EXPECT_EQ(out.value(), 0);
}

// The update goes with its stream; the group is as it was, for another stream to update.
TEST_F(TaskUpdate, EndsWithItsStream) {
  for (const auto destroy : {aclrtDestroyStream, aclrtDestroyStreamForce}) {
    for (const bool has_launched : {false, true}) {
      SCOPED_TRACE(testing::Message() << (destroy == aclrtDestroyStream ? "" : "by force, ") << has_launched);
      capture_one();
      aclrtStream gone = nullptr;
      ASSERT_EQ(aclrtCreateStream(&gone), 0);
      ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(gone, handle), 0);
      if (has_launched) {
        ASSERT_EQ(add(in, 7, out, gone), 0);
      }
      ASSERT_EQ(destroy(gone), 0);
      EXPECT_EQ(result(), 11);
      EXPECT_EQ(update_to(5), 0) << aclGetRecentErrMsg();
      sync(side);
      EXPECT_EQ(result(), 15);
      EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
      ASSERT_EQ(aclmdlRIDestroy(model), 0);
      destroyed(model);
    }
  }
}

TEST_F(TaskUpdate, ModelsHandleIsNoGroup) {
  capture_one();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, model), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace aclvk::test
