// Stories of models that decide where they continue, run by several threads at the same time.
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using FlowStory = CaptureTest;

/// cell += 1 in a captured loop of three rounds, then 10 more when `wanted` is not 0.
class CapturedLoop {
 public:
  CapturedLoop() {
    EXPECT_EQ(aclmdlRICaptureBegin(stream_, kRelaxed), 0);
    std::uint64_t* count = nullptr;
    aclmdlRI body = conditional(ACL_MODEL_RI_COND_TYPE_WHILE, 3, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, count);
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(inner_, body, kRelaxed), 0);
    EXPECT_EQ(increment(cell_, inner_), 0);
    add_to_word(count, ACL_INT64, -1, inner_);
    EXPECT_EQ(aclmdlRICaptureEnd(inner_, nullptr), 0);

    body = conditional(ACL_MODEL_RI_COND_TYPE_IF, 0, static_cast<aclmdlRICondHandleFlag>(0), wanted_);
    EXPECT_EQ(aclmdlRICaptureToModelRIBegin(inner_, body, kRelaxed), 0);
    EXPECT_EQ(increment(cell_, inner_, 10), 0);
    EXPECT_EQ(aclmdlRICaptureEnd(inner_, nullptr), 0);
    EXPECT_EQ(aclmdlRICaptureEnd(stream_, &model_), 0) << aclGetRecentErrMsg();
  }
  ~CapturedLoop() { EXPECT_EQ(aclmdlRIDestroy(model_), 0); }
  CapturedLoop(const CapturedLoop&) = delete;
  CapturedLoop& operator=(const CapturedLoop&) = delete;

  void round(int number) {
    const std::uint64_t wanted = number % 2;
    EXPECT_EQ(aclrtMemcpy(wanted_, 8, &wanted, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    EXPECT_EQ(aclmdlRIExecuteAsync(model_, stream_), 0);
    sync(stream_);
    expected_ += wanted ? 13.0F : 3.0F;
    EXPECT_EQ(cell_.value(), expected_);
  }

 private:
  aclmdlRI conditional(aclmdlRICondTaskType type, std::uint32_t value, aclmdlRICondHandleFlag flag,
                       std::uint64_t*& word) {
    aclmdlRICondHandle handle = nullptr;
    aclmdlRI body = nullptr;
    EXPECT_EQ(aclmdlRICondHandleCreate(test::model_of(stream_), value, flag, &handle), 0);
    EXPECT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), 0);
    EXPECT_EQ(aclmdlRIAddCondTask({handle, type, 1, &body}, stream_, 0), 0);
    return body;
  }

  const OwnStream stream_, inner_;
  const Cell cell_;
  std::uint64_t* wanted_ = nullptr;
  aclmdlRI model_ = nullptr;
  float expected_ = 0;
};

/// One stream adds 1 and starts the other, which adds 10 as long as a count is above 0.
class BuiltLoop {
 public:
  BuiltLoop() {
    EXPECT_EQ(aclmdlRIBuildBegin(&model_, 0), 0);
    EXPECT_EQ(aclmdlRIBindStream(model_, head_, ACL_MODEL_STREAM_FLAG_HEAD), 0);
    EXPECT_EQ(aclmdlRIBindStream(model_, loop_, ACL_MODEL_STREAM_FLAG_DEFAULT), 0);
    EXPECT_EQ(aclmdlRIBindStream(model_, again_, ACL_MODEL_STREAM_FLAG_DEFAULT), 0);
    EXPECT_EQ(increment(cell_, head_), 0);
    EXPECT_EQ(aclrtActiveStream(loop_, head_), 0);
    EXPECT_EQ(increment(cell_, loop_, 10), 0);
    add_to_word(count_.address(), ACL_INT64, -1, loop_);
    EXPECT_EQ(aclrtSwitchStream(count_.address(), ACL_RT_GREATER, zero_.address(), ACL_RT_SWITCH_INT64, again_, nullptr,
                                loop_),
              0);
    EXPECT_EQ(aclrtActiveStream(loop_, again_), 0);
    EXPECT_EQ(aclmdlRIEndTask(model_, head_), 0);
    EXPECT_EQ(aclmdlRIBuildEnd(model_, nullptr), 0) << aclGetRecentErrMsg();
  }
  ~BuiltLoop() { EXPECT_EQ(aclmdlRIDestroy(model_), 0); }
  BuiltLoop(const BuiltLoop&) = delete;
  BuiltLoop& operator=(const BuiltLoop&) = delete;

  void round(int number) {
    count_.set(number % 4);
    EXPECT_EQ(aclmdlRIExecute(model_, 30000), 0) << aclGetRecentErrMsg();
    expected_ += 1 + 10 * static_cast<float>(number % 4 == 0 ? 1 : number % 4);
    EXPECT_EQ(cell_.value(), expected_);
  }

 private:
  const OwnStream head_, loop_, again_;
  const Cell cell_;
  Word count_;
  const Word zero_;
  aclmdlRI model_ = nullptr;
  float expected_ = 0;
};

template <typename Program>
void run_program(int rounds) {
  Program program;
  for (int number = 0; number < rounds; ++number) program.round(number);
}

/// Skips the test where the driver lacks 64-bit integers: here, where no stream is being captured yet.
void need_long_words(aclrtStream stream) {
  const Word word;
  add_to_word(word.address(), ACL_INT64, 0, stream);
}

TEST_F(FlowStory, ThreadsRunLoopsAndChoicesOfTheirOwn) {
  need_long_words(s);
  DeviceThreads threads;
  for (int i = 0; i < 3; ++i) {
    threads.start([] { run_program<CapturedLoop>(times(300)); });
    threads.start([] { run_program<BuiltLoop>(times(300)); });
  }
}

TEST_F(FlowStory, ModelsWithBodiesComeAndGo) {
  need_long_words(s);
  for (int i = 0; i < times(300); ++i) {
    run_program<CapturedLoop>(2);
    run_program<BuiltLoop>(2);
  }
}

// A loop without an end gives way to others, and ends when another thread changes its word.
TEST_F(FlowStory, EndlessLoopBlocksNoOtherStream) {
  std::uint64_t* word = nullptr;
  aclmdlRICondHandle handle = nullptr;
  aclmdlRI body = nullptr;
  aclmdlRI model = capture([&] {
    ASSERT_EQ(aclmdlRICondHandleCreate(test::model_of(s), 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle), 0);
    ASSERT_EQ(aclmdlRICondHandleGetCondPtr(handle, &word), 0);
    ASSERT_EQ(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_WHILE, 1, &body}, s, 0), 0);
    ASSERT_EQ(aclmdlRICaptureToModelRIBegin(side, body, kGlobal), 0);
    ASSERT_EQ(aclmdlRICaptureEnd(side, nullptr), 0);
  });
  execute(model, s);
  Cell cell;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(increment(cell, side), 0);
    sync(side);
  }
  EXPECT_EQ(cell.value(), 100);
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(aclrtValueWrite(word, 0, 0, side), 0);
  sync(s);
}

}  // namespace
}  // namespace aclvk::test
