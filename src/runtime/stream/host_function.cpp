#include "runtime/stream/host_function.hpp"

#include <exception>
#include <functional>
#include <utility>

#include "base/current_error.hpp"
#include "base/log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_observer.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

struct ProgramFunction {
  std::function<void()> function;
  std::uint32_t stream;
  std::uint32_t task;
};

[[noreturn]] void end_process(const ProgramFunction& called, const char* exception) noexcept {
  log().critical(
      "The host function of stream {}, task {}, threw an exception ({}), which no caller can catch: the process "
      "ends.",
      called.stream, called.task, exception);
  flush_log();
  std::terminate();
}

// Terminates inside the handlers, so that the program's terminate handler can still read the current exception.
void call(const ProgramFunction& called) noexcept {
  try {
    called.function();
  } catch (const std::exception& exception) {
    end_process(called, exception.what());
  } catch (...) {
    end_process(called, "no std::exception");
  }
}

void store_current_error(std::optional<Error>& error) noexcept {
  try {
    error = current_error();
  } catch (const std::exception&) {  // no memory for the error text
    error.emplace(Code::kMemoryAllocation, std::string());
  }
}

void run_and_store_error(const std::function<void()>& function, std::optional<Error>& error) noexcept {
  try {
    function();
  } catch (const std::exception&) {
    store_current_error(error);
  }
}

}  // namespace

std::function<void()> terminating_on_exception(std::function<void()> function, std::uint32_t stream,
                                               std::uint32_t task) {
  return [called = ProgramFunction{std::move(function), stream, task}] { call(called); };
}

// Runs the function on a callback thread, because a slow one would delay the watcher thread and with it all streams of
// the device. The lambdas copy members of the task: the stream may drop the task before the function is called.
void start_host_function(const HostTask& task, const StreamIdentity& stream, const vk::TimelinePoint& before) {
  stream.device->watcher().when_reached(
      before, [&device = *stream.device, state = task.state, failure = task.failure, function = task.function,
               type = task.type, stream = stream.id]() REQUIRES(scheduler_mutex) {
        device.watcher().run_callback(
            [&device, state, failure, function, type, stream] {
              // The exchange decides between this thread and HostTask::drop() on another one.
              auto waiting = HostTask::State::kWaiting;
              if (!state->compare_exchange_strong(waiting, HostTask::State::kStarted)) return;  // dropped
              const auto* const observer = stream_observer.load(std::memory_order_relaxed);
              const std::int64_t begin = observer ? host_ns() : 0;
              run_and_store_error(
                  [&] {
                    device.check_not_lost();  // the work before the function is not complete
                    function();
                  },
                  *failure);
              if (observer) observer->on_host_function(type.c_str(), stream, begin);
            },
            // A retry of the stream then runs the task again, which throws the stored error.
            [state]() REQUIRES(scheduler_mutex) {
              *state = HostTask::State::kDone;
              Scheduler::instance().changed();
            });
      });
}

}  // namespace aclvk::runtime
