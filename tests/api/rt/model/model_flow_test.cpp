// Control flow in models that are built from streams: labels, switches, streams that start others (capture-semantics
// 13, capture-tests I).
#include <cstdint>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

/// A 32-bit value in device memory.
class Index {
 public:
  explicit Index(std::int32_t value = 0) {
    EXPECT_EQ(aclrtMalloc(&data_, 32, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    set(value);
  }
  ~Index() { EXPECT_EQ(aclrtFree(data_), 0); }
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  void* address() const { return data_; }
  void set(std::int32_t value) const {
    EXPECT_EQ(aclrtMemcpy(data_, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }

 private:
  void* data_ = nullptr;
};

/// A model of a head stream and two others that only start when a task says so.
class ModelFlow : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
    head = bound_stream(ACL_MODEL_STREAM_FLAG_HEAD);
    yes = bound_stream(ACL_MODEL_STREAM_FLAG_DEFAULT);
    no = bound_stream(ACL_MODEL_STREAM_FLAG_DEFAULT);
  }
  void TearDown() override {
    EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
    for (aclrtStream stream : bound_) EXPECT_EQ(aclrtDestroyStream(stream), 0);
    for (aclrtLabel label : labels_) EXPECT_EQ(aclrtDestroyLabel(label), 0);
    CaptureTest::TearDown();
  }
  aclrtStream bound_stream(std::uint32_t flag) {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT), 0);
    EXPECT_EQ(aclmdlRIBindStream(model, stream, flag), 0);
    return bound_.emplace_back(stream);
  }
  aclrtLabel new_label() {
    aclrtLabel label = nullptr;
    EXPECT_EQ(aclrtCreateLabel(&label), 0);
    return labels_.emplace_back(label);
  }
  static aclrtLabelList list_of(std::vector<aclrtLabel> labels) {
    aclrtLabelList list = nullptr;
    EXPECT_EQ(aclrtCreateLabelList(labels.data(), labels.size(), &list), 0);
    return list;
  }
  void finish(const std::vector<aclrtStream>& last) {
    for (aclrtStream stream : last) EXPECT_EQ(aclmdlRIEndTask(model, stream), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRIBuildEnd(model, nullptr), 0) << aclGetRecentErrMsg();
  }
  /// What a run adds to the cell.
  float outcome() {
    cell.set(0);
    EXPECT_EQ(aclmdlRIExecute(model, 30000), 0) << aclGetRecentErrMsg();
    return cell.value();
  }
  aclError switch_stream(aclrtCondition condition, aclrtStream to, aclrtCompareDataType type = ACL_RT_SWITCH_INT32) {
    return aclrtSwitchStream(left.address(), condition, right.address(), type, to, nullptr, head);
  }

  aclmdlRI model = nullptr;
  aclrtStream head = nullptr;
  aclrtStream yes = nullptr;
  aclrtStream no = nullptr;
  Cell cell;
  Index left, right;

 private:
  std::vector<aclrtStream> bound_;
  std::vector<aclrtLabel> labels_;
};

using Label = ModelFlow;
using SwitchStream = ModelFlow;
using ActiveStream = ModelFlow;

// Labels

TEST_F(Label, T205_JumpsToTheLabelThatTheValueNames) {
  aclrtLabel first = new_label(), second = new_label(), end = new_label();
  aclrtLabelList choices = list_of({first, second});
  aclrtLabelList out = list_of({end});
  const Index zero;
  EXPECT_EQ(aclrtSwitchLabelByIndex(left.address(), 2, choices, head), 0);
  EXPECT_EQ(aclrtSetLabel(first, head), 0);
  EXPECT_EQ(increment(cell, head, 1), 0);
  EXPECT_EQ(aclrtSwitchLabelByIndex(zero.address(), 1, out, head), 0);
  EXPECT_EQ(aclrtSetLabel(second, head), 0);
  EXPECT_EQ(increment(cell, head, 10), 0);
  EXPECT_EQ(aclrtSetLabel(end, head), 0);
  EXPECT_EQ(increment(cell, head, 100), 0);
  finish({head});
  EXPECT_EQ(outcome(), 101);
  left.set(1);
  EXPECT_EQ(outcome(), 110);
  left.set(7);
  EXPECT_EQ(outcome(), 110) << "a number behind the list means its last label";
  EXPECT_EQ(aclrtDestroyLabelList(choices), 0);
  EXPECT_EQ(aclrtDestroyLabelList(out), 0);
}

TEST_F(Label, JumpBackIsALoop) {
  aclrtLabel again = new_label(), end = new_label();
  aclrtLabelList list = list_of({again, again, again, again, again, end});
  EXPECT_EQ(aclrtSetLabel(again, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  add_to_word(left.address(), ACL_INT32, 1, head);
  EXPECT_EQ(aclrtSwitchLabelByIndex(left.address(), 6, list, head), 0);
  EXPECT_EQ(aclrtSetLabel(end, head), 0);
  finish({head});
  EXPECT_EQ(outcome(), 5);
  left.set(0);
  EXPECT_EQ(outcome(), 5);
  EXPECT_EQ(aclrtDestroyLabelList(list), 0);
}

// The second stream's decision does not wait for the work that the first one continues to submit.
TEST_F(Label, LoopGoesOnUntilAStreamBesideItEndsIt) {
  aclrtStream beside = bound_stream(ACL_MODEL_STREAM_FLAG_HEAD);
  aclrtLabel again = new_label(), end = new_label(), clear = new_label();
  aclrtLabelList loop = list_of({again, end});
  aclrtLabelList choices = list_of({clear});
  EXPECT_EQ(aclrtSetLabel(again, head), 0);
  EXPECT_EQ(increment(cell, head), 0);
  EXPECT_EQ(aclrtSwitchLabelByIndex(left.address(), 2, loop, head), 0);
  EXPECT_EQ(aclrtSetLabel(end, head), 0);
  EXPECT_EQ(aclrtSwitchLabelByIndex(right.address(), 1, choices, beside), 0);
  EXPECT_EQ(aclrtSetLabel(clear, beside), 0);
  EXPECT_EQ(aclrtMemsetAsync(left.address(), 4, 1, 4, beside), 0);
  finish({head, beside});
  EXPECT_GE(outcome(), 1);
  EXPECT_EQ(aclrtDestroyLabelList(loop), 0);
  EXPECT_EQ(aclrtDestroyLabelList(choices), 0);
}

TEST_F(Label, NullsAndEmptyListsAre100000) {
  aclrtLabel label = new_label();
  aclrtLabelList list = list_of({label});
  aclrtLabelList none = nullptr;
  EXPECT_EQ(aclrtCreateLabel(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetLabel(nullptr, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyLabel(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateLabelList(nullptr, 1, &none), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateLabelList(&label, 0, &none), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtCreateLabelList(&label, 1, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyLabelList(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSwitchLabelByIndex(nullptr, 1, list, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSwitchLabelByIndex(left.address(), 0, list, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSwitchLabelByIndex(left.address(), 1, nullptr, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtDestroyLabelList(list), 0);
}

TEST_F(Label, StaleHandlesAre107017) {
  aclrtLabel label = nullptr;
  ASSERT_EQ(aclrtCreateLabel(&label), 0);
  ASSERT_EQ(aclrtDestroyLabel(label), 0);
  EXPECT_EQ(aclrtSetLabel(label, head), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtDestroyLabel(label), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Label, StreamThatIsNotBoundIs107000) { EXPECT_EQ(aclrtSetLabel(new_label(), s), ACL_ERROR_RT_PARAM_INVALID); }

TEST_F(Label, T139_CapturingStreamIs107027) {
  begin(s);
  EXPECT_EQ(aclrtSetLabel(new_label(), s), ACL_ERROR_RT_STREAM_CAPTURED);
}

TEST_F(Label, HasOnePlace) {
  aclrtLabel label = new_label();
  EXPECT_EQ(aclrtSetLabel(label, head), 0);
  EXPECT_EQ(aclrtSetLabel(label, head), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Label, T186_RunThatFailsIsReportedByTheStream) {
  aclrtLabelList list = list_of({new_label()});
  EXPECT_EQ(aclrtSwitchLabelByIndex(left.address(), 1, list, head), 0);
  finish({head});
  execute(model, s);
  EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_EQ(aclrtDestroyLabelList(list), 0);
}

// Switches

TEST_F(SwitchStream, T206_OnlyTheChosenStreamRuns) {
  EXPECT_EQ(switch_stream(ACL_RT_EQUAL, yes), 0);
  EXPECT_EQ(switch_stream(ACL_RT_NOT_EQUAL, no), 0);
  EXPECT_EQ(increment(cell, yes, 1), 0);
  EXPECT_EQ(increment(cell, no, 10), 0);
  finish({yes, no});
  EXPECT_EQ(outcome(), 1);
  left.set(1);
  EXPECT_EQ(outcome(), 10);
}

TEST_F(SwitchStream, StreamGoesOnWhenTheConditionDoesNotHold) {
  EXPECT_EQ(switch_stream(ACL_RT_EQUAL, yes), 0);
  EXPECT_EQ(increment(cell, head, 100), 0);
  EXPECT_EQ(increment(cell, yes, 1), 0);
  finish({head, yes});
  EXPECT_EQ(outcome(), 1);
  right.set(1);
  EXPECT_EQ(outcome(), 100);
}

TEST_F(SwitchStream, ComparesSigned) {
  struct Case {
    aclrtCondition condition;
    bool less, equal, greater;
  };
  const std::vector<Case> cases = {{ACL_RT_EQUAL, false, true, false},   {ACL_RT_NOT_EQUAL, true, false, true},
                                   {ACL_RT_GREATER, false, false, true}, {ACL_RT_GREATER_OR_EQUAL, false, true, true},
                                   {ACL_RT_LESS, true, false, false},    {ACL_RT_LESS_OR_EQUAL, true, true, false}};
  // One stream a condition, each counts with a power of two.
  float by = 1;
  for (const Case& one : cases) {
    aclrtStream switcher = bound_stream(ACL_MODEL_STREAM_FLAG_HEAD);
    aclrtStream target = bound_stream(ACL_MODEL_STREAM_FLAG_DEFAULT);
    EXPECT_EQ(aclrtSwitchStream(left.address(), one.condition, right.address(), ACL_RT_SWITCH_INT32, target, nullptr,
                                switcher),
              0);
    EXPECT_EQ(increment(cell, target, by), 0);
    by *= 2;
  }
  finish({head});
  const auto expected = [&](auto member) {
    float sum = 0, power = 1;
    for (const Case& one : cases) {
      if (one.*member) sum += power;
      power *= 2;
    }
    return sum;
  };
  left.set(-2);
  right.set(1);
  EXPECT_EQ(outcome(), expected(&Case::less));
  left.set(1);
  EXPECT_EQ(outcome(), expected(&Case::equal));
  right.set(-3);
  EXPECT_EQ(outcome(), expected(&Case::greater));
}

TEST_F(SwitchStream, ComparesSixtyFourBits) {
  const Word big(std::uint64_t{1} << 40), small(0);
  EXPECT_EQ(aclrtSwitchStream(big.address(), ACL_RT_GREATER, small.address(), ACL_RT_SWITCH_INT64, yes, nullptr, head),
            0);
  EXPECT_EQ(increment(cell, yes), 0);
  finish({yes});
  EXPECT_EQ(outcome(), 1);
}

TEST_F(SwitchStream, DecidesByWhatTheTasksBeforeItWrote) {
  const Word word(0), one(1);
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, head), 0);
  EXPECT_EQ(aclrtSwitchStream(word.address(), ACL_RT_EQUAL, one.address(), ACL_RT_SWITCH_INT64, yes, nullptr, head), 0);
  EXPECT_EQ(increment(cell, yes), 0);
  finish({yes});
  EXPECT_EQ(outcome(), 1);
}

TEST_F(SwitchStream, WrongArguments) {
  EXPECT_EQ(aclrtSwitchStream(nullptr, ACL_RT_EQUAL, right.address(), ACL_RT_SWITCH_INT32, yes, nullptr, head),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSwitchStream(left.address(), ACL_RT_EQUAL, nullptr, ACL_RT_SWITCH_INT32, yes, nullptr, head),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSwitchStream(left.address(), ACL_RT_EQUAL, right.address(), ACL_RT_SWITCH_INT32, yes, no, head),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(
      aclrtSwitchStream(left.address(), ACL_RT_EQUAL, right.address(), ACL_RT_SWITCH_INT32, yes, nullptr, nullptr),
      ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(switch_stream(ACL_RT_EQUAL, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(switch_stream(static_cast<aclrtCondition>(6), yes), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(switch_stream(ACL_RT_EQUAL, yes, static_cast<aclrtCompareDataType>(2)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(SwitchStream, StreamsThatAreNotOfTheModelAre107005) {
  EXPECT_EQ(switch_stream(ACL_RT_EQUAL, s), ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclrtSwitchStream(left.address(), ACL_RT_EQUAL, right.address(), ACL_RT_SWITCH_INT32, yes, nullptr, s),
            ACL_ERROR_RT_STREAM_MODEL);
  EXPECT_EQ(aclrtActiveStream(s, head), ACL_ERROR_RT_STREAM_MODEL);
}

// Streams that start others

TEST_F(ActiveStream, OnlyActivatedStreamsRun) {
  EXPECT_EQ(increment(cell, head, 1), 0);
  EXPECT_EQ(aclrtActiveStream(yes, head), 0);
  EXPECT_EQ(increment(cell, head, 2), 0);
  EXPECT_EQ(increment(cell, yes, 10), 0);
  EXPECT_EQ(increment(cell, no, 100), 0);
  finish({head, yes, no});
  EXPECT_EQ(outcome(), 13);
}

TEST_F(ActiveStream, NullIs100000) {
  EXPECT_EQ(aclrtActiveStream(nullptr, head), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtActiveStream(yes, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ActiveStream, StreamThatHasEndedStartsAgain) {
  const Word countdown(3), zero(0);
  EXPECT_EQ(aclrtActiveStream(yes, head), 0);
  EXPECT_EQ(increment(cell, yes), 0);
  add_to_word(countdown.address(), ACL_INT64, -1, yes);
  EXPECT_EQ(
      aclrtSwitchStream(countdown.address(), ACL_RT_GREATER, zero.address(), ACL_RT_SWITCH_INT64, no, nullptr, yes), 0);
  EXPECT_EQ(aclrtActiveStream(yes, no), 0);
  finish({head});
  EXPECT_EQ(outcome(), 3);
}

// Unbound streams

TEST_F(ModelFlow, RunThatNoBoundStreamStartsIs507011) {
  EXPECT_EQ(increment(cell, head), 0);
  EXPECT_EQ(increment(cell, yes), 0);
  finish({head});
  for (aclrtStream stream : {head, yes, no}) {
    EXPECT_EQ(aclmdlRIUnbindStream(model, stream), 0);
    EXPECT_EQ(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_MODEL_EXECUTE);
    EXPECT_EQ(aclmdlRIExecute(model, 30000), ACL_ERROR_RT_MODEL_EXECUTE);
  }
  sync(s);
}

}  // namespace
}  // namespace aclvk::test
