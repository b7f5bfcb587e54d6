#pragma once

#include <memory>

#include "capture/graph/graph.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/sink.hpp"

namespace aclvk::capture {

class CapturedModel;

/// The newest record of an event inside a capture; Event::captured points to it until the capture ends. A stream that
/// waits for the event joins the capture. All members require the scheduler lock.
class CapturedRecord : public runtime::CapturedEvent {
 public:
  CapturedRecord(std::shared_ptr<CapturedModel> model, NodeId record) : model_(std::move(model)), record_(record) {}

  static CapturedRecord& of(const runtime::EventPtr& event) { return static_cast<CapturedRecord&>(*event->captured); }

  void wait(runtime::Stream& waiter, const runtime::EventPtr& event) override;
  void check_use_by(runtime::Stream& stream, const runtime::EventPtr& event) override;

  /// Throws kStreamCaptureConflict and poisons both captures unless the event belongs to `model`.
  void check_same_model(CapturedModel& model, const runtime::EventPtr& event);

 private:
  void fork(runtime::Stream& stream, const runtime::EventPtr& event);

  std::shared_ptr<CapturedModel> model_;
  NodeId record_;
};

}  // namespace aclvk::capture
