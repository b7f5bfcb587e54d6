#pragma once

#include <cstdint>
#include <memory>

#include "capture/graph/graph.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::capture {

class CapturedModel;

/// The sink of a stream that is being captured: appends tasks to the model's graph instead of executing them. Owned by
/// the stream until the capture ends. All members require the scheduler lock.
class CaptureSink : public runtime::Sink {
 public:
  CaptureSink(CapturedModel& model, std::uint32_t lane) : model_(model), lane_(lane) {}

  void accept(runtime::Stream& stream, runtime::Task&& task) override;
  void accept_pageable(runtime::Stream& stream, runtime::Task&& task) override;
  void record(runtime::Stream& stream, const runtime::EventPtr& event) override;
  void wait(runtime::Stream& stream, const runtime::EventPtr& event, runtime::WaitLimit limit) override;
  void reset(runtime::Stream& stream, const runtime::EventPtr& event) override;
  void check_executes(const runtime::Stream& stream, const char* what) const override;
  bool accepts_host_tasks() const override;
  const void* store() const override { return &model_; }
  void retain(std::shared_ptr<void> object) override;
  void abandon() override;

  CapturedModel& model() const { return model_; }
  std::uint32_t lane() const { return lane_; }
  /// Appends a record, wait or reset of an ordinary event.
  NodeId add_signal(runtime::Task task, NodeId record = kNoNode);
  /// Returns whether a task of this stream could not be stored, for lack of memory or because of ACLVK_MAX_MODEL_TASKS.
  bool invalidated() const { return invalidated_; }

 private:
  void check_capturable(const runtime::EventPtr& event, const char* what) const;
  void check_room();
  template <typename Add>
  NodeId store(Add&& add);

  CapturedModel& model_;
  const std::uint32_t lane_;
  bool invalidated_ = false;
};

/// Returns the sink of a stream that is being captured, else null. Requires the scheduler lock.
CaptureSink* find_capture_sink(const runtime::Stream& stream);
/// Throws kStreamCaptured when the stream is being captured. `what` is the verb of the message: "Cannot synchronize
/// stream 3".
void check_not_capturing(const runtime::Stream& stream, const char* what);
/// Throws kRuntimeInternal for streams that can never be captured (CPU_SCHEDULE, DEVICE_USE_ONLY).
void check_capturable_flags(const runtime::Stream& stream);

/// Returns the sink of a stream that is being captured. Throws kStreamNotCaptured for another stream. Requires the
/// scheduler lock.
CaptureSink& capture_sink_of(const runtime::Stream& stream);

}  // namespace aclvk::capture
