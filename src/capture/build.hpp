#pragma once

#include <cstdint>

#include "capture/model.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::capture {

// The aclmdlRI functions that build a model from streams, with the checks of capture-semantics 13 in their order. Each
// takes the scheduler's lock itself.

ModelPtr begin_build(std::uint32_t flag);
/// `flag`: HEAD (0), the stream starts with the model, or DEFAULT (0x7fffffff), it starts when a task says so.
void bind_stream(const ModelPtr& model, const runtime::StreamPtr& stream, std::uint32_t flag);
void unbind_stream(const ModelPtr& model, const runtime::StreamPtr& stream);
void end_task(const ModelPtr& model, const runtime::StreamPtr& stream);
void end_build(const ModelPtr& model);

}  // namespace aclvk::capture
