#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// What a program does with streams besides giving them tasks (runtime-semantics 4).

/// A stream of the current context: the priority is clamped, unknown flags are dropped. Throws kContextNull,
/// kParamInvalid for DEVICE_USE_ONLY with another flag, kNoStreamResource.
StreamPtr create_stream(std::uint32_t priority, std::uint32_t flags);

/// Throws kContextNull or kStreamContext unless the stream belongs to the current context. May make the context of the
/// configured default device, so never under the scheduler's lock.
void check_own_context(const Stream& stream);

/// Waits for the stream's tasks. The calling thread needs some context, not the stream's. Streams that only serve
/// models or the device are not waited for.
void synchronize_stream(Stream& stream, Timeout timeout = {});
bool stream_done(Stream& stream);

/// False for PERSISTENT, CPU_SCHEDULE and DEVICE_USE_ONLY streams, which the host never waits for.
bool waited_for(const Stream& stream);

}  // namespace aclvk::runtime
