#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/handle.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime::profile {

// What a program marks itself. Ranges are kept in order also while nobody profiles, so that a profile may begin inside
// one.

/// An aclprofCreateStamp: a text for ranges and marks.
struct Stamp {
  std::string text;
};

/// An aclprofCreateStepInfo: which step of a training a thread is in.
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

/// Opens a range that any thread may close.
std::uint32_t start_range(std::string name);
/// Throws kInvalidParam for a number that is no open range's.
void stop_range(std::uint32_t id);

/// A moment of the calling thread.
void mark(const std::string& name);
/// A moment of the stream, when it comes there: in a captured or built model, of each run.
void mark_stream(Stream& stream, std::string name);

/// The step begins, or ends, on the calling thread and on the stream. Throws kProfilingFailure for an end without a
/// begin.
void begin_step(Step& step, Stream& stream);
void end_step(Step& step, Stream& stream);

/// A number for a text, always the same in a process, and the text. Empty for a number of none.
std::uint64_t text_id(const std::string& text);
std::string text_of(std::uint64_t id);

}  // namespace aclvk::runtime::profile
