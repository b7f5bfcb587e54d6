#pragma once

#include "base/error.hpp"
#include "capture/capture_sink.hpp"
#include "capture/captured_model.hpp"
#include "capture/task_group.hpp"
#include "runtime/stream/stream_use.hpp"

namespace aclvk::capture {

// Checks that several aclmdlRI functions make, and the way from handles to objects.

/// The current context; throws kContextNull, or kModelContext unless the model belongs to it. Who works with what the
/// context has keeps it: another thread may destroy it. Never under the scheduler's lock, as
/// runtime::check_own_context for streams.
runtime::ContextPtr check_own_context(const Model& model);
/// The context of the model, which the model may outlive; kContextNull then.
runtime::ContextPtr live_context(const Model& model);
/// Throws kFeatureNotSupported for a sub-model, which lives, runs and dies with its parent.
void check_no_sub_model(const Model& model, const char* what);
/// The capture sink of a stream that is being captured, else kStreamNotCaptured. Needs the scheduler's lock.
CaptureSink& capture_sink_of(const runtime::Stream& stream);

/// The live object behind a handle; kInvalidHandle.
ModelPtr model_of(const void* handle);
std::shared_ptr<TaskGroup> task_group_of(const void* handle);
/// The same for a captured model; kFeatureNotSupported for a built one.
CapturedModelPtr captured_model_of(const void* handle);

}  // namespace aclvk::capture
