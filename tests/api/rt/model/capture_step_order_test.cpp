// A task that the host does waits for all device work before it, whatever the way to it: a host step in front of the
// work, on the same stream or after an event of another, in a model or in the body of a conditional task
// (capture-semantics 15, 19).
#include <atomic>
#include <string>
#include <tuple>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kBytes = std::size_t{4} << 20;
constexpr std::uint8_t kNew = 0xC5;
constexpr std::uint8_t kOld = 0x11;

/// The step before the device work.
enum class Before {
  kNothing,
  kHostFunction,
  kValueWrite,
  kValueWait,
  kNotifyRecord,
  kNotifyWait,
  kCountRecord,
  kExternalWait,
  kExternalReset,
  kCondition,
};
/// The step that follows the device work.
enum class After {
  kHostFunction,
  kCondition,
  kBody,
  kForkingBody,
  kHostFunctionAfterAWait,
  kNotifyRecord,
  kExternalRecord
};

const char* name_of(Before before) {
  static const char* const kNames[] = {"Nothing",    "HostFunction", "ValueWrite",   "ValueWait",     "NotifyRecord",
                                       "NotifyWait", "CountRecord",  "ExternalWait", "ExternalReset", "Condition"};
  return kNames[static_cast<int>(before)];
}
const char* name_of(After after) {
  static const char* const kNames[] = {
      "HostFunction", "Condition", "Body", "ForkingBody", "HostFunctionBehindAWait", "NotifyRecord", "ExternalRecord"};
  return kNames[static_cast<int>(after)];
}

class StepOrder : public CaptureTest, public testing::WithParamInterface<std::tuple<Before, After>> {
 protected:
  StepOrder() : big_(kBytes) {
    EXPECT_EQ(aclrtMalloc(&work_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    EXPECT_EQ(aclrtMalloc(&result_, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    EXPECT_EQ(aclrtCreateNotify(&notify_, 0), 0);
    EXPECT_EQ(aclrtCreateNotify(&done_, 0), 0);
    EXPECT_EQ(aclrtCntNotifyCreate(&count_, 0), 0);
    external_ = new_external_event();
    published_ = new_external_event();
    for (aclrtStream& stream : free_) stream = new_stream();
    outside_ = new_stream();
  }
  ~StepOrder() override {
    EXPECT_EQ(aclrtFree(work_), 0);
    EXPECT_EQ(aclrtFree(result_), 0);
    EXPECT_EQ(aclrtDestroyNotify(notify_), 0);
    EXPECT_EQ(aclrtDestroyNotify(done_), 0);
    EXPECT_EQ(aclrtCntNotifyDestroy(count_), 0);
  }

  static Before before() { return std::get<0>(GetParam()); }
  static After after() { return std::get<1>(GetParam()); }

  /// A model whose follower is on the same stream as the work or on another, all of it in a body or not.
  aclmdlRI capture_case(bool on_other, bool in_body) {
    return capture([&] {
      if (!in_body) return add_case(s, side, on_other);
      add_conditional(
          s, 1, [&] { add_case(side, free_[0], on_other); }, side);
    });
  }

  void add_case(aclrtStream a, aclrtStream b, bool on_other) {
    order(a, b);
    add_before(a);
    EXPECT_EQ(aclrtMemsetAsync(work_, kBytes, kNew, kBytes, a), 0);
    EXPECT_EQ(aclrtMemcpyAsync(big_.data(), kBytes, work_, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, a), 0);
    order(a, b);
    add_after(on_other ? b : a);
    order(b, a);
  }

  void add_before(aclrtStream stream) {
    switch (before()) {
      case Before::kNothing: break;
      case Before::kHostFunction:
        EXPECT_EQ(aclrtLaunchHostFunc(
                      stream, [](void*) {}, nullptr),
                  0);
        break;
      case Before::kValueWrite: EXPECT_EQ(aclrtValueWrite(word_.address(), 1, 0, stream), 0); break;
      case Before::kValueWait:
        EXPECT_EQ(aclrtValueWait(word_.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream), 0);
        break;
      case Before::kNotifyRecord: EXPECT_EQ(aclrtRecordNotify(notify_, stream), 0); break;
      case Before::kNotifyWait: EXPECT_EQ(aclrtWaitAndResetNotify(notify_, stream, 0), 0); break;
      case Before::kCountRecord: {
        aclrtCntNotifyRecordInfo one{ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 1};
        EXPECT_EQ(aclrtCntNotifyRecord(count_, stream, &one), 0);
        break;
      }
      case Before::kExternalWait: EXPECT_EQ(aclrtStreamWaitEvent(stream, external_), 0); break;
      case Before::kExternalReset: EXPECT_EQ(aclrtResetEvent(external_, stream), 0); break;
      case Before::kCondition:
        add_conditional(
            stream, 0, [] {}, free_[1]);
        break;
    }
  }

  void add_after(aclrtStream stream) {
    const auto copy = [this](aclrtStream on) {
      EXPECT_EQ(aclrtMemcpyAsync(result_, 8, static_cast<std::uint8_t*>(work_) + kBytes - 8, 8,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, on),
                0);
    };
    switch (after()) {
      case After::kHostFunction: return add_look(stream);
      case After::kCondition: return add_condition(stream);
      case After::kBody:
        return add_conditional(
            stream, 1, [&] { copy(free_[1]); }, free_[1]);
      case After::kForkingBody:
        return add_conditional(
            stream, 1,
            [&] {
              order(free_[1], free_[2]);
              copy(free_[2]);
              order(free_[2], free_[1]);
            },
            free_[1]);
      case After::kHostFunctionAfterAWait:
        EXPECT_EQ(aclrtValueWait(word_.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream), 0);
        return add_look(stream);
      case After::kNotifyRecord: EXPECT_EQ(aclrtRecordNotify(done_, stream), 0); break;
      case After::kExternalRecord: EXPECT_EQ(aclrtRecordEvent(published_, stream), 0); break;
    }
  }

  void add_look(aclrtStream stream) {
    const auto look = [](void* data) {
      auto& test = *static_cast<StepOrder*>(data);
      test.looked_ = test.big_[kBytes - 1];
    };
    EXPECT_EQ(aclrtLaunchHostFunc(stream, look, this), 0);
  }

  // The word is the end of the work.
  void add_condition(aclrtStream stream) {
    aclmdlRICondHandle handle = nullptr;
    EXPECT_EQ(aclmdlRICondHandleCreate(test::model_of(stream), 0, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle), 0);
    std::uint64_t* word = nullptr;
    EXPECT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), 0);
    EXPECT_EQ(aclrtMemcpyAsync(word, 8, big_.data() + kBytes - 8, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream), 0);
    add_if(
        stream, handle, [&] { EXPECT_EQ(aclrtMemsetAsync(result_, 8, kNew, 8, free_[1]), 0); }, free_[1]);
  }

  /// An IF that is decided by its default value.
  template <typename Body>
  void add_conditional(aclrtStream stream, std::uint32_t value, Body body, aclrtStream origin) {
    aclmdlRICondHandle handle = nullptr;
    EXPECT_EQ(aclmdlRICondHandleCreate(test::model_of(stream), value, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle),
              0);
    add_if(stream, handle, body, origin);
  }
  template <typename Body>
  void add_if(aclrtStream stream, aclmdlRICondHandle handle, Body body, aclrtStream origin) {
    aclmdlRI sub = nullptr;
    EXPECT_EQ(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &sub}, stream, 0), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(origin, sub, kRelaxed), 0) << aclGetRecentErrMsg();
    body();
    EXPECT_EQ(aclmdlRICaptureEnd(origin, nullptr), 0) << aclGetRecentErrMsg();
  }

  void run_once(aclmdlRI model) {
    reset();
    execute(model, s);
    if (after() == After::kNotifyRecord || after() == After::kExternalRecord) {
      if (after() == After::kNotifyRecord) {
        EXPECT_EQ(aclrtWaitAndResetNotify(done_, outside_, 0), 0);
      } else {
        EXPECT_EQ(aclrtStreamWaitEvent(outside_, published_), 0);
        EXPECT_EQ(aclrtResetEvent(published_, outside_), 0);
      }
      EXPECT_EQ(aclrtMemcpyAsync(result_, 8, static_cast<std::uint8_t*>(work_) + kBytes - 8, 8,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, outside_),
                0);
      sync(outside_);
    }
    sync(s);
  }

  // The means of waits are set for one run.
  void reset() {
    big_.fill(kOld);
    looked_ = 0;
    EXPECT_EQ(aclrtMemset(work_, kBytes, kOld, kBytes), 0);
    EXPECT_EQ(aclrtMemset(result_, 8, kOld, 8), 0);
    if (before() == Before::kNotifyWait) {
      EXPECT_EQ(aclrtRecordNotify(notify_, outside_), 0);
    }
    if (before() == Before::kExternalWait) {
      EXPECT_EQ(aclrtRecordEvent(external_, outside_), 0);
    }
    sync(outside_);
  }

  /// The value that the follower has found at the end of the work.
  std::uint8_t found() const {
    const bool looks = after() == After::kHostFunction || after() == After::kHostFunctionAfterAWait;
    if (looks) return looked_;
    std::uint8_t value = 0;
    EXPECT_EQ(aclrtMemcpy(&value, 1, result_, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return value;
  }

 private:
  Pinned<std::uint8_t> big_;
  std::atomic<std::uint8_t> looked_{0};
  const Word word_{1};
  void* work_ = nullptr;
  void* result_ = nullptr;
  aclrtNotify notify_ = nullptr, done_ = nullptr;
  aclrtCntNotify count_ = nullptr;
  aclrtEvent external_ = nullptr, published_ = nullptr;
  aclrtStream free_[3] = {};
  aclrtStream outside_ = nullptr;
};

TEST_P(StepOrder, FollowerFindsTheWorkDone) {
  for (const bool in_body : {false, true}) {
    for (const bool on_other : {false, true}) {
      SCOPED_TRACE(std::string(on_other ? "on another stream" : "on the same stream") + (in_body ? ", in a body" : ""));
      aclmdlRI model = capture_case(on_other, in_body);
      for (int i = 0; i < 4; ++i) {
        run_once(model);
        ASSERT_EQ(found(), kNew) << "replay " << i;
      }
      clear_models();
    }
  }
}

constexpr Before kAllBefore[] = {
    Before::kNothing,    Before::kHostFunction, Before::kValueWrite,   Before::kValueWait,     Before::kNotifyRecord,
    Before::kNotifyWait, Before::kCountRecord,  Before::kExternalWait, Before::kExternalReset, Before::kCondition};
constexpr After kAllAfter[] = {
    After::kHostFunction,           After::kCondition,    After::kBody,          After::kForkingBody,
    After::kHostFunctionAfterAWait, After::kNotifyRecord, After::kExternalRecord};

INSTANTIATE_TEST_SUITE_P(Steps, StepOrder,
                         testing::Combine(testing::ValuesIn(kAllBefore), testing::ValuesIn(kAllAfter)),
                         [](const auto& tested) {
                           return std::string(name_of(std::get<0>(tested.param))) + "_" +
                                  name_of(std::get<1>(tested.param));
                         });

/// A conditional task that is decided by its default value, and its word.
class StepsOfBranches : public CaptureTest {
 protected:
  template <typename Body>
  static void* add_conditional(aclmdlRICondTaskType type, aclrtStream stream, aclrtStream origin, Body body) {
    aclmdlRICondHandle handle = nullptr;
    EXPECT_EQ(aclmdlRICondHandleCreate(test::model_of(stream), 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle), 0);
    std::uint64_t* word = nullptr;
    EXPECT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), 0);
    aclmdlRI sub = nullptr;
    EXPECT_EQ(aclmdlRIAddCondTask({handle, type, 1, &sub}, stream, 0), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(origin, sub, kRelaxed), 0) << aclGetRecentErrMsg();
    body();
    EXPECT_EQ(aclmdlRICaptureEnd(origin, nullptr), 0) << aclGetRecentErrMsg();
    return word;
  }
};

// The second decision does not wait for the work that the first one continues to submit.
TEST_F(StepsOfBranches, LoopGoesOnUntilABranchBesideItEndsIt) {
  Cell iterations;
  aclrtStream origin = new_stream();
  aclmdlRI model = capture([&] {
    order(s, side);
    void* word =
        add_conditional(ACL_MODEL_RI_COND_TYPE_WHILE, s, origin, [&] { EXPECT_EQ(increment(iterations, origin), 0); });
    add_conditional(ACL_MODEL_RI_COND_TYPE_IF, side, origin,
                    [&] { EXPECT_EQ(aclrtMemsetAsync(word, 8, 0, 8, origin), 0); });
    order(side, s);
  });
  run(model, s);
  EXPECT_GE(iterations.value(), 1);
}

TEST_F(StepsOfBranches, LoopGoesOnUntilAHostFunctionBesideItHasRun) {
  Cell iterations;
  Pinned<std::uint64_t> zero(1);
  aclrtStream origin = new_stream();
  aclmdlRI model = capture([&] {
    order(s, side);
    void* word =
        add_conditional(ACL_MODEL_RI_COND_TYPE_WHILE, s, origin, [&] { EXPECT_EQ(increment(iterations, origin), 0); });
    EXPECT_EQ(aclrtLaunchHostFunc(
                  side, [](void*) {}, nullptr),
              0);
    EXPECT_EQ(aclrtMemcpyAsync(word, 8, zero.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, side), 0);
    order(side, s);
  });
  run(model, s);
  EXPECT_GE(iterations.value(), 1);
}

}  // namespace
}  // namespace aclvk::test
