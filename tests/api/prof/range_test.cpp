// Stamps, ranges, marks and steps of acl_prof.h, and aclrtProfTrace.
#include <cstring>
#include <functional>
#include <thread>

#include "support/profile_fixture.hpp"

namespace aclvk::test {
namespace {

class ProfileRange : public ProfileTest {
 protected:
  static void* stamp(const std::string& text) {
    void* made = aclprofCreateStamp();
    EXPECT_NE(made, nullptr);
    EXPECT_EQ(aclprofSetStampTraceMessage(made, text.c_str(), static_cast<std::uint32_t>(text.size())), 0);
    return made;
  }
};

TEST_F(ProfileRange, NullIs100000) {
  void* good = stamp("x");
  std::uint32_t id = 0;
  EXPECT_EQ(aclprofPush(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofMark(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofRangeStart(nullptr, &id), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofRangeStart(good, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofSetStampTraceMessage(nullptr, "x", 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofSetStampTraceMessage(good, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofSetStampTraceMessage(good, "x", 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofMarkEx(nullptr, 1, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofMarkEx("x", 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofRangePushEx(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofGetStepTimestamp(nullptr, ACL_STEP_START, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofStr2Id(nullptr), UINT64_MAX);
  aclprofDestroyStamp(nullptr);
  aclprofDestroyStepInfo(nullptr);
}

TEST_F(ProfileRange, OtherPointersAre100000) {
  void* gone = stamp("x");
  aclprofDestroyStamp(gone);
  for (void* pointer : {gone, static_cast<void*>(s), reinterpret_cast<void*>(0x1234)}) {
    EXPECT_EQ(aclprofPush(pointer), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclprofMark(pointer), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclprofGetStepTimestamp(static_cast<aclprofStepInfo*>(pointer), ACL_STEP_START, s),
              ACL_ERROR_INVALID_PARAM);
    aclprofDestroyStamp(pointer);
  }
}

TEST_F(ProfileRange, WhatIsNotOpenCannotBeClosed) {
  EXPECT_EQ(aclprofPop(), ACL_ERROR_PROFILING_FAILURE);
  EXPECT_EQ(aclprofRangePop(), ACL_ERROR_PROFILING_FAILURE);
  EXPECT_EQ(aclprofRangeStop(77), ACL_ERROR_INVALID_PARAM);
  std::uint32_t id = 0;
  EXPECT_EQ(aclprofRangeStart(stamp("x"), &id), 0);
  EXPECT_EQ(aclprofRangeStop(id), 0);
  EXPECT_EQ(aclprofRangeStop(id), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ProfileRange, NestedOnesNestInTheTrace) {
  void* outer = stamp("outer");
  void* inner = stamp("inner");
  const Json events = profile([&] {
    EXPECT_EQ(aclprofPush(outer), 0);
    EXPECT_EQ(aclprofPush(inner), 0);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_EQ(aclprofPop(), 0);
    EXPECT_EQ(aclprofPop(), 0);
  });
  expect_slices_nest(events);
  const auto outside = find(events, "X", "range", "outer");
  const auto inside = find(events, "X", "range", "inner");
  const auto call = find(events, "X", "api", "aclrtSynchronizeStream");
  ASSERT_EQ(outside.size(), 1u);
  ASSERT_EQ(inside.size(), 1u);
  ASSERT_EQ(call.size(), 1u);
  EXPECT_LT(outside[0].begin(), inside[0].begin());
  EXPECT_GT(outside[0].end(), inside[0].end());
  EXPECT_LT(inside[0].begin(), call[0].begin());
  EXPECT_GE(inside[0].end(), call[0].end());
  EXPECT_EQ(inside[0].line(), call[0].line());
}

TEST_F(ProfileRange, OneMayBeginBeforeTheProfileAndEndInIt) {
  EXPECT_EQ(aclprofPush(stamp("early")), 0);
  const Json events = profile([&] { EXPECT_EQ(aclprofPop(), 0); });
  EXPECT_EQ(find(events, "X", "range", "early").size(), 1u);
}

/// Does something when its thread ends.
struct AtEnd {
  ~AtEnd() {
    if (work) work();
  }
  std::function<void()> work;
};

TEST_F(ProfileRange, OneMayBeOpenedByWhatOutlivesTheThread) {
  void* late = stamp("late");
  aclError pushed = -1;
  aclError popped = -1;
  const Json events = profile([&] {
    std::thread([&] {
      static thread_local AtEnd end;  // older than what the library has for the thread, so it goes later
      end.work = [&] {
        pushed = aclprofPush(late);
        popped = aclprofPop();
      };
      EXPECT_EQ(aclprofPush(late), 0);
      EXPECT_EQ(aclprofPop(), 0);
      EXPECT_EQ(aclprofPush(late), 0) << "and never closed";
    }).join();
  });
  EXPECT_EQ(pushed, 0);
  EXPECT_EQ(popped, 0);
  EXPECT_EQ(find(events, "X", "range", "late").size(), 2u);
}

TEST_F(ProfileRange, OneMayEndOnAnotherThread) {
  const Json events = profile([&] {
    std::uint32_t id = 0;
    EXPECT_EQ(aclprofRangeStart(stamp("wide"), &id), 0);
    std::thread([id] { EXPECT_EQ(aclprofRangeStop(id), 0); }).join();
  });
  const auto begin = find(events, "b", "range", "wide");
  const auto end = find(events, "e", "range", "wide");
  ASSERT_EQ(begin.size(), 1u);
  ASSERT_EQ(end.size(), 1u);
  EXPECT_EQ(begin[0].json.at("id"), end[0].json.at("id"));
  EXPECT_LE(begin[0].begin(), end[0].begin());
}

TEST_F(ProfileRange, MarksAreMoments) {
  const Json events = profile([&] { EXPECT_EQ(aclprofMark(stamp("here")), 0); });
  EXPECT_EQ(find(events, "i", "mark", "here").size(), 1u);
}

TEST_F(ProfileRange, AMarkOfAStreamStandsBetweenItsTasks) {
  const Cell cell;
  const Json events = profile([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclprofMarkEx("between and not this", 7, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    sync(s);
  });
  const auto marks = find(events, "i", "mark", "between");
  const auto tasks = find(events, "X", "task");
  ASSERT_EQ(marks.size(), 2u) << "on the thread and on the stream";
  ASSERT_EQ(tasks.size(), 2u);
  const TraceEvent& mark = marks[0].line() == tasks[0].line() ? marks[0] : marks[1];
  EXPECT_EQ(mark.line(), tasks[0].line());
  EXPECT_GE(mark.begin(), tasks[0].end() - 0.0005);
  EXPECT_LE(mark.begin(), tasks[1].begin() + 0.0005);
}

TEST_F(ProfileRange, AMarkOfACapturedStreamIsOfEachReplay) {
  const Cell cell;
  char data[] = "tracing";
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclprofMarkEx("inside", 6, s), 0);
    EXPECT_EQ(aclrtProfTrace(data, 7, s), 0);
  });
  run(model, s);  // does nothing while there is no profile
  const Json events = profile([&] {
    for (int i = 0; i < 3; ++i) run(model, s);
  });
  EXPECT_EQ(cell.value(), 4);
  EXPECT_EQ(find(events, "i", "mark", "inside").size(), 3u);
}

TEST_F(ProfileRange, AMarkInATaskGroupIsNoneOfItsTasks) {
  const Cell cell;
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclprofMarkEx("inside", 6, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0) << aclGetRecentErrMsg();
  });
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(increment(cell, side, 5), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0) << aclGetRecentErrMsg();
  sync(side);
  run(model, s);
  EXPECT_EQ(cell.value(), 5);
}

TEST_F(ProfileRange, MarksAreChecked) {
  char data[8] = {};
  EXPECT_EQ(aclrtProfTrace(nullptr, 8, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProfTrace(data, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtProfTrace(data, -1, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtProfTrace(data, 8, reinterpret_cast<aclrtStream>(0x1234)), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtProfTrace(data, 8, nullptr), 0);
  EXPECT_EQ(aclprofMarkEx("x", 1, reinterpret_cast<aclrtStream>(0x1234)), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclprofMarkEx("x", 1, nullptr), 0);
  aclrtContext own = nullptr;
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), 0);
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtProfTrace(data, 8, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclprofMarkEx("x", 1, s), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(other), 0);
  EXPECT_EQ(aclrtSetCurrentContext(own), 0);
}

TEST_F(ProfileRange, TextsHaveNumbers) {
  const std::uint64_t first = aclprofStr2Id("MatMul");
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, UINT64_MAX);
  EXPECT_EQ(aclprofStr2Id("MatMul"), first);
  EXPECT_NE(aclprofStr2Id("Add"), first);
}

TEST_F(ProfileRange, OnesWithAttributesShowThem) {
  aclprofTensor tensor{};
  tensor.dataType = ACL_FLOAT16;
  tensor.shapeDim = 2;
  tensor.shape[0] = 4;
  tensor.shape[1] = 16;
  aclprofTensorInfo info{};
  info.opNameId = aclprofStr2Id("layer0/matmul");
  info.opTypeId = aclprofStr2Id("MatMul");
  info.tensorNum = 1;
  info.tensors = &tensor;
  aclprofEventAttributes attributes{};
  attributes.version = ACL_PROF_EVENT_ATTR_VERSION;
  attributes.size = sizeof(attributes);
  attributes.messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO;
  attributes.message.tensorInfo = &info;
  const Json events = profile([&] {
    EXPECT_EQ(aclprofRangePushEx(&attributes), 0);
    EXPECT_EQ(aclprofRangePop(), 0);
  });
  const auto range = find(events, "X", "range", "layer0/matmul");
  ASSERT_EQ(range.size(), 1u);
  EXPECT_EQ(range[0].json.at("args").at("type"), "MatMul");
  EXPECT_EQ(range[0].json.at("args").at("tensors").at(0).at("shape"), Json::array({4, 16}));

  aclprofEventAttributes bad = attributes;
  bad.version = 2;
  EXPECT_EQ(aclprofRangePushEx(&bad), ACL_ERROR_INVALID_PARAM);
  bad = attributes;
  bad.size = 1;
  EXPECT_EQ(aclprofRangePushEx(&bad), ACL_ERROR_INVALID_PARAM);
  bad = attributes;
  bad.messageType = 7;
  EXPECT_EQ(aclprofRangePushEx(&bad), ACL_ERROR_INVALID_PARAM);
  bad = attributes;
  bad.message.tensorInfo = nullptr;
  EXPECT_EQ(aclprofRangePushEx(&bad), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ProfileRange, StepsAreOnThreadAndStream) {
  const Cell cell;
  aclprofStepInfo* step = aclprofCreateStepInfo();
  ASSERT_NE(step, nullptr);
  EXPECT_EQ(aclprofGetStepTimestamp(step, ACL_STEP_END, s), ACL_ERROR_PROFILING_FAILURE) << "it has not begun";
  EXPECT_EQ(aclprofGetStepTimestamp(step, static_cast<aclprofStepTag>(2), s), ACL_ERROR_INVALID_PARAM);
  const Json events = profile([&] {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(aclprofGetStepTimestamp(step, ACL_STEP_START, s), 0);
      EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(aclprofGetStepTimestamp(step, ACL_STEP_END, s), 0);
    }
    sync(s);
  });
  EXPECT_EQ(find(events, "b", "step").size(), 2u);
  EXPECT_EQ(find(events, "b", "step", "step 2").size(), 1u);
  EXPECT_EQ(find(events, "i", "mark", "step 1 begins").size(), 1u);
  EXPECT_EQ(find(events, "i", "mark", "step 1 ends").size(), 1u);
  aclprofDestroyStepInfo(step);
}

}  // namespace
}  // namespace aclvk::test
