#pragma once

#include <cstdint>
#include <memory>

#include "capture/graph/graph.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class CapturedModel;

/// The sink of a stream that is being captured: appends tasks to the model's graph instead of executing them. Owned by
/// the stream until the capture ends.
class CaptureSink : public runtime::Sink {
 public:
  CaptureSink(CapturedModel& model, std::uint32_t lane) : model_(model), lane_(lane) {}

  void accept(runtime::Stream& stream, runtime::Task&& task) override REQUIRES(runtime::scheduler_mutex);
  void accept_pageable(runtime::Stream& stream, runtime::Task&& task) override REQUIRES(runtime::scheduler_mutex);
  void record(runtime::Stream& stream, const runtime::EventPtr& event) override REQUIRES(runtime::scheduler_mutex);
  void wait(runtime::Stream& stream, const runtime::EventPtr& event, runtime::WaitLimit limit) override
      REQUIRES(runtime::scheduler_mutex);
  void reset(runtime::Stream& stream, const runtime::EventPtr& event) override REQUIRES(runtime::scheduler_mutex);
  void check_executes(const runtime::Stream& stream, const char* what) const override
      REQUIRES(runtime::scheduler_mutex);
  bool accepts_host_tasks() const override REQUIRES(runtime::scheduler_mutex);
  const void* store() const override { return &model_; }
  void retain(std::shared_ptr<void> object) override REQUIRES(runtime::scheduler_mutex);
  void abandon() override REQUIRES(runtime::scheduler_mutex);

  CapturedModel& model() const { return model_; }
  std::uint32_t lane() const { return lane_; }
  /// Appends a record, wait or reset of an ordinary event.
  NodeId add_signal(runtime::Task task, NodeId record = kNoNode) REQUIRES(runtime::scheduler_mutex);
  /// Returns whether a task of this stream could not be stored, for lack of memory or because of ACLVK_MAX_MODEL_TASKS.
  bool invalidated() const REQUIRES(runtime::scheduler_mutex) { return invalidated_; }

 private:
  void check_capturable(const runtime::EventPtr& event, const char* what) const REQUIRES(runtime::scheduler_mutex);
  void check_room() REQUIRES(runtime::scheduler_mutex);
  template <typename Add>
  NodeId store(Add&& add) REQUIRES(runtime::scheduler_mutex);

  CapturedModel& model_;
  const std::uint32_t lane_;
  bool invalidated_ GUARDED_BY(runtime::scheduler_mutex) = false;
};

/// Returns the sink of a stream that is being captured, else null.
CaptureSink* find_capture_sink(const runtime::Stream& stream) REQUIRES(runtime::scheduler_mutex);
/// Throws kStreamCaptured when the stream is being captured. `what` is the verb of the message: "Cannot synchronize
/// stream 3".
void check_not_capturing(const runtime::Stream& stream, const char* what) REQUIRES(runtime::scheduler_mutex);
/// Throws kRuntimeInternal for streams that can never be captured (CPU_SCHEDULE, DEVICE_USE_ONLY).
void check_capturable_flags(const runtime::Stream& stream);

/// Returns the sink of a stream that is being captured. Throws kStreamNotCaptured for another stream.
CaptureSink& capture_sink_of(const runtime::Stream& stream) REQUIRES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
