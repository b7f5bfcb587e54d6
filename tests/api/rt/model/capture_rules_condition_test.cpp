// Conditional tasks and their bodies: the order of checks, and what becomes of them with their parent
// (capture-semantics 15).
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr auto kIf = ACL_MODEL_RI_COND_TYPE_IF;
constexpr auto kWhile = ACL_MODEL_RI_COND_TYPE_WHILE;

/// Stream s is being captured and has a condition; `body` is that of a conditional task, once it has one.
class ConditionRules : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    begin(s);
    parent = model_of(s);
    ASSERT_EQ(create(parent, &handle), 0);
  }
  static aclError create(aclmdlRI model, aclmdlRICondHandle* made) {
    return aclmdlRICondHandleCreate(model, 0, static_cast<aclmdlRICondHandleFlag>(0), made);
  }
  static aclError add(aclmdlRICondHandle condition, int type, std::uint32_t size, aclmdlRI* bodies, aclrtStream stream,
                      std::uint32_t flags = 0) {
    return aclmdlRIAddCondTask({condition, static_cast<aclmdlRICondTaskType>(type), size, bodies}, stream, flags);
  }
  void add_task() { ASSERT_EQ(add(handle, kIf, 1, &body, s), 0) << aclGetRecentErrMsg(); }
  static aclError begin_body(aclrtStream stream, aclmdlRI model, int mode = kGlobal) {
    return aclmdlRICaptureToModelRIBegin(stream, model, static_cast<aclmdlRICaptureMode>(mode));
  }
  /// Neither the condition nor the body are there any more.
  void expect_stale() {
    std::uint64_t* word = nullptr;
    std::uint32_t id = 0;
    EXPECT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(begin_body(side, body), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclmdlRIGetId(body, &id), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(aclmdlRIDestroy(body), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_EQ(status_of(side), kNone);
  }
  void poison_parent() {
    ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), 4, 0, 4, s), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    aclrtTaskGrp group = nullptr;
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  }

  Cell cell;
  aclmdlRI parent = nullptr;
  aclmdlRI body = nullptr;
  aclmdlRICondHandle handle = nullptr;
};

using BodyRules = ConditionRules;

TEST_F(ConditionRules, NullStreamIsReportedFirst) {
  EXPECT_EQ(add(nullptr, 3, 0, nullptr, nullptr, 1), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ConditionRules, WrongParametersAreReportedBeforeTheStream) {
  aclmdlRI bodies[2] = {};
  for (const auto& [type, size] : {std::pair{-1, 1U}, {3, 1U}, {0, 0U}, {0, 3U}, {1, 0U}, {1, 2U}, {2, 0U}}) {
    EXPECT_EQ(add(handle, type, size, bodies, side), ACL_ERROR_RT_PARAM_INVALID) << type << " " << size;
  }
  EXPECT_EQ(add(handle, kIf, 1, bodies, side, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(nullptr, kIf, 1, bodies, side), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, kIf, 1, nullptr, side), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, kIf, 1, bodies, side), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
}

TEST_F(ConditionRules, RefusedTaskLeavesTheArrayAloneAndTheHandleFree) {
  body = &cell;
  EXPECT_EQ(add(handle, kWhile, 2, &body, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(add(handle, kWhile, 1, &body, side), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(body, &cell);
  add_task();
}

TEST_F(ConditionRules, HandleDecidesOneTask) {
  add_task();
  aclmdlRI second = nullptr;
  EXPECT_EQ(add(handle, kIf, 1, &second, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(second, nullptr);
}

TEST_F(ConditionRules, GarbageHandleIs107017) {
  EXPECT_EQ(add(&cell, kIf, 1, &body, s), ACL_ERROR_RT_INVALID_HANDLE);
  std::uint64_t* word = nullptr;
  EXPECT_EQ(aclmdlRICondHandleGetCondPtr(&cell, &word), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(create(&cell, &handle), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ConditionRules, WordEndsWithTheModelAndNotBefore) {
  std::uint64_t* word = nullptr;
  ASSERT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), 0);
  EXPECT_EQ(aclrtFree(word), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("the word of a condition"), std::string::npos);
  const RelaxedThread relaxed;
  std::uint64_t value = 1;
  EXPECT_EQ(aclrtMemcpy(&value, 8, word, 8, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(value, 0U);
}

TEST_F(ConditionRules, BodyThatIsNotCapturingHasNoConditions) {
  add_task();
  aclmdlRICondHandle inner = nullptr;
  EXPECT_EQ(create(body, &inner), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(begin_body(side, body), 0);
  EXPECT_EQ(create(body, &inner), 0);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
}

TEST_F(ConditionRules, PoisonedCaptureStillTakesConditions) {
  poison_parent();
  add_task();
  EXPECT_EQ(begin_body(side, body), 0);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  expect_stale();
}

// Captures into bodies

TEST_F(BodyRules, BeginHasTheChecksOfAnOrdinaryOne) {
  add_task();
  aclrtStream own = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&own), 0);
  aclrtStream device_only = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&device_only, 0, ACL_STREAM_DEVICE_USE_ONLY), 0);
  EXPECT_EQ(begin_body(side, body, 3), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(begin_body(own, body), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(begin_body(device_only, body), ACL_ERROR_RT_INTERNAL_ERROR);
  EXPECT_EQ(begin_body(&cell, body), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(begin_body(side, parent), ACL_ERROR_RT_PARAM_INVALID);
  on_another_thread([&] { EXPECT_EQ(begin_body(side, body), ACL_ERROR_RT_CONTEXT_NULL); });
  EXPECT_EQ(status_of(side), kNone);
  EXPECT_EQ(aclrtDestroyStream(device_only), 0);
}

TEST_F(BodyRules, StreamsOfTheParentAre107027) {
  add_task();
  order(s, side);
  EXPECT_EQ(begin_body(s, body), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(begin_body(side, body), ACL_ERROR_RT_STREAM_CAPTURED);
  order(side, s);
}

TEST_F(BodyRules, BodyThatIsBeingCapturedIs107026) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  EXPECT_EQ(begin_body(new_stream(), body), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
}

// Its own conditions would be missing in the parent.
TEST_F(BodyRules, BodyOfACompleteParentIs107026) {
  add_task();
  end(s);
  EXPECT_EQ(begin_body(side, body), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(status_of(side), kNone);
}

TEST_F(BodyRules, BodyOfACompleteBodyIs107026) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  aclmdlRICondHandle inner = nullptr;
  aclmdlRI inmost = nullptr;
  ASSERT_EQ(create(body, &inner), 0);
  ASSERT_EQ(add(inner, kIf, 1, &inmost, side), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  EXPECT_EQ(begin_body(side, inmost), ACL_ERROR_RT_MODEL_CAPTURED);
}

TEST_F(BodyRules, InfoTellsTheBodyOnItsStreamsAndTheParentOnItsOwn) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  EXPECT_EQ(status_of(side), kActive);
  EXPECT_EQ(model_of(side), body);
  EXPECT_EQ(model_of(s), parent);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  EXPECT_EQ(model_of(side), nullptr);
}

TEST_F(BodyRules, EventOfTheParentIs107032AndSpoilsBoth) {
  add_task();
  aclrtEvent event = new_event();
  ASSERT_EQ(aclrtRecordEvent(event, s), 0);
  ASSERT_EQ(begin_body(side, body), 0);
  EXPECT_EQ(aclrtStreamWaitEvent(side, event), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(BodyRules, EndOnAnotherThreadIs107038) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  on_device_thread([&] { EXPECT_EQ(failed_end(side), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD); });
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(BodyRules, BodyCannotEndBeforeItsOwnBodies) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  aclmdlRICondHandle inner = nullptr;
  aclmdlRI inmost = nullptr;
  ASSERT_EQ(create(body, &inner), 0);
  ASSERT_EQ(add(inner, kIf, 1, &inmost, side), 0);
  aclrtStream third = new_stream();
  ASSERT_EQ(begin_body(third, inmost), 0);
  EXPECT_EQ(failed_end(side), ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING);
  EXPECT_EQ(status_of(third), kNone);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(BodyRules, OpenGroupIsReportedAfterAnUnfinishedBody) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING);
  EXPECT_EQ(aclmdlRICaptureEnd(side, nullptr), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  expect_stale();
}

TEST_F(BodyRules, DieWithAParentThatCouldNotEnd) {
  add_task();
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(failed_end(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  expect_stale();
}

TEST_F(BodyRules, DieWithAParentThatIsDestroyed) {
  add_task();
  aclmdlRI model = end(s);
  destroyed(model);
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  expect_stale();
}

TEST_F(BodyRules, HaveNamesIdsAndATraceOfTheirOwn) {
  add_task();
  ASSERT_EQ(begin_body(side, body), 0);
  EXPECT_EQ(increment(cell, side), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  end(s);
  std::uint32_t id = 0;
  ASSERT_EQ(aclmdlRIGetId(body, &id), 0);
  EXPECT_EQ(aclmdlRISetName(body, "then"), 0);
  EXPECT_EQ(aclmdlRIDebugPrint(body), 0);
  const std::string path = testing::TempDir() + "aclvk_body_" + std::to_string(getpid()) + ".json";
  ASSERT_EQ(aclmdlRIDebugJsonPrint(body, path.c_str(), 0), 0);
  const auto trace = nlohmann::json::parse(std::ifstream(path));
  std::remove(path.c_str());
  ASSERT_EQ(trace.size(), 1u);
  EXPECT_EQ(trace[0]["args"]["Model Id"], id);
}

}  // namespace
}  // namespace aclvk::test
