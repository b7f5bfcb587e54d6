#pragma once

#include "base/error.hpp"
#include "capture/model/model.hpp"
#include "runtime/context/stream_use.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

// Checks that several aclmdlRI functions share, and look-ups of handles.

/// Returns the current context. Throws kContextNull if there is none, kModelContext if the model belongs to another
/// one. A caller that uses objects of the context holds the pointer, because another thread may destroy the context.
runtime::ContextPtr check_own_context(const Model& model) EXCLUDES(runtime::scheduler_mutex);
/// Returns the context of the model. Throws kContextNull if the model has outlived it.
runtime::ContextPtr live_context(const Model& model);
/// Throws kFeatureNotSupported for a sub-model: it runs and is destroyed only as a part of its parent.
void check_no_sub_model(const Model& model, const char* what);
/// Returns the live model that a handle names. Throws kInvalidHandle for a handle that is not live.
ModelPtr model_of(const void* handle);

}  // namespace aclvk::capture
