#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add.h"
#include "support/acl_fixture.hpp"
#include "support/lacking.hpp"

namespace aclvk::test {

constexpr auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
constexpr auto kThreadLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

constexpr auto kNone = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
constexpr auto kActive = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
constexpr auto kInvalidated = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;

/// The code of an operator whose kernel the runtime refuses.
constexpr aclnnStatus kLaunchRefused = ACLNN_ERR_RUNTIME_ERROR;

/// Lets the calling thread copy synchronously although a capture is active.
class RelaxedThread {
 public:
  RelaxedThread() { EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&other_), 0); }
  ~RelaxedThread() { EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&other_), 0); }
  RelaxedThread(const RelaxedThread&) = delete;
  RelaxedThread& operator=(const RelaxedThread&) = delete;

 private:
  aclmdlRICaptureMode other_ = kRelaxed;
};

/// Floats in device memory, all equal, on which the kernels of these tests count.
class Cell {
 public:
  explicit Cell(float value = 0, std::int64_t count = 8) : count_(count) {
    EXPECT_EQ(aclrtMalloc(&data_, bytes(), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    const std::int64_t stride = 1;
    tensor_ = aclCreateTensor(&count_, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &count_, 1, data_);
    set(value);
  }
  ~Cell() {
    aclDestroyTensor(tensor_);
    EXPECT_EQ(aclrtFree(data_), 0);
  }
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  void* address() const { return data_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(float); }
  aclTensor* tensor() const { return tensor_; }

  /// Sets all elements with a synchronous copy, which no stream orders.
  void set(float value) {
    const RelaxedThread relaxed;
    const std::vector<float> values(static_cast<std::size_t>(count_), value);
    EXPECT_EQ(aclrtMemcpy(data_, bytes(), values.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  /// Reads all elements with a synchronous copy, which no stream orders.
  std::vector<float> elements() const {
    const RelaxedThread relaxed;
    std::vector<float> values(static_cast<std::size_t>(count_));
    EXPECT_EQ(aclrtMemcpy(values.data(), bytes(), data_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return values;
  }
  /// Reads the value of the elements, which have to be equal.
  float value() const {
    const std::vector<float> values = elements();
    for (const float element : values) EXPECT_EQ(element, values.front());
    return values.front();
  }

 private:
  std::int64_t count_;
  void* data_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

/// A 64-bit word of device memory, for value waits.
class Word {
 public:
  explicit Word(std::uint64_t value = 0) {
    EXPECT_EQ(aclrtMalloc(&data_, 32, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    set(value);
  }
  ~Word() { EXPECT_EQ(aclrtFree(data_), 0); }
  Word(const Word&) = delete;
  Word& operator=(const Word&) = delete;

  void* address() const { return data_; }
  void set(std::uint64_t value) {
    const RelaxedThread relaxed;
    EXPECT_EQ(aclrtMemcpy(data_, 8, &value, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  std::uint64_t value() const {
    const RelaxedThread relaxed;
    std::uint64_t value = 0;
    EXPECT_EQ(aclrtMemcpy(&value, 8, data_, 8, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return value;
  }

 private:
  void* data_ = nullptr;
};

/// Pinned host memory.
template <typename T>
class Pinned {
 public:
  explicit Pinned(std::size_t count, T value = {}) : count_(count) {
    void* data = nullptr;
    EXPECT_EQ(aclrtMallocHost(&data, bytes()), 0);
    data_ = static_cast<T*>(data);
    fill(value);
  }
  ~Pinned() { EXPECT_EQ(aclrtFreeHost(data_), 0); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }
  T& operator[](std::size_t i) const { return data_[i]; }
  void fill(T value) {
    for (std::size_t i = 0; i < count_; ++i) data_[i] = value;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

namespace detail {

// The arguments of these kernels need no workspace; one that appeared would have to live as long as the model.
template <typename Plan, typename Launch>
aclnnStatus launch(float by, aclrtStream stream, Plan plan, Launch run) {
  float one = 1;
  aclScalar* other = aclCreateScalar(&by, ACL_FLOAT);
  aclScalar* alpha = aclCreateScalar(&one, ACL_FLOAT);
  std::uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(plan(other, alpha, &workspace_size, &executor), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(workspace_size, 0u);
  aclDestroyScalar(other);
  aclDestroyScalar(alpha);
  return run(nullptr, 0, executor, stream);
}

}  // namespace detail

/// cell += by, one kernel. Returns the code of the launch.
inline aclnnStatus increment(const Cell& cell, aclrtStream stream, float by = 1) {
  const auto plan = [&](aclScalar* other, aclScalar* alpha, std::uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceAddsGetWorkspaceSize(cell.tensor(), other, alpha, size, executor);
  };
  return detail::launch(by, stream, plan, aclnnInplaceAdds);
}

/// out = in + by, one kernel. Returns the code of the launch.
inline aclnnStatus add(const Cell& in, float by, const Cell& out, aclrtStream stream) {
  const auto plan = [&](aclScalar* other, aclScalar* alpha, std::uint64_t* size, aclOpExecutor** executor) {
    return aclnnAddsGetWorkspaceSize(in.tensor(), other, alpha, out.tensor(), size, executor);
  };
  return detail::launch(by, stream, plan, aclnnAdds);
}

/// word += by, one kernel, for a 32- or 64-bit word (ACL_INT32, ACL_INT64) in device memory. Skips the test where the
/// driver lacks such numbers, so a test with threads calls it before it starts them.
inline void add_to_word(void* word, aclDataType type, std::int64_t by, aclrtStream stream) {
  std::int64_t one = 1;
  aclTensor* tensor = aclCreateTensor(&one, 1, type, &one, 0, ACL_FORMAT_ND, &one, 1, word);
  aclScalar* other = aclCreateScalar(&by, ACL_INT64);
  aclScalar* alpha = aclCreateScalar(&one, ACL_INT64);
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnInplaceAddsGetWorkspaceSize(tensor, other, alpha, &size, &executor), 0) << aclGetRecentErrMsg();
  const aclnnStatus launched = aclnnInplaceAdds(nullptr, 0, executor, stream);
  aclDestroyScalar(alpha);
  aclDestroyScalar(other);
  aclDestroyTensor(tensor);
  skip_if_lacking(launched);
  EXPECT_EQ(launched, 0) << aclGetRecentErrMsg();
}

/// Waits with a long timeout, so that a test that hangs fails with a sentence.
inline void sync(aclrtStream stream) {
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 30000), 0) << aclGetRecentErrMsg();
}

/// Polls until the cell has the value; returns false after a long time. For streams that stay blocked.
inline bool becomes(const Cell& cell, float value) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(30);
  while (cell.elements() != std::vector<float>(cell.bytes() / sizeof(float), value)) {
    if (Clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Polls the stream for a moment; returns false as soon as it is done.
inline bool stays_blocked(aclrtStream stream) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(20);
  while (Clock::now() < end) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
    if (status != ACL_STREAM_STATUS_NOT_READY) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline aclmdlRICaptureStatus status_of(aclrtStream stream) {
  auto status = kInvalidated;
  EXPECT_EQ(aclmdlRICaptureGetInfo(stream, &status, nullptr), 0);
  return status;
}

inline aclmdlRI model_of(aclrtStream stream) {
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureGetInfo(stream, nullptr, &model), 0);
  return model;
}

/// Runs the function on a new thread with device 0 and waits for its end.
inline void on_device_thread(const std::function<void()>& function) {
  on_another_thread([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    function();
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
}

/// Settings of the library. It reads them once, so this class has to precede CaptureTest among the bases of a fixture.
class Settings {
 protected:
  Settings(std::initializer_list<std::pair<const char*, const char*>> values) {
    for (const auto& [name, value] : values) setenv(name, value, 1);
  }
};

/// Two streams, and what captures need. Each test ends with three questions: does every capture that is still open end
/// well (a refused call must not spoil it), is every stream out of capture, and does every stream still work?
class CaptureTest : public testing::Test {
 protected:
  // Not SetUp and TearDown: fixtures have members that need the device from their first to their last moment.
  explicit CaptureTest(const char* compatibility = "lenient") {
    setenv("ACLVK_COMPATIBILITY", compatibility, 1);
    EXPECT_EQ(aclInit(nullptr), 0);
    EXPECT_EQ(aclrtSetDevice(0), 0);
    s = new_stream();
    side = new_stream();
  }
  ~CaptureTest() override {
    EXPECT_EQ(aclrtResetDevice(0), 0);
    EXPECT_EQ(aclFinalize(), 0);
  }

  void TearDown() override {
    if (IsSkipped()) return;  // skipped at any point: open captures end with the device
    for (aclrtStream stream : origins_) {
      if (status_of(stream) != kNone) end(stream);
    }
    for (aclrtStream stream : streams_) expect_usable(stream);
    clear_models();
    for (aclrtEvent event : events_) EXPECT_EQ(aclrtDestroyEvent(event), 0);
    for (aclrtStream stream : streams_) EXPECT_EQ(aclrtDestroyStream(stream), 0);
  }

  aclrtStream new_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), 0);
    return streams_.emplace_back(stream);
  }
  aclrtEvent new_event(std::uint32_t flags = ACL_EVENT_SYNC) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flags), 0);
    return events_.emplace_back(event);
  }
  aclrtEvent new_external_event() {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL), 0);
    return events_.emplace_back(event);
  }
  aclrtEvent new_plain_event() {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEvent(&event), 0);
    return events_.emplace_back(event);
  }

  void begin(aclrtStream stream, aclmdlRICaptureMode mode = kGlobal) {
    EXPECT_EQ(aclmdlRICaptureBegin(stream, mode), 0) << aclGetRecentErrMsg();
    origins_.push_back(stream);
  }
  /// Ends the capture, which has to succeed.
  aclmdlRI end(aclrtStream stream) {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0) << aclGetRecentErrMsg();
    EXPECT_NE(model, nullptr);
    if (model) models_.push_back(model);
    return model;
  }
  /// Ends the capture, which has to leave no model; returns the code.
  static aclError failed_end(aclrtStream stream) {
    int nothing = 0;
    aclmdlRI model = &nothing;
    const aclError code = aclmdlRICaptureEnd(stream, &model);
    EXPECT_EQ(model, nullptr);
    EXPECT_EQ(status_of(stream), kNone);
    return code;
  }
  /// Captures what `body` launches on stream s; returns the model.
  aclmdlRI capture(const std::function<void()>& body) {
    begin(s);
    body();
    return end(s);
  }
  void clear_models() {
    for (aclmdlRI model : models_) EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
    models_.clear();
  }
  void destroyed(aclmdlRI model) {
    for (aclmdlRI& known : models_) {
      if (known == model) std::swap(known, models_.back());
    }
    models_.pop_back();
  }

  /// Lets `to` wait for the tasks of `from` so far, by a new event.
  void order(aclrtStream from, aclrtStream to) {
    aclrtEvent event = new_event();
    EXPECT_EQ(aclrtRecordEvent(event, from), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtStreamWaitEvent(to, event), 0) << aclGetRecentErrMsg();
  }

  static void execute(aclmdlRI model, aclrtStream stream) {
    EXPECT_EQ(aclmdlRIExecuteAsync(model, stream), 0) << aclGetRecentErrMsg();
  }
  static void run(aclmdlRI model, aclrtStream stream) {
    execute(model, stream);
    sync(stream);
  }

  static void expect_usable(aclrtStream stream) {
    ASSERT_EQ(status_of(stream), kNone);
    Cell probe;
    EXPECT_EQ(increment(probe, stream), 0) << aclGetRecentErrMsg();
    sync(stream);
    EXPECT_EQ(probe.value(), 1);

    EXPECT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(increment(probe, stream), 0) << aclGetRecentErrMsg();
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), 0) << aclGetRecentErrMsg();
    run(model, stream);
    EXPECT_EQ(probe.value(), 2);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
  }

  aclrtStream s = nullptr;
  aclrtStream side = nullptr;

 private:
  std::vector<aclrtStream> streams_;
  std::vector<aclrtStream> origins_;
  std::vector<aclrtEvent> events_;
  std::vector<aclmdlRI> models_;
};

/// CaptureTest in strict mode.
class StrictCaptureTest : public CaptureTest {
 protected:
  StrictCaptureTest() : CaptureTest("strict") {}
};

}  // namespace aclvk::test
