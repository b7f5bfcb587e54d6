#pragma once

#include <cstdint>

#include "capture/model/model.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

// The aclmdlRI functions that build a model from streams, with the checks of capture-semantics 13 in the documented
// order.

/// Creates an empty model in the current context. Throws kParamInvalid unless the reserved `flag` is 0.
ModelPtr begin_build(std::uint32_t flag) EXCLUDES(runtime::scheduler_mutex);
/// Binds the stream as the model's next lane. `flag` is HEAD (0): the lane starts with each run, or DEFAULT
/// (0x7fffffff): the lane starts when a task of the model activates it.
void bind_stream(const ModelPtr& model, const runtime::StreamPtr& stream, std::uint32_t flag)
    EXCLUDES(runtime::scheduler_mutex);
/// Takes the stream out of the model; the stream executes tasks again. Throws kModelRunning during a run.
void unbind_stream(const ModelPtr& model, const runtime::StreamPtr& stream) EXCLUDES(runtime::scheduler_mutex);
/// Marks the end of the model on this stream (aclmdlRIEndTask).
void end_task(const ModelPtr& model, const runtime::StreamPtr& stream) EXCLUDES(runtime::scheduler_mutex);
/// Compiles the lanes; the model can run afterwards.
void end_build(const ModelPtr& model) EXCLUDES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
