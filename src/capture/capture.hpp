#pragma once

#include <memory>

#include "capture/model.hpp"
#include "capture/task_group.hpp"
#include "runtime/stream.hpp"

namespace aclvk::capture {

// The aclmdlRI functions, with the checks that the runtime layer makes, in the order of capture-semantics sections 4
// to 11. Each takes the scheduler's lock itself.

void begin_capture(const runtime::StreamPtr& stream, int mode);

/// Ends the capture. `out` is null when the caller has no place for the model; it is set to the handle, or to null
/// where the capture ended without one, and left alone where the call is refused before it looks at the capture.
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

void execute(const ModelPtr& model, const runtime::StreamPtr& stream);
/// The live model or task group behind a handle; kInvalidHandle.
ModelPtr model_of(const void* handle);
std::shared_ptr<TaskGroup> task_group_of(const void* handle);

/// Names longer than 512 bytes are cut.
void set_name(Model& model, std::string name);
/// At most `size` bytes with the final NUL; kParamInvalid for 0.
void copy_name(const Model& model, char* out, std::uint32_t size);

/// Waits for a run in progress, then ends the model and the handles of its groups.
void destroy(const ModelPtr& model);

}  // namespace aclvk::capture
