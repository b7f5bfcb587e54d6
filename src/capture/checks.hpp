#pragma once

#include "base/error.hpp"
#include "capture/capture_sink.hpp"
#include "capture/captured_model.hpp"
#include "capture/task_group.hpp"
#include "runtime/context/stream_use.hpp"

namespace aclvk::capture {

// Checks that several aclmdlRI functions share, and look-ups of handles.

/// Returns the current context. Throws kContextNull if there is none, kModelContext if the model belongs to another
/// one. A caller that uses objects of the context holds the pointer, because another thread may destroy the context.
/// Must not be called with the scheduler lock, like runtime::check_own_context for streams.
runtime::ContextPtr check_own_context(const Model& model);
/// Returns the context of the model. Throws kContextNull if the model has outlived it.
runtime::ContextPtr live_context(const Model& model);
/// Throws kFeatureNotSupported for a sub-model: it runs and is destroyed only as a part of its parent.
void check_no_sub_model(const Model& model, const char* what);
/// Returns the sink of a stream that is being captured. Throws kStreamNotCaptured for another stream. Requires the
/// scheduler lock.
CaptureSink& capture_sink_of(const runtime::Stream& stream);

/// Return the live object that a handle names. Throw kInvalidHandle for a handle that is not live.
ModelPtr model_of(const void* handle);
std::shared_ptr<TaskGroup> task_group_of(const void* handle);
/// Returns the captured model that a handle names. Throws kInvalidHandle, or kFeatureNotSupported for a built model.
CapturedModelPtr captured_model_of(const void* handle);

}  // namespace aclvk::capture
