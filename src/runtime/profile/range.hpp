#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/handle.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime::profile {

// Marks and ranges of the program. Open ranges are tracked also while nothing is profiled, so that a profile may begin
// inside one.

/// An aclprofCreateStamp: a text for ranges and marks.
struct Stamp {
  std::string text;
};

/// An aclprofCreateStepInfo: a training step of a thread.
struct Step {
  std::uint64_t number = 0;
  std::int64_t begin = 0;  ///< 0 outside a step
};

using StampHandles = HandleTable<Stamp, HandleTag::kProfileStamp>;
using StepHandles = HandleTable<Step, HandleTag::kProfileStep>;
StampHandles& stamp_handles();
StepHandles& step_handles();

/// Opens a range inside the calling thread's innermost one; `members` as in TraceFile.
void push_range(std::string name, std::string members = {});
/// Closes the innermost range. Throws kProfilingFailure when none is open.
void pop_range();

/// Opens a range that any thread may close. Returns its number.
std::uint32_t start_range(std::string name);
/// Throws kInvalidParam for a number without an open range.
void stop_range(std::uint32_t id);

/// Marks the current time of the calling thread.
void mark(const std::string& name);
/// Marks the time at which the stream reaches this call; in a captured or built model, the time in each run.
void mark_stream(Stream& stream, std::string name);

/// Begins a step on the calling thread and on the stream.
void begin_step(Step& step, Stream& stream);
/// Throws kProfilingFailure without a begin.
void end_step(Step& step, Stream& stream);

/// Returns the number of a text, which is constant in a process.
std::uint64_t text_id(const std::string& text);
/// Returns the text of a number; empty for an unknown number.
std::string text_of(std::uint64_t id);

}  // namespace aclvk::runtime::profile
