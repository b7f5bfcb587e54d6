// acl/rt/model_ri_condition.h: conditional tasks (capture-semantics 15, capture-tests K).
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr auto kIf = ACL_MODEL_RI_COND_TYPE_IF;
constexpr auto kWhile = ACL_MODEL_RI_COND_TYPE_WHILE;
constexpr auto kSwitch = ACL_MODEL_RI_COND_TYPE_SWITCH;
constexpr auto kKeep = static_cast<aclmdlRICondHandleFlag>(0);
constexpr auto kAssign = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;

/// A conditional task that has been added to a capture.
struct Conditional {
  aclmdlRICondHandle handle = nullptr;
  std::uint64_t* word = nullptr;
  std::vector<aclmdlRI> bodies;
};

class Condition : public CaptureTest {
 protected:
  static aclmdlRICondHandle new_handle(aclmdlRI model, std::uint32_t value = 0, aclmdlRICondHandleFlag flag = kKeep) {
    aclmdlRICondHandle handle = nullptr;
    EXPECT_EQ(aclmdlRICondHandleCreate(model, value, flag, &handle), 0) << aclGetRecentErrMsg();
    return handle;
  }
  static aclError add(aclmdlRICondHandle handle, aclmdlRICondTaskType type, std::vector<aclmdlRI>& bodies,
                      aclrtStream stream, std::uint32_t flags = 0) {
    return aclmdlRIAddCondTask({handle, type, static_cast<std::uint32_t>(bodies.size()), bodies.data()}, stream, flags);
  }
  /// A new conditional task of the capturing stream.
  static Conditional conditional(aclrtStream stream, aclmdlRICondTaskType type, std::size_t size,
                                 std::uint32_t value = 0, aclmdlRICondHandleFlag flag = kKeep) {
    Conditional made;
    made.handle = new_handle(test::model_of(stream), value, flag);
    made.bodies.resize(size);
    EXPECT_EQ(add(made.handle, type, made.bodies, stream), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRICondHandleGetCondPtr(made.handle, &made.word), 0);
    return made;
  }
  /// Captures what `body` gives to the stream into the sub-model.
  template <typename Body>
  static void capture_body(aclmdlRI model, aclrtStream stream, Body body, aclmdlRICaptureMode mode = kGlobal) {
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(stream, model, mode), 0) << aclGetRecentErrMsg();
    body();
    EXPECT_EQ(aclmdlRICaptureEnd(stream, nullptr), 0) << aclGetRecentErrMsg();
  }
  /// Each body adds its own power of ten to the cell.
  void capture_counting_bodies(const Conditional& task) {
    float by = 1;
    for (aclmdlRI body : task.bodies) {
      capture_body(body, side, [&] { EXPECT_EQ(increment(cell, side, by), 0); });
      by *= 10;
    }
  }
  static void set(const Conditional& task, std::uint64_t value) {
    const RelaxedThread relaxed;
    EXPECT_EQ(aclrtMemcpy(task.word, 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  /// What a launch with this value in the word adds to the cell.
  float outcome(aclmdlRI model, const Conditional& task, std::uint64_t value) {
    cell.set(0);
    set(task, value);
    run(model, s);
    return cell.value();
  }
  static void decrement(const Conditional& task, aclrtStream stream) { add_to_word(task.word, ACL_INT64, -1, stream); }

  Cell cell;
};

using SubModel = Condition;

TEST_F(Condition, T227_NullsAre100000) {
  begin(s);
  aclmdlRICondHandle handle = nullptr;
  std::uint64_t* word = nullptr;
  EXPECT_EQ(aclmdlRICondHandleCreate(nullptr, 0, kKeep, &handle), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICondHandleCreate(test::model_of(s), 0, kKeep, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICondHandleGetCondPtr(nullptr, &word), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICondHandleGetCondPtr(new_handle(test::model_of(s)), nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Condition, UnknownFlagIs107000) {
  begin(s);
  aclmdlRICondHandle handle = nullptr;
  const auto flag = static_cast<aclmdlRICondHandleFlag>(2);
  EXPECT_EQ(aclmdlRICondHandleCreate(test::model_of(s), 0, flag, &handle), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Condition, T229_ModelThatIsNotCapturingIs107000) {
  aclmdlRICondHandle handle = nullptr;
  EXPECT_EQ(aclmdlRICondHandleCreate(capture([] {}), 0, kKeep, &handle), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Condition, ModelThatIsBuiltIs207000) {
  aclmdlRI built = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  aclmdlRICondHandle handle = nullptr;
  EXPECT_EQ(aclmdlRICondHandleCreate(built, 0, kKeep, &handle), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
}

TEST_F(Condition, WordIsZeroAtFirst) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1, 7);
  const RelaxedThread relaxed;
  std::uint64_t value = 1;
  EXPECT_EQ(aclrtMemcpy(&value, 8, task.word, 8, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(value, 0u);
}

TEST_F(Condition, HandleOfADestroyedModelIs107017) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  std::uint64_t* word = nullptr;
  EXPECT_EQ(aclmdlRICondHandleGetCondPtr(task.handle, &word), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIDestroy(task.bodies[0]), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Condition, T230_IfWithOneBody) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  capture_counting_bodies(task);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 1), 1);
  EXPECT_EQ(outcome(model, task, 0), 0);
  EXPECT_EQ(outcome(model, task, std::uint64_t{1} << 40), 1);
}

TEST_F(Condition, T231_IfWithTwoBodies) {
  begin(s);
  const Conditional task = conditional(s, kIf, 2);
  capture_counting_bodies(task);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 1), 1);
  EXPECT_EQ(outcome(model, task, 0), 10);
}

TEST_F(Condition, T233_WhileStartsFromTheDefaultEachTime) {
  begin(s);
  const Conditional task = conditional(s, kWhile, 1, 3, kAssign);
  capture_body(task.bodies[0], side, [&] {
    EXPECT_EQ(increment(cell, side), 0);
    decrement(task, side);
  });
  aclmdlRI model = end(s);
  run(model, s);
  EXPECT_EQ(cell.value(), 3);
  run(model, s);
  EXPECT_EQ(cell.value(), 6);
}

TEST_F(Condition, WhileIsTestedBeforeItsFirstPass) {
  begin(s);
  const Conditional task = conditional(s, kWhile, 1);
  capture_counting_bodies(task);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 0), 0);
}

TEST_F(Condition, T234_SwitchChoosesByNumber) {
  begin(s);
  const Conditional task = conditional(s, kSwitch, 3);
  capture_counting_bodies(task);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 0), 1);
  EXPECT_EQ(outcome(model, task, 1), 10);
  EXPECT_EQ(outcome(model, task, 2), 100);
  EXPECT_EQ(outcome(model, task, 3), 0);
  EXPECT_EQ(outcome(model, task, std::uint64_t{1} << 40), 0);
}

TEST_F(Condition, T235_NestedIfs) {
  begin(s);
  const Conditional outer = conditional(s, kIf, 2);
  Conditional inner;
  capture_body(outer.bodies[0], side, [&] {
    inner = conditional(side, kIf, 2);
    aclrtStream third = new_stream();
    capture_body(inner.bodies[0], third, [&] { EXPECT_EQ(increment(cell, third, 1), 0); });
    capture_body(inner.bodies[1], third, [&] { EXPECT_EQ(increment(cell, third, 10), 0); });
  });
  capture_body(outer.bodies[1], side, [&] { EXPECT_EQ(increment(cell, side, 100), 0); });
  aclmdlRI model = end(s);
  for (const std::uint64_t value : {0, 1}) {
    set(inner, value);
    EXPECT_EQ(outcome(model, outer, 1), value ? 1 : 10);
    EXPECT_EQ(outcome(model, outer, 0), 100);
  }
}

TEST_F(Condition, WhileInAWhile) {
  begin(s);
  const Conditional outer = conditional(s, kWhile, 1, 3, kAssign);
  capture_body(outer.bodies[0], side, [&] {
    Conditional inner;
    inner.handle = new_handle(test::model_of(side));
    ASSERT_EQ(aclmdlRICondHandleGetCondPtr(inner.handle, &inner.word), 0);
    EXPECT_EQ(aclrtValueWrite(inner.word, 2, 0, side), 0);
    inner.bodies.resize(1);
    ASSERT_EQ(add(inner.handle, kWhile, inner.bodies, side), 0);
    aclrtStream third = new_stream();
    capture_body(inner.bodies[0], third, [&] {
      EXPECT_EQ(increment(cell, third), 0);
      decrement(inner, third);
    });
    decrement(outer, side);
  });
  run(end(s), s);
  EXPECT_EQ(cell.value(), 6);
}

TEST_F(Condition, TasksAroundItKeepTheirOrder) {
  Cell before, after;
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(test::add(cell, 0, before, s), 0);
  const Conditional task = conditional(s, kIf, 1, 1, kAssign);
  capture_counting_bodies(task);
  EXPECT_EQ(test::add(cell, 0, after, s), 0);
  aclmdlRI model = end(s);
  for (int launch = 0; launch < 3; ++launch) execute(model, s);
  sync(s);
  EXPECT_EQ(before.value(), 5);
  EXPECT_EQ(after.value(), 6);
}

TEST_F(Condition, WordIsReadWhenTheTasksBeforeItAreDone) {
  Word flag(0);
  begin(s);
  const Conditional task = conditional(s, kIf, 2);
  capture_counting_bodies(task);
  aclmdlRI model = end(s);
  set(task, 1);
  BlockedStream gate(side);
  EXPECT_EQ(aclrtMemcpyAsync(task.word, 8, flag.address(), 8, ACL_MEMCPY_DEVICE_TO_DEVICE, side), 0);
  order(side, s);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  gate.release();
  sync(s);
  EXPECT_EQ(cell.value(), 10);
}

TEST_F(Condition, TwoOfThemByOneBoolAsTorchNpuDoes) {
  Word predicate;
  begin(s);
  std::vector<Conditional> tasks;
  for (int branch = 0; branch < 2; ++branch) {
    Conditional task;
    task.handle = new_handle(test::model_of(s), 0, kAssign);
    ASSERT_EQ(aclmdlRICondHandleGetCondPtr(task.handle, &task.word), 0);
    EXPECT_EQ(aclrtMemsetAsync(task.word, 8, 0, 8, s), 0);
    auto* byte = static_cast<std::uint8_t*>(predicate.address()) + branch;
    EXPECT_EQ(aclrtMemcpyAsync(task.word, 1, byte, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
    task.bodies.resize(1);
    ASSERT_EQ(add(task.handle, kIf, task.bodies, s), 0);
    capture_body(task.bodies[0], side, [&] { EXPECT_EQ(increment(cell, side, branch ? 10.0F : 1.0F), 0); });
    tasks.push_back(task);
  }
  aclmdlRI model = end(s);
  predicate.set(0x01);  // then
  run(model, s);
  EXPECT_EQ(cell.value(), 1);
  predicate.set(0x100);  // else
  run(model, s);
  EXPECT_EQ(cell.value(), 11);
}

TEST_F(Condition, OnAForkedBranch) {
  Cell other;
  begin(s);
  aclrtStream branch = new_stream();
  order(s, branch);
  const Conditional task = conditional(branch, kIf, 1);
  capture_counting_bodies(task);
  EXPECT_EQ(increment(other, s), 0);
  order(branch, s);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 1), 1);
  EXPECT_EQ(outcome(model, task, 0), 0);
  EXPECT_EQ(other.value(), 2);
}

TEST_F(Condition, T237_WrongArguments) {
  begin(s);
  aclmdlRICondHandle handle = new_handle(test::model_of(s));
  std::vector<aclmdlRI> one(1), three(3), none;
  EXPECT_EQ(add(handle, kIf, one, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(add(handle, kIf, one, s, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, static_cast<aclmdlRICondTaskType>(3), one, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, kIf, three, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIAddCondTask({handle, kSwitch, 0, one.data()}, s, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIAddCondTask({handle, kSwitch, UINT32_MAX, one.data()}, s, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIAddCondTask({handle, kIf, 1, nullptr}, s, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIAddCondTask({nullptr, kIf, 1, one.data()}, s, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, kWhile, three, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, kIf, one, s), 0);
  EXPECT_EQ(add(handle, kIf, one, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Condition, T238_StreamThatIsNotCapturingIs107029) {
  begin(s);
  std::vector<aclmdlRI> one(1);
  EXPECT_EQ(add(new_handle(test::model_of(s)), kIf, one, side), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
}

TEST_F(Condition, T239_HandleOfAnotherModelIs107000) {
  begin(s);
  begin(side);
  std::vector<aclmdlRI> one(1);
  EXPECT_EQ(add(new_handle(test::model_of(s)), kIf, one, side), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Condition, T245_DefaultWinsOverAHostWrite) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1, 0, kAssign);
  capture_counting_bodies(task);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 1), 0);
}

TEST_F(Condition, DefaultIsWrittenInTheOrderOfTheStream) {
  begin(s);
  const Conditional task = conditional(s, kWhile, 1, 2, kAssign);
  capture_body(task.bodies[0], side, [&] {
    EXPECT_EQ(increment(cell, side), 0);
    decrement(task, side);
  });
  aclmdlRI model = end(s);
  for (int launch = 0; launch < 20; ++launch) execute(model, s);
  sync(s);
  EXPECT_EQ(cell.value(), 40);
}

TEST_F(Condition, T246_ModesOfParentAndBodyMayDiffer) {
  begin(s, kGlobal);
  const Conditional task = conditional(s, kSwitch, 2);
  capture_body(
      task.bodies[0], side, [&] { EXPECT_EQ(increment(cell, side), 0); }, kThreadLocal);
  capture_body(
      task.bodies[1], side, [&] { EXPECT_EQ(increment(cell, side, 10), 0); }, kRelaxed);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 0), 1);
  EXPECT_EQ(outcome(model, task, 1), 10);
}

TEST_F(Condition, DestroyWaitsForABodyThatRuns) {
  begin(s);
  const Conditional task = conditional(s, kWhile, 1, 50, kAssign);
  capture_body(task.bodies[0], side, [&] {
    EXPECT_EQ(increment(cell, side), 0);
    decrement(task, side);
  });
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  execute(model, s);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  EXPECT_EQ(cell.value(), 50);
}

// Sub-models

TEST_F(SubModel, T241_CaptureIntoAnOrdinaryModelIs107000) {
  aclmdlRI model = capture([] {});
  EXPECT_EQ(aclmdlRICaptureToModelRIBegin(s, model, kGlobal), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(SubModel, NullsAre100000) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  EXPECT_EQ(aclmdlRICaptureToModelRIBegin(nullptr, task.bodies[0], kGlobal), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureToModelRIBegin(side, nullptr, kGlobal), ACL_ERROR_INVALID_PARAM);
}

TEST_F(SubModel, StreamThatIsCapturingIs107027) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  EXPECT_EQ(aclmdlRICaptureToModelRIBegin(s, task.bodies[0], kGlobal), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(SubModel, T242_CaptureTwiceIs107026) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  capture_body(task.bodies[0], side, [] {});
  EXPECT_EQ(aclmdlRICaptureToModelRIBegin(side, task.bodies[0], kGlobal), ACL_ERROR_RT_MODEL_CAPTURED);
}

TEST_F(SubModel, T243_EndNeedsNoPlaceForTheModel) {
  begin(s);
  const Conditional task = conditional(s, kIf, 2);
  ASSERT_EQ(aclmdlRICaptureToModelRIBegin(side, task.bodies[0], kGlobal), 0);
  EXPECT_EQ(test::model_of(side), task.bodies[0]);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  ASSERT_EQ(aclmdlRICaptureToModelRIBegin(side, task.bodies[1], kGlobal), 0);
  aclmdlRI body = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(side, &body), 0);
  EXPECT_EQ(body, task.bodies[1]);
}

TEST_F(SubModel, BodyThatIsNeverCapturedIsEmpty) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 1), 0);
}

TEST_F(SubModel, ParentCannotEndBeforeItsBodies) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  ASSERT_EQ(aclmdlRICaptureToModelRIBegin(side, task.bodies[0], kGlobal), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING);
  EXPECT_EQ(status_of(side), kNone);
}

TEST_F(SubModel, BodyThatFailedSpoilsTheParent) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  ASSERT_EQ(aclmdlRICaptureToModelRIBegin(side, task.bodies[0], kGlobal), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(side), 0);
  EXPECT_EQ(failed_end(side), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(SubModel, ForksAndJoinsItsOwnStreams) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  aclrtStream third = new_stream();
  Cell other;
  capture_body(task.bodies[0], side, [&] {
    order(side, third);
    EXPECT_EQ(increment(other, third), 0);
    EXPECT_EQ(increment(cell, side), 0);
    order(third, side);
  });
  aclmdlRI model = end(s);
  EXPECT_EQ(outcome(model, task, 1), 1);
  EXPECT_EQ(other.value(), 1);
}

TEST_F(SubModel, LivesAndRunsWithItsParentOnly) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  aclmdlRI body = task.bodies[0];
  capture_body(body, side, [] {});
  aclmdlRI model = end(s);
  EXPECT_NE(model, body);
  std::uint32_t number = 0;
  EXPECT_EQ(aclmdlRIExecuteAsync(body, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIExecute(body, -1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroy(body), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIAbort(body), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIUpdate(body), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIGetStreams(body, nullptr, &number), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(
                body, [](void*) {}, nullptr),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(SubModel, ExternalFlagIs207000) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  aclrtEvent event = new_event();
  capture_body(task.bodies[0], side, [&] {
    EXPECT_EQ(aclrtRecordEventWithFlag(event, side, ACL_EVENT_RECORD_EXTERNAL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    EXPECT_EQ(aclrtStreamWaitEventWithFlag(side, event, 0, ACL_EVENT_WAIT_EXTERNAL), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  });
}

TEST_F(SubModel, HostFunctionsAndSignalsRunInABody) {
  begin(s);
  const Conditional task = conditional(s, kIf, 1);
  aclrtEvent gate = new_external_event();
  int calls = 0;
  capture_body(task.bodies[0], side, [&] {
    EXPECT_EQ(aclrtStreamWaitEvent(side, gate), 0);
    EXPECT_EQ(aclrtResetEvent(gate, side), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  side, [](void* count) { ++*static_cast<int*>(count); }, &calls),
              0);
    EXPECT_EQ(increment(cell, side), 0);
  });
  aclmdlRI model = end(s);
  set(task, 1);
  execute(model, s);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(cell.value(), 1);
}

}  // namespace
}  // namespace aclvk::test
