#pragma once

#include <cstdint>
#include <memory>

#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_group.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

// The aclmdlRICapture* functions: begin, end and state of a capture, and its task groups, with the checks of the
// runtime layer in the order of capture-semantics sections 4 to 9.

/// Begins a capture into a new model, with `stream` as its origin. `mode`: GLOBAL 0, THREAD_LOCAL 1, RELAXED 2.
void begin_capture(const runtime::StreamPtr& stream, int mode) EXCLUDES(runtime::scheduler_mutex);
/// Begins a capture into the body of a conditional task. Throws kParamInvalid for a model that is no body,
/// kModelCaptured for a body that has been captured already.
void begin_capture_to(const runtime::StreamPtr& stream, const ModelPtr& sub_model, int mode)
    EXCLUDES(runtime::scheduler_mutex);

/// Ends the capture on its origin stream and compiles the model. Sets `*out` to the model's handle, or to null when the
/// capture fails; leaves it unchanged when the call is refused before it reaches the capture. `out` may be null only
/// for the capture of a sub-model.
void end_capture(const runtime::StreamPtr& stream, void** out) EXCLUDES(runtime::scheduler_mutex);

/// The capture state of a stream (aclmdlRICaptureGetInfo); kInvalidated once the capture has failed.
enum class Status { kIdle = 0, kActive = 1, kInvalidated = 2 };
struct Info {
  Status status = Status::kIdle;
  void* model = nullptr;  ///< handle of the model; null when idle
};
/// Returns the capture state of a stream; takes no lock for a stream that executes.
Info capture_info(const runtime::Stream& stream) EXCLUDES(runtime::scheduler_mutex);

/// Sets the calling thread's capture mode (aclmdlRICaptureThreadExchangeMode); returns the previous one.
int exchange_thread_mode(int mode);

/// Opens a task group: kernels that the stream captures belong to it until end_task_group().
void begin_task_group(const runtime::StreamPtr& stream) EXCLUDES(runtime::scheduler_mutex);
/// Closes the stream's task group and registers it.
std::shared_ptr<TaskGroup> end_task_group(const runtime::StreamPtr& stream) EXCLUDES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
