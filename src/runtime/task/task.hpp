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
#include "runtime/task/point.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "vk_device/commands/command_recorder.hpp"

namespace aclvk::runtime {

class CountNotify;
class Event;
class Label;
class Notify;
class StreamQueue;

// The tasks of streams, as plain data. Eager execution, capture, replay, the JSON dump and task updates all use these
// structs, so that a task behaves alike in all of them.

// Device work: recorded into a command buffer.

/// The kind of NPU core for a kernel: vector, or cube (matrix products). A GPU has one kind, but a task update must not
/// replace a kernel of one kind by one of the other (capture-semantics 9.2), and traces show the kind. kNone: an engine
/// outside the cores (reductions while copying, random numbers), whose work is a kernel on a GPU but does not count as
/// one in task groups (9.1).
enum class Core : std::uint8_t { kVector, kCube, kNone };

struct LaunchAttributes;  // defined in runtime/kernel/launch_attributes.hpp

struct KernelTask {
  std::string_view name;  ///< static lifetime: a string literal or an interned string
  vk::Dispatch dispatch;
  Core core = Core::kVector;
  void* function = nullptr;  ///< the aclrtFuncHandle, may be stale by now; null for operators
  std::shared_ptr<const LaunchAttributes> attributes{};  ///< null for none
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

/// A mark that the program sets for profiles. It has no other effect.
struct MarkTask {
  std::string text;
};

// Signals: processed by the host, when the StreamQueue or a run of a model reaches them.

/// The longest time that one wait may block a stream on the host; 0 means no limit. A wait that exceeds it fails the
/// stream's next synchronisation with kWaitTimeout, and later tasks execute. A wait on the device has no limit: the
/// work that it waits for has been submitted.
using WaitLimit = std::chrono::seconds;

/// The two kinds of records and waits. The EXTERNAL kind connects a model with work outside of it: each launch of the
/// model makes a new Point for the record, and binds the wait to the newest Point (capture-semantics 7.6).
enum class EventUse : std::uint8_t { kDefault = 0, kExternal = 1 };

struct EventRecordTask {
  std::shared_ptr<Event> event;
  PointPtr point;  ///< null for a Flag: an EXTERNAL event, or one between streams of a built model
  EventUse use = EventUse::kDefault;
};

struct EventWaitTask {
  std::shared_ptr<Event> event;
  PointPtr point;   ///< null for a Flag
  PointPtr passed;  ///< gets the state of `point` when the stream passes the wait; read by aclrtQueryEventWaitStatus
  WaitLimit limit{};
  EventUse use = EventUse::kDefault;
};

struct EventResetTask {
  std::shared_ptr<Event> event;
  PointPtr point;  ///< when the reset takes effect; null for a Flag
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
  bool clears = false;  ///< sets the count to 0 when the stream passes
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

/// A host function. It runs on a callback thread of the Watcher after all earlier work of the stream has completed;
/// later work waits until it has returned.
struct HostTask {
  /// Not called yet, running, returned or dropped. Atomic, because it changes without the scheduler lock.
  enum class State : std::uint8_t { kWaiting, kStarted, kDone };

  std::string type;  ///< the name in traces: HOSTFUNC_CALLBACK, MEMCPY_ASYNC
  std::function<void()> function;
  std::shared_ptr<std::atomic<State>> state;        ///< null until the stream first runs the task
  std::optional<vk::BufferRange> memory{};          ///< device memory that the function copies
  std::shared_ptr<std::optional<Error>> failure{};  ///< the error that the function threw
  std::shared_ptr<Notify> done{};                   ///< set by the function, or when the task is dropped

  /// Prevents the call of the function, unless it has begun.
  void drop() const {
    auto waiting = State::kWaiting;
    if (state) state->compare_exchange_strong(waiting, State::kDone);
  }
};

/// A task that submits its work in several steps: a run of a model, a conditional task, a task update.
class Procedure {
 public:
  virtual ~Procedure() = default;
  /// Submits what is possible now. Returns true when all work has been submitted; otherwise it is called again after a
  /// change.
  virtual bool advance(StreamQueue& queue) REQUIRES(scheduler_mutex) = 0;
  /// Ends a procedure that will not advance again, because the stream has dropped it or advance() has thrown. Must
  /// release all waiters for its work, which then wait for `superseded_by`.
  virtual void abandon(StreamQueue&, const std::vector<PointPtr>& /*superseded_by*/) REQUIRES(scheduler_mutex) {}
  /// Adds a point for each of its host functions that are still running after abandon().
  virtual void add_running_functions(std::vector<PointPtr>& /*superseded_by*/) const REQUIRES(scheduler_mutex) {}
  /// Describes what it waits for, for the log: "model 3 waits for event 7".
  virtual std::string waits_for() const REQUIRES(scheduler_mutex) = 0;
  /// Returns true when work that is still to be submitted may use the allocation.
  virtual bool uses(const vk::BufferRange& /*allocation*/) const REQUIRES(scheduler_mutex) { return false; }
  /// Returns the limit of a wait inside it that has passed by now, which ends the procedure; otherwise 0.
  virtual WaitLimit expired_limit(std::chrono::steady_clock::time_point) const REQUIRES(scheduler_mutex) {
    return WaitLimit{0};
  }
};

struct ProcedureTask {
  std::shared_ptr<Procedure> procedure;  ///< null in a model, where each run calls `start`
  std::function<std::shared_ptr<Procedure>()> start;
  std::string type = "MODEL_EXECUTE";  ///< the name in traces
};

// Control flow, in built models only. A run evaluates these tasks on the host.

/// A target of LabelSwitchTask.
struct LabelTask {
  std::shared_ptr<Label> label;
};

/// Jumps to the label with the number in `index`; a number past the end selects the last label.
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

/// Continues with the target stream instead of this one when the condition holds between two signed integers.
struct StreamSwitchTask {
  vk::BufferRange left;  ///< 32 or 64 bits
  vk::BufferRange right;
  Condition condition = Condition::kEqual;
  std::uint32_t target = 0;  ///< stream id; releasing the last StreamPtr under the scheduler lock would deadlock
};

/// Starts the target stream; this stream continues.
struct StreamActiveTask {
  std::uint32_t target = 0;  ///< stream id
};

/// The end of the model on this stream.
struct ModelEndTask {};

/// A std::variant of all types but the first: a list of rows begins with a comma.
template <typename, typename... Kinds>
using VariantOf = std::variant<Kinds...>;

/// A task of any kind, a row of task.def each. runtime/task/task_row.hpp has the properties of the kinds.
using Task = VariantOf<void
#define TASK(kind, ...) , kind##Task
#include "runtime/task/task.def"
#undef TASK
                       >;

}  // namespace aclvk::runtime
