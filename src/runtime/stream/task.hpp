#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "runtime/event/point.hpp"
#include "vk_device/command_recorder.hpp"

namespace aclvk::runtime {

class CountNotify;
class Event;
class Label;
class Notify;
class StreamQueue;

// What a stream can be asked to do, as plain data. Eager execution, capture, replay, the JSON dump and task updates all
// work on these structs, so none of them does anything in a second way.

// Device work: recorded into a command buffer.

/// The kind of core that a kernel would run on: vector, or cube (matrices). A GPU has one kind, but programs may not
/// replace a kernel of one by one of the other (capture-semantics 9.2), and traces show it. What engines beside the
/// cores of an NPU do, reductions while copying and random numbers, is a kernel here, and no kernel to task groups
/// (9.1).
enum class Core : std::uint8_t { kVector, kCube, kNone };

struct LaunchAttributes;  // What a program asks of a launch; defined in runtime/kernel/launch_attributes.hpp.

struct KernelTask {
  std::string_view name;  ///< lives for ever: a string literal, or interned
  vk::Dispatch dispatch;
  Core core = Core::kVector;
  void* function = nullptr;  ///< the aclrtFuncHandle that was launched; null for operators. May be stale by now
  std::shared_ptr<const LaunchAttributes> attributes{};  ///< that it was launched with; null for none
};

struct CopyTask {
  vk::BufferRange dst;
  vk::BufferRange src;
};

struct Copy2dTask {
  vk::Copy2d copy;
};

struct FillTask {
  vk::BufferRange dst;
  std::uint8_t value = 0;
};

struct FillWordsTask {
  vk::BufferRange dst;
  std::uint32_t value = 0;
};

/// A moment of the stream that a program marks for profiles. Does nothing else.
struct MarkTask {
  std::string text;
};

// Signals: seen by the host when the stream reaches them.

/// How long a stream may be held back on the host by one wait; 0 is for ever. A wait that is over fails the stream's
/// next synchronisation with kWaitTimeout, and the tasks behind it go on. A wait that has been handed to the device has
/// no limit: what it waits for has been submitted.
using WaitLimit = std::chrono::seconds;

/// The two kinds of records and waits. An EXTERNAL one crosses the border of a model: each launch of the model makes a
/// new Point for it, or binds to the newest (capture-semantics 7.6).
enum class EventUse : std::uint8_t { kDefault = 0, kExternal = 1 };

struct EventRecordTask {
  std::shared_ptr<Event> event;
  PointPtr point;  ///< null for a binary signal: an EXTERNAL event, or one between the streams of a built model
  EventUse use = EventUse::kDefault;
};

struct EventWaitTask {
  std::shared_ptr<Event> event;
  PointPtr point;  ///< what it waits for
  PointPtr
      passed;  ///< takes the place of `point` once the stream has come here; what aclrtQueryEventWaitStatus looks at
  WaitLimit limit{};
  EventUse use = EventUse::kDefault;
};

struct EventResetTask {
  std::shared_ptr<Event> event;
  PointPtr point;  ///< when the reset takes effect; null for a binary signal
};

struct NotifyRecordTask {
  std::shared_ptr<Notify> notify;
};

struct NotifyWaitTask {
  std::shared_ptr<Notify> notify;
  WaitLimit limit{};
};

/// aclrtCntNotifyRecordMode
enum class CountChange : std::uint8_t { kSet = 0, kAdd = 1, kOr = 2, kAnd = 4 };

struct CountRecordTask {
  std::shared_ptr<CountNotify> notify;
  CountChange change = CountChange::kSet;
  std::uint32_t value = 0;
};

/// aclrtCntNotifyWaitMode
enum class CountCondition : std::uint8_t { kLess = 0, kEqual = 1, kGreater = 2, kGreaterOrEqual = 3, kBits = 4 };

struct CountWaitTask {
  std::shared_ptr<CountNotify> notify;
  CountCondition condition = CountCondition::kEqual;
  std::uint32_t value = 0;
  bool clears = false;  ///< the count is 0 once the stream has passed
  WaitLimit limit{};
};

struct ValueWriteTask {
  vk::BufferRange word;
  std::uint64_t value = 0;
};

enum class Comparison : std::uint8_t { kGreaterEqual = 0, kEqual = 1, kAnd = 2, kNor = 3 };

struct ValueWaitTask {
  vk::BufferRange word;
  std::uint64_t value = 0;
  Comparison comparison = Comparison::kEqual;
};

/// Runs on the callback thread after all earlier work of the stream has completed; later work waits until it has
/// returned.
struct HostTask {
  /// Waiting for the device and for a thread, at work, over or dropped. Changed without the scheduler's lock.
  enum class State : std::uint8_t { kWaiting, kStarted, kDone };

  std::string type;  ///< what traces show: HOSTFUNC_CALLBACK, MEMCPY_ASYNC
  std::function<void()> function;
  std::shared_ptr<std::atomic<State>> state;        ///< of this issue of the task; made when the stream reaches it
  std::optional<vk::BufferRange> memory{};          ///< that the function copies from or to
  std::shared_ptr<std::optional<Error>> failure{};  ///< of this issue: what the function threw
  std::shared_ptr<Notify> done{};                   ///< is set when the task fails: its stream waits for it

  /// The function does not begin any more. One that has begun goes on.
  void drop() const {
    auto waiting = State::kWaiting;
    if (state) state->compare_exchange_strong(waiting, State::kDone);
  }
};

/// A task with a life of its own: a run of a captured model, an update. `advance` does what can be done now and returns
/// true when all of it has been submitted; called again after something has changed. Runs under the scheduler's lock.
class Procedure {
 public:
  virtual ~Procedure() = default;
  virtual bool advance(StreamQueue& queue) = 0;
  /// It will not be advanced again: the stream dropped it, or it threw. Whoever waits for its end must be let go.
  /// `superseded_by`: what the stream would have waited for in front of it.
  virtual void abandon(StreamQueue&, const std::vector<PointPtr>& /*superseded_by*/) {}
  /// Adds the ends of its functions that run on, once it has been abandoned.
  virtual void add_running_functions(std::vector<PointPtr>& /*superseded_by*/) const {}
  /// What it waits for, for the log: "model 3 waits for event 7".
  virtual std::string waits_for() const = 0;
  /// Whether what it has still to submit may use the allocation.
  virtual bool uses(const vk::BufferRange& /*allocation*/) const { return false; }
  /// The limit of a wait inside it that has lasted too long by now; 0 when there is none. It is given up then.
  virtual WaitLimit overdue(std::chrono::steady_clock::time_point) const { return WaitLimit{0}; }
};

struct ProcedureTask {
  std::shared_ptr<Procedure> procedure;  ///< null in a model: each run that comes here starts one
  std::function<std::shared_ptr<Procedure>()> start;
  std::string type = "MODEL_EXECUTE";  ///< what traces show
};

// Control flow, in built models only: which task of which stream comes next is decided when a run comes here.

/// A place that LabelSwitchTask can jump to.
struct LabelTask {
  std::shared_ptr<Label> label;
};

/// Jumps to the label whose number the word holds; a number too large means the last one.
struct LabelSwitchTask {
  vk::BufferRange index;  ///< 32 bits
  std::vector<std::shared_ptr<Label>> labels;
};

enum class Condition : std::uint8_t {
  kEqual = 0,
  kNotEqual = 1,
  kGreater = 2,
  kGreaterOrEqual = 3,
  kLess = 4,
  kLessOrEqual = 5,
};

/// Goes on with the target stream in place of this one when the condition holds between two signed words.
struct StreamSwitchTask {
  vk::BufferRange left;  ///< 32 or 64 bits
  vk::BufferRange right;
  Condition condition = Condition::kEqual;
  std::uint32_t target = 0;  ///< its id; a reference could be the last one, under the scheduler's lock
};

/// Starts the target stream; this one goes on.
struct StreamActiveTask {
  std::uint32_t target = 0;  ///< its id
};

/// The end of the model on this stream.
struct ModelEndTask {};

using Task = std::variant<KernelTask, CopyTask, Copy2dTask, FillTask, FillWordsTask, MarkTask, EventRecordTask,
                          EventWaitTask, EventResetTask, NotifyRecordTask, NotifyWaitTask, CountRecordTask,
                          CountWaitTask, ValueWriteTask, ValueWaitTask, HostTask, ProcedureTask, LabelTask,
                          LabelSwitchTask, StreamSwitchTask, StreamActiveTask, ModelEndTask>;

}  // namespace aclvk::runtime
