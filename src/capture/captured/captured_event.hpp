#pragma once

#include <memory>

#include "capture/graph/graph.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/sink.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class CapturedModel;

/// The newest record of an event inside a capture; Event::captured points to it until the capture ends. A stream that
/// waits for the event joins the capture.
class CapturedRecord : public runtime::CapturedEvent {
 public:
  CapturedRecord(std::shared_ptr<CapturedModel> model, NodeId record) : model_(std::move(model)), record_(record) {}

  static CapturedRecord& of(const runtime::EventPtr& event) REQUIRES(runtime::scheduler_mutex) {
    return static_cast<CapturedRecord&>(*event->captured);
  }

  void wait(runtime::Stream& waiter, const runtime::EventPtr& event) override REQUIRES(runtime::scheduler_mutex);
  void check_use_by(runtime::Stream& stream, const runtime::EventPtr& event) override
      REQUIRES(runtime::scheduler_mutex);

  /// Throws kStreamCaptureConflict and poisons both captures unless the event belongs to `model`.
  void check_same_model(CapturedModel& model, const runtime::EventPtr& event) REQUIRES(runtime::scheduler_mutex);

 private:
  void fork(runtime::Stream& stream, const runtime::EventPtr& event) REQUIRES(runtime::scheduler_mutex);

  std::shared_ptr<CapturedModel> model_ GUARDED_BY(runtime::scheduler_mutex);
  NodeId record_ GUARDED_BY(runtime::scheduler_mutex);
};

}  // namespace aclvk::capture
