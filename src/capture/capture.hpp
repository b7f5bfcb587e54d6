#pragma once

#include <cstdint>
#include <memory>

#include "capture/captured_model.hpp"
#include "capture/task_group.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::capture {

// aclmdlRICapture*: a capture from begin to end, with the checks that the runtime layer makes, in the order of
// capture-semantics sections 4 to 9. Each takes the scheduler's lock itself.

void begin_capture(const runtime::StreamPtr& stream, int mode);
/// The same into a sub-model (kParamInvalid for another model) that has not been captured yet (kModelCaptured).
void begin_capture_to(const runtime::StreamPtr& stream, const ModelPtr& sub_model, int mode);

/// Ends the capture. `out` is null when the caller has no place for the model; it is set to the handle, or to null
/// where the capture ended without one, and left alone where the call is refused before it looks at the capture.
/// The capture of a sub-model needs no place.
void end_capture(const runtime::StreamPtr& stream, void** out);

enum class Status { kIdle = 0, kActive = 1, kInvalidated = 2 };
struct Info {
  Status status = Status::kIdle;
  void* model = nullptr;
};
/// Cheap: a stream that is not captured is answered without any lock.
Info capture_info(const runtime::Stream& stream);

/// Swaps the calling thread's exchange mode; returns the old one.
int exchange_thread_mode(int mode);

void begin_task_group(const runtime::StreamPtr& stream);
std::shared_ptr<TaskGroup> end_task_group(const runtime::StreamPtr& stream);

}  // namespace aclvk::capture
