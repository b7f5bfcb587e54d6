#include "runtime/profile/range.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/profile/call.hpp"
#include "runtime/profile/session.hpp"

namespace aclvk::runtime::profile {
namespace {

struct Range {
  std::string name;
  std::string members;
  Track track;
  std::int64_t begin = 0;
};

// Without destructors, so that they stay valid in thread-local destructors of the program, which open and close ranges,
// too.
struct Nested {
  std::vector<Range>* ranges = nullptr;
  std::uint64_t generation = 0;  // process_generation() at the last use
};
// Ranges nest by thread. A plain pointer, so that destructors that run after that of Reaper can still read it.
thread_local Nested nested;
thread_local bool thread_ends = false;

void delete_nested() { delete std::exchange(nested.ranges, nullptr); }

// Drops ranges that were left open in a Process that has ended.
void drop_earlier() {
  if (std::exchange(nested.generation, process_generation()) != process_generation()) delete_nested();
}

struct Reaper {
  ~Reaper() {
    thread_ends = true;
    const Track thread = thread_track();
    const bool first = thread.thread == thread.process;
    if (!first) delete_nested();  // ranges of the first thread may be closed by destructors of the program's statics
  }
};

struct Shared {
  Mutex mutex;
  std::uint32_t next_range GUARDED_BY(mutex) = 1;
  std::map<std::uint32_t, Range> ranges GUARDED_BY(mutex);
  std::map<std::string, std::uint64_t> ids GUARDED_BY(mutex);
  std::vector<std::string> texts GUARDED_BY(mutex);
};

// Not destroyed at exit: programs close ranges from destructors of their statics.
Shared& shared() { return ProcessState<Shared, StateId::kTraceTexts>::get(); }

/// Returns the begin of the current API call as the time of a range, so that the range encloses the call that opens it
/// and ends before the call that closes it.
std::int64_t begin_of_call() {
  const Call call = current_call();
  return call.begin != 0 ? call.begin : host_ns();
}

// A nanosecond before the call: a viewer then nests the call in the range.
Range open_range(std::string name, std::string members = {}) {
  return {std::move(name), std::move(members), thread_track(), begin_of_call() - 1};
}

}  // namespace

StampHandles& stamp_handles() { return ProcessState<StampHandles, StateId::kStampHandles>::get(); }

StepHandles& step_handles() { return ProcessState<StepHandles, StateId::kStepHandles>::get(); }

void push_range(std::string name, std::string members) {
  static thread_local Reaper reaper;
  drop_earlier();
  if (!nested.ranges) nested.ranges = new std::vector<Range>;
  nested.ranges->push_back(open_range(std::move(name), std::move(members)));
}

void pop_range() {
  drop_earlier();
  check(nested.ranges && !nested.ranges->empty(), Code::kProfilingFailure, "No range is open on this thread.");
  const Range range = std::move(nested.ranges->back());
  nested.ranges->pop_back();
  if (thread_ends && nested.ranges->empty()) delete_nested();
  const std::int64_t end = begin_of_call();
  deliver(kRanges,
          [&](TraceFile& file) { file.slice(range.track, "range", range.name, range.begin, end, range.members); });
}

std::uint32_t start_range(std::string name) {
  const LockGuard lock(shared().mutex);
  const std::uint32_t id = shared().next_range++;
  shared().ranges.emplace(id, open_range(std::move(name)));
  return id;
}

void stop_range(std::uint32_t id) {
  Range range;
  {
    const LockGuard lock(shared().mutex);
    const auto found = shared().ranges.find(id);
    check(found != shared().ranges.end(), Code::kInvalidParam, "rangeId is {}; no open range has it.", id);
    range = std::move(found->second);
    shared().ranges.erase(found);
  }
  const std::int64_t end = begin_of_call();
  deliver(kRanges, [&](TraceFile& file) { file.range(range.track, "range", range.name, range.begin, end); });
}

void mark(const std::string& name) {
  const std::int64_t now = host_ns();
  deliver(kRanges, [&](TraceFile& file) { file.instant(thread_track(), "mark", name, now); });
}

void mark_stream(Stream& stream, std::string name) {
  if (stream.executes() && !times_tasks(stream.device().id)) return;
  stream.accept(MarkTask{std::move(name)});
}

void begin_step(Step& step, Stream& stream) {
  step.begin = begin_of_call();
  ++step.number;
  mark_stream(stream, fmt::format("step {} begins", step.number));
}

void end_step(Step& step, Stream& stream) {
  check(step.begin != 0, Code::kProfilingFailure, "Step {} ends without having begun.", step.number + 1);
  const std::int64_t begin = std::exchange(step.begin, 0);
  const std::int64_t end = host_ns();
  mark_stream(stream, fmt::format("step {} ends", step.number));
  deliver(kRanges, [&](TraceFile& file) {
    file.range(thread_track(), "step", fmt::format("step {}", step.number), begin, end);
  });
}

std::uint64_t text_id(const std::string& text) {
  const LockGuard lock(shared().mutex);
  const auto [entry, added] = shared().ids.emplace(text, shared().texts.size() + 1);
  if (added) shared().texts.push_back(text);
  return entry->second;
}

std::string text_of(std::uint64_t id) {
  const LockGuard lock(shared().mutex);
  return id == 0 || id > shared().texts.size() ? std::string() : shared().texts[id - 1];
}

}  // namespace aclvk::runtime::profile
