#include "capture/captured/capture_sink.hpp"

#include <fmt/format.h>

#include <new>

#include "base/config.hpp"
#include "base/error.hpp"
#include "capture/captured/captured_event.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/model/attribution.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {
namespace {

using runtime::EventMaker;
using runtime::EventPtr;

// Returns whether records of the event become edges of the graph. An event of aclrtCreateEventExWithFlag without SYNC
// stores nothing (capture-semantics 7.1); in lenient mode the same holds for other events without SYNC.
bool takes_part(const EventPtr& event) { return event->synchronises(); }

}  // namespace

void CaptureSink::check_room() {
  const auto limit = static_cast<std::size_t>(config().max_model_tasks);
  check(limit == 0 || model_.graph().nodes().size() < limit, Code::kResourceAllocation,
        "Model {} has {} tasks, as many as ACLVK_MAX_MODEL_TASKS allows.", model_.id, limit);
}

// A task that cannot be stored would be missing in every run, so the capture fails.
template <typename Add>
NodeId CaptureSink::store(Add&& add) try {
  check_room();
  return add(model_.graph());
} catch (const Error& error) {
  invalidated_ = true;
  model_.poison(error);
  throw;
} catch (const std::bad_alloc&) {
  invalidated_ = true;
  const Error error(Code::kMemoryAllocation, fmt::format("The host has no memory for a task of model {}.", model_.id));
  model_.poison(error);
  throw Error(error);
}

void CaptureSink::accept(runtime::Stream& stream, runtime::Task&& task) {
  model_.groups().check_task(lane_, task);
  const bool mark = runtime::row_of(task).has(runtime::kOnlyInProfiles);
  if (const EventPtr event = external_event_of(task)) model_.use_external_event(event);
  const bool dump = is_dump_task(task);
  store([&](Graph& graph) REQUIRES(runtime::scheduler_mutex) {
    const NodeId node = graph.add(lane_, std::move(task));
    if (mark) return node;  // not a task of the program: belongs to no group and gets no attribution
    model_.groups().add(node);
    if (!dump) set_last_task(model_.weak_from_this(), node, stream.caches_op_info || model_.origin()->caches_op_info);
    return node;
  });
}

// Older runtimes capture the raw host pointer, and their samples rely on it; strict mode refuses it.
void CaptureSink::accept_pageable(runtime::Stream& stream, runtime::Task&& task) {
  if (!config().strict()) return accept(stream, std::move(task));
  const Error error(Code::kParamInvalid,
                    fmt::format("Stream {} is captured, and a copy of pageable memory cannot be one of its tasks; use "
                                "memory of aclrtMallocHost.",
                                stream.id));
  model_.store_error(error);
  throw Error(error);
}

bool CaptureSink::accepts_host_tasks() const { return !model_.groups().has_open(); }

NodeId CaptureSink::add_signal(runtime::Task task, NodeId record) {
  model_.groups().check_task(lane_, task);
  return store([&](Graph& graph)
                   REQUIRES(runtime::scheduler_mutex) { return graph.add_signal(lane_, std::move(task), record); });
}

// Strict mode behaves like the newest runtime; lenient mode lets plain events fork a stream, as samples of older
// runtimes do.
void CaptureSink::check_capturable(const EventPtr& event, const char* what) const {
  const bool refused = event->has(runtime::kEventIpc) || (config().strict() && event->maker != EventMaker::kExWithFlag);
  if (!refused) return;
  const Error error(
      Code::kFeatureNotSupported,
      fmt::format("Event {} cannot be {} in a capture; use an event of aclrtCreateEventExWithFlag with SYNC.",
                  event->id, what));
  model_.store_error(error);
  throw Error(error);
}

void CaptureSink::record(runtime::Stream& stream, const EventPtr& event) {
  if (event->external()) return accept(stream, runtime::EventRecordTask{event, nullptr});
  check_capturable(event, "recorded");
  if (!takes_part(event)) return;
  if (event->captured) CapturedRecord::of(event).check_same_model(model_, event);
  const runtime::EventRecordTask task{event, nullptr};
  model_.groups().check_task(lane_, task);
  store([&](Graph& graph) REQUIRES(runtime::scheduler_mutex) {
    const NodeId node = graph.add_signal(lane_, task, kNoNode);
    model_.use_event(event, node);
    event->captured = std::make_shared<CapturedRecord>(model_.self(), node);
    return node;
  });
}

void CaptureSink::wait(runtime::Stream& stream, const EventPtr& event, runtime::WaitLimit limit) {
  if (event->external()) return accept(stream, runtime::EventWaitTask{event, nullptr, nullptr, limit});
  check_capturable(event, "waited for");
  if (event->captured) return event->captured->wait(stream, event);
  if (!event->ever_recorded()) {
    if (event->maker == EventMaker::kExWithFlag) return;  // nothing to wait for
    event->issue_wait();                                  // throws for a plain event
    add_signal(runtime::EventWaitTask{event, nullptr, nullptr});
    model_.add_unmatched_wait(event);
    return;
  }
  const Error error(Code::kCaptureDependency,
                    fmt::format("Event {} was recorded outside the capture; captured stream {} cannot wait for it.",
                                event->id, stream.id));
  model_.store_error(error);
  throw Error(error);
}

// Stored for introspection only: each run starts with all captured events unrecorded.
void CaptureSink::reset(runtime::Stream& stream, const EventPtr& event) {
  if (event->external()) return accept(stream, runtime::EventResetTask{event, nullptr});
  check_capturable(event, "reset");
  add_signal(runtime::EventResetTask{event, nullptr});
}

void CaptureSink::check_executes(const runtime::Stream& stream, const char* what) const {
  const Error error(Code::kStreamCaptured,
                    fmt::format("Cannot {} stream {}: it is being captured by model {}.", what, stream.id, model_.id));
  model_.store_error(error);
  throw Error(error);
}

CaptureSink* find_capture_sink(const runtime::Stream& stream) {
  return stream.executes() ? nullptr : dynamic_cast<CaptureSink*>(&stream.sink());
}

void check_not_capturing(const runtime::Stream& stream, const char* what) {
  if (const CaptureSink* sink = find_capture_sink(stream)) sink->check_executes(stream, what);
}

void CaptureSink::retain(std::shared_ptr<void> object) { model_.retained.push_back(std::move(object)); }

void CaptureSink::abandon() { model_.discard(); }

void check_capturable_flags(const runtime::Stream& stream) {
  const std::uint32_t refused = runtime::kStreamCpuSchedule | runtime::kStreamDeviceUseOnly;
  check((stream.options.flags & refused) == 0, Code::kRuntimeInternal,
        "Stream {} was created with flags 0x{:x}; streams for CPU_SCHEDULE or DEVICE_USE_ONLY cannot be captured.",
        stream.id, stream.options.flags);
}

CaptureSink& capture_sink_of(const runtime::Stream& stream) {
  CaptureSink* sink = find_capture_sink(stream);
  check(sink != nullptr, Code::kStreamNotCaptured, "Stream {} is not being captured.", stream.id);
  return *sink;
}

}  // namespace aclvk::capture
