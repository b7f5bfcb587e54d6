#pragma once

#include <fmt/format.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "api_sequence/host_model.hpp"
#include "api_sequence/prediction.hpp"
#include "bytes.hpp"

namespace aclvk::fuzz {

enum class Kind { kStream, kEvent, kNotify, kModel, kGroup, kContext, kTask, kCondition };
constexpr std::size_t kKinds = 8;

/// A pointer to memory, and what is known of it.
struct Pointer {
  enum class Where { kNull, kDevice, kPinned, kPageable, kNowhere };
  void* address = nullptr;
  Where where = Where::kNull;
  std::size_t left = 0;    ///< bytes from here to the end of what was asked for
  std::size_t beyond = 0;  ///< and of what there may be

  bool host() const { return where == Where::kPinned || where == Where::kPageable; }
  /// Whether so many bytes are certainly inside, or certainly not; else the padding of the allocation decides.
  bool holds(std::size_t bytes) const { return bytes <= left; }
  bool lacks(std::size_t bytes) const { return where == Where::kNowhere || bytes > beyond; }
};

/// One program: calls decoded from bytes, made on one of two threads, each predicted by a host model.
class Sequence {
 public:
  explicit Sequence(Bytes bytes);
  ~Sequence();
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  void run();

  Bytes bytes;
  HostModel model;
  int thread = 0;  ///< on which the next call is made

  Handle context() const { return model.context_of(thread); }

  /// Makes the call on the chosen thread, and compares its code.
  int call(const std::string& what, const Prediction& expected, const std::function<int()>& made);

  /// A handle: most often a live one of the kind, sometimes NULL, stale, of another kind or no handle at all.
  Handle pick(Kind kind);
  /// A live one, or null when there is none.
  Handle pick_live(Kind kind);
  void add(Kind kind, Handle handle) { live_.at(static_cast<std::size_t>(kind)).push_back(handle); }
  void drop(Kind kind, Handle handle);

  Pointer pick_pointer();
  std::size_t pick_size();
  std::int32_t pick_timeout_ms();

  /// Adds what is wrong with the stream; the live stream, where nothing is.
  StreamState* predict_stream(Prediction& expected, Handle stream, bool own = true);
  EventState* predict_event(Prediction& expected, Handle event);
  ModelPtr predict_model(Prediction& expected, Handle handle);
  enum class Work { kKernel, kOther };
  /// Adds what keeps the stream from taking a task.
  void predict_task(Prediction& expected, const StreamState* stream, Handle handle, Work work);
  /// What a task changes, by the code of its call.
  void note_task(StreamState* stream, Handle handle, Work work, int code);
  /// The handle of the stream that is meant: NULL is the default stream.
  Handle meant(Handle stream) const { return stream ? stream : model.default_stream_of(context()); }

  /// Memory that kernels add to.
  void* cell(std::size_t number) const { return cells_.at(number % cells_.size()); }

 private:
  void step();
  void begin();
  void end();
  void end_captures();
  void on_each_thread(const std::function<void()>& work);

  std::array<std::vector<Handle>, kKinds> live_;
  std::vector<Handle> stale_;
  std::array<void*, 3> cells_{};
  std::vector<std::string> history_;
};

// The calls of each area; each function makes one.
void call_stream(Sequence& s);
void call_event(Sequence& s);
void call_notify(Sequence& s);
void call_memory(Sequence& s);
void call_copy(Sequence& s);
void call_value(Sequence& s);
void call_capture(Sequence& s);
void call_group(Sequence& s);
void call_model(Sequence& s);
void call_build(Sequence& s);
void call_condition(Sequence& s);
void call_task(Sequence& s);
void call_host(Sequence& s);
void call_kernel(Sequence& s);
void call_context(Sequence& s);

}  // namespace aclvk::fuzz
