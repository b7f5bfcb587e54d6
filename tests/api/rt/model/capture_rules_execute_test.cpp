// Running, naming and destroying models: answers that the catalogue does not ask for (capture-semantics 10, 11, 13).
#include <string>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// `model` is cell += 1.
template <typename Base>
class ExecuteRules : public Base {
 protected:
  void SetUp() override {
    Base::SetUp();
    model = this->capture([&] { EXPECT_EQ(increment(cell, this->s), 0); });
    ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  }
  void TearDown() override {
    EXPECT_EQ(aclmdlRIDestroy(built), 0) << aclGetRecentErrMsg();
    Base::TearDown();
  }
  static std::string name_of(aclmdlRI named, std::size_t room) {
    std::vector<char> name(room + 1, '#');
    EXPECT_EQ(aclmdlRIGetName(named, static_cast<std::uint32_t>(room), name.data()), 0);
    EXPECT_EQ(name[room], '#') << "nothing is written behind the room";
    return name.data();
  }

  Cell cell;
  aclmdlRI model = nullptr;
  aclmdlRI built = nullptr;
};

using RunRules = ExecuteRules<CaptureTest>;
using StrictRunRules = ExecuteRules<StrictCaptureTest>;
using BuildRules = ExecuteRules<CaptureTest>;

TEST_F(RunRules, ForkedStreamIs107027) {
  begin(s);
  order(s, side);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, side), ACL_ERROR_RT_STREAM_CAPTURED);
  order(side, s);
  end(s);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(RunRules, BoundStreamIs107000) {
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, side), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(StrictRunRules, TimeIsReportedBeforeTheKindOfModel) {
  EXPECT_EQ(aclmdlRIExecute(model, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIExecute(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIExecute(&cell, -1), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(cell.value(), 0);
}

TEST_F(RunRules, ModelRunsWhileItsOriginIsCapturedAgain) {
  begin(s, kRelaxed);
  run(model, side);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(RunRules, BlockedModelDoesNotHoldAnother) {
  Word word;
  aclmdlRI blocked = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(cell, s, 10), 0);
  });
  execute(blocked, s);
  run(model, side);
  EXPECT_EQ(cell.value(), 1);
  word.set(1);
  sync(s);
  EXPECT_EQ(cell.value(), 11);
}

TEST_F(RunRules, ManyHostFunctionsRunInOrderEachTime) {
  struct Order {
    int next = 0;
    int wrong = 0;
  } order_of_calls;
  constexpr int kFunctions = 10000;
  struct Call {
    Order* order;
    int number;
  };
  std::vector<Call> calls;
  for (int i = 0; i < kFunctions; ++i) calls.push_back({&order_of_calls, i});
  const auto note = [](void* user) {
    const auto* call = static_cast<Call*>(user);
    call->order->wrong += call->order->next != call->number ? 1 : 0;
    call->order->next = call->number + 1;
  };
  aclmdlRI many = capture([&] {
    for (Call& call : calls) EXPECT_EQ(aclrtLaunchHostFunc(s, note, &call), 0);
  });
  for (int i = 0; i < 5; ++i) {
    order_of_calls.next = 0;
    run(many, s);
    EXPECT_EQ(order_of_calls.next, kFunctions);
  }
  EXPECT_EQ(order_of_calls.wrong, 0);
}

TEST_F(RunRules, RelaxedCaptureOutlivesTheThreadThatBeganIt) {
  on_device_thread([&] { begin(s, kRelaxed); });
  EXPECT_EQ(increment(cell, s), 0);
  run(end(s), s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(RunRules, NamesAreCutToTheRoomAndAlwaysEnd) {
  ASSERT_EQ(aclmdlRISetName(model, "decode"), 0);
  EXPECT_EQ(name_of(model, 7), "decode");
  EXPECT_EQ(name_of(model, 6), "decod");
  EXPECT_EQ(name_of(model, 1), "");
  ASSERT_EQ(aclmdlRISetName(model, ""), 0);
  EXPECT_EQ(name_of(model, 64), "");
  ASSERT_EQ(aclmdlRISetName(model, std::string(600, 'n').c_str()), 0);
  EXPECT_EQ(name_of(model, 1024), std::string(512, 'n'));
}

TEST_F(RunRules, StaleModelIs107017Everywhere) {
  aclmdlRI stale = nullptr;
  std::uint32_t id = 0;
  char name[8] = {};
  ASSERT_EQ(aclmdlRIBuildBegin(&stale, 0), 0);
  ASSERT_EQ(aclmdlRIDestroy(stale), 0);
  EXPECT_EQ(aclmdlRIGetId(stale, &id), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRISetName(stale, "x"), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIGetName(stale, 8, name), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIBindStream(stale, side, 0), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIUnbindStream(stale, side), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIEndTask(stale, side), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIBuildEnd(stale, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIDestroyRegisterCallback(
                stale, [](void*) {}, nullptr),
            ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(RunRules, IdsDifferAndAreKnownWhileCapturing) {
  std::uint32_t first = 0;
  std::uint32_t during = 0;
  std::uint32_t after = 0;
  ASSERT_EQ(aclmdlRIGetId(model, &first), 0);
  begin(s);
  ASSERT_EQ(aclmdlRIGetId(model_of(s), &during), 0);
  ASSERT_EQ(aclmdlRIGetId(end(s), &after), 0);
  EXPECT_EQ(during, after);
  EXPECT_NE(first, during);
}

TEST_F(RunRules, DestroyCallbackSeesTheModelStillAlive) {
  struct Seen {
    aclmdlRI model;
    aclError code = -1;
  } seen{built};
  ASSERT_EQ(aclmdlRIDestroyRegisterCallback(
                built,
                [](void* user) {
                  auto* asked = static_cast<Seen*>(user);
                  std::uint32_t id = 0;
                  asked->code = aclmdlRIGetId(asked->model, &id);
                },
                &seen),
            0);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
  EXPECT_EQ(seen.code, 0);
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
}

TEST_F(RunRules, UnregisteredCallbackIsNotCalled) {
  int calls = 0;
  const auto count = [](void* counter) { ++*static_cast<int*>(counter); };
  ASSERT_EQ(aclmdlRIDestroyRegisterCallback(built, count, &calls), 0);
  ASSERT_EQ(aclmdlRIDestroyUnregisterCallback(built, count), 0);
  EXPECT_EQ(aclmdlRIDestroyUnregisterCallback(built, count), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroy(built), 0);
  EXPECT_EQ(calls, 0);
  ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
}

// Built models

TEST_F(BuildRules, T202_CapturedModelIs107000ForEachStep) {
  begin(s);
  for (aclmdlRI captured : {model, model_of(s)}) {
    EXPECT_EQ(aclmdlRIBindStream(captured, side, 0), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclmdlRIUnbindStream(captured, side), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclmdlRIEndTask(captured, side), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclmdlRIBuildEnd(captured, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_F(BuildRules, NullStreamIsTheDefaultStream) {
  EXPECT_EQ(aclmdlRIEndTask(built, nullptr), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclmdlRIUnbindStream(built, nullptr), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRIEndTask(nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIUnbindStream(nullptr, side), ACL_ERROR_INVALID_PARAM);
}

TEST_F(BuildRules, StreamOfAnotherModelIsNotBoundToThisOne) {
  aclmdlRI second = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&second, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  EXPECT_EQ(aclmdlRIBindStream(second, side, 0), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRIEndTask(second, side), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(aclmdlRIUnbindStream(second, side), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclmdlRIDestroy(second), 0);
}

TEST_F(BuildRules, BoundStreamJoinsNoCapture) {
  aclrtEvent event = new_event();
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  begin(s);
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(status_of(side), kNone);
}

TEST_F(BuildRules, UnfinishedModelIs507011ForBothKindsOfRun) {
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  ASSERT_EQ(aclmdlRIEndTask(built, side), 0);
  EXPECT_EQ(aclmdlRIExecuteAsync(built, s), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_EQ(aclmdlRIExecute(built, -1), ACL_ERROR_RT_MODEL_EXECUTE);
  ASSERT_EQ(aclmdlRIBuildEnd(built, nullptr), 0);
  EXPECT_EQ(aclmdlRIExecute(built, 30000), 0);
}

}  // namespace
}  // namespace aclvk::test
