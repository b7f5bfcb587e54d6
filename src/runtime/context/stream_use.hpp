#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// The stream functions of the API that add no tasks (runtime-semantics 4).

/// Creates a stream of the current context. Clamps the priority and ignores unknown flags. Throws kContextNull,
/// kParamInvalid for DEVICE_USE_ONLY with another flag, kNoStreamResource.
StreamPtr create_stream(std::uint32_t priority, std::uint32_t flags);

/// Throws kContextNull or kStreamContext unless the stream belongs to the current context. Not with the scheduler lock,
/// unless the thread has called find_current_context(): it may create the context of the configured default device.
void check_own_context(const Stream& stream);

/// aclrtSynchronizeStream: waits for the stream's tasks if waited_for(). Requires that the calling thread has a
/// context, which need not be the stream's.
void synchronize_stream(Stream& stream, Timeout timeout = {});
/// aclrtStreamQuery: returns whether the stream's tasks are complete; true for streams that are not waited_for().
bool stream_done(Stream& stream);

/// Returns false for PERSISTENT, CPU_SCHEDULE and DEVICE_USE_ONLY streams, on which the host never waits.
bool waited_for(const Stream& stream);

}  // namespace aclvk::runtime
