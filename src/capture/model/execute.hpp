#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "capture/model/model.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

// The aclmdlRI functions on a whole model, captured or built, with the checks of the runtime layer in the order of
// capture-semantics sections 10 and 11.

/// Launches a run of the model as one task of the stream (aclmdlRIExecuteAsync).
void execute(const ModelPtr& model, const runtime::StreamPtr& stream) EXCLUDES(runtime::scheduler_mutex);
/// Runs the model on a private stream and waits for the run (aclmdlRIExecute); -1 ms waits for ever. Throws
/// kStreamSyncTimeout after the timeout; the run continues. Throws kParamInvalid for a captured model in strict mode.
void execute_and_wait(const ModelPtr& model, std::int32_t timeout_ms) EXCLUDES(runtime::scheduler_mutex);
/// Stops all runs of a built model (aclmdlRIAbort); callers that wait for them get kModelAbortNormal.
void abort(const ModelPtr& model) EXCLUDES(runtime::scheduler_mutex);

/// Throw kParamInvalid for NULL, for a function that is registered already, or (remove) is not registered.
void add_destroy_callback(const ModelPtr& model, DestroyCallback callback) EXCLUDES(runtime::scheduler_mutex);
void remove_destroy_callback(const ModelPtr& model, void (*function)(void*)) EXCLUDES(runtime::scheduler_mutex);
/// Waits for runs in progress (kModelRunning after 10 s), calls the destroy callbacks, then retires the model: its
/// handles become stale.
void destroy(const ModelPtr& model) EXCLUDES(runtime::scheduler_mutex);

/// Truncates the name to 512 bytes.
void set_name(Model& model, std::string name) EXCLUDES(runtime::scheduler_mutex);
/// Copies at most `size` bytes, including the final NUL. Throws kParamInvalid for size 0.
void copy_name(const Model& model, char* out, std::uint32_t size) EXCLUDES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
