#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

class Event;
class Stream;

/// The receiver of a stream's tasks. QueueSink executes them and HoldingSink collects them; sinks in `capture` add them
/// to the graph of a model, or replace tasks of a model by them (task update).
class Sink {
 public:
  virtual ~Sink() = default;

  /// Accepts a task other than a record, a wait or a reset of an event.
  virtual void accept(Stream& stream, Task&& task) REQUIRES(scheduler_mutex) = 0;
  /// Accepts all of several tasks or, when one is refused, none. (When host memory runs out, some may execute.)
  virtual void accept_all(Stream& stream, std::vector<Task>&& tasks) REQUIRES(scheduler_mutex) {
    for (Task& task : tasks) accept(stream, std::move(task));
  }
  /// Accepts a copy that contains a raw pointer to pageable memory.
  virtual void accept_pageable(Stream& stream, Task&& task) REQUIRES(scheduler_mutex) {
    accept(stream, std::move(task));
  }

  virtual void record(Stream& stream, const std::shared_ptr<Event>& event) REQUIRES(scheduler_mutex) = 0;
  virtual void wait(Stream& stream, const std::shared_ptr<Event>& event, WaitLimit limit) REQUIRES(scheduler_mutex) = 0;
  virtual void reset(Stream& stream, const std::shared_ptr<Event>& event) REQUIRES(scheduler_mutex) = 0;

  /// Throws kStreamCaptured while capturing. `what`: the refused operation ("synchronize"), for the error text.
  virtual void check_executes(const Stream& stream, const char* what) const REQUIRES(scheduler_mutex) = 0;
  /// Returns true when a HostTask is allowed among the tasks.
  virtual bool accepts_host_tasks() const REQUIRES(scheduler_mutex) { return true; }
  /// Returns the id of the model that is being built from the stream, if any.
  virtual std::optional<std::uint32_t> bound_to() const REQUIRES(scheduler_mutex) { return std::nullopt; }
  /// Returns an identity of the model that stores captured tasks; null when the sink stores none.
  virtual const void* store() const REQUIRES(scheduler_mutex) { return nullptr; }
  /// Keeps `object` alive as long as that model.
  virtual void retain(std::shared_ptr<void>) REQUIRES(scheduler_mutex) {}
  /// Ends the use of the sink because the stream is aborted or destroyed. A capture of the stream ends without a model.
  virtual void abandon() REQUIRES(scheduler_mutex) {}
};

/// The state of an event that a capture uses, until the capture ends. Implemented in `capture`.
class CapturedEvent {
 public:
  virtual ~CapturedEvent() = default;
  /// Handles a stream's wait for the captured event: the stream joins the capture, or gets a dependency edge.
  virtual void wait(Stream& waiter, const std::shared_ptr<Event>& event) REQUIRES(scheduler_mutex) = 0;
  /// Checks a stream that is not captured and records or resets the event: throws kStreamCaptureImplicit for the
  /// default stream.
  virtual void check_use_by(Stream& stream, const std::shared_ptr<Event>& event) REQUIRES(scheduler_mutex) = 0;
};

}  // namespace aclvk::runtime
