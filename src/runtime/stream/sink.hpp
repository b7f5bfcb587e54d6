#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

class Event;
class Stream;

/// Who listens to a stream: its queue (runs the task now), a capture (keeps it), a task update (swaps it in). Called
/// with the scheduler's lock held.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Takes over a task that is none of the three below.
  virtual void accept(Stream& stream, Task&& task) = 0;
  /// The same for several that belong together: when one is refused, none of them is going to run. (Where the host runs
  /// out of memory, some may.)
  virtual void accept_all(Stream& stream, std::vector<Task>&& tasks) {
    for (Task& task : tasks) accept(stream, std::move(task));
  }
  /// The same for a copy that keeps a raw pointer to pageable memory.
  virtual void accept_pageable(Stream& stream, Task&& task) { accept(stream, std::move(task)); }

  virtual void record(Stream& stream, const std::shared_ptr<Event>& event) = 0;
  virtual void wait(Stream& stream, const std::shared_ptr<Event>& event, WaitLimit limit) = 0;
  virtual void reset(Stream& stream, const std::shared_ptr<Event>& event) = 0;

  /// Refuses what only a stream that executes can do: "synchronise stream 3". Throws kStreamCaptured while capturing.
  virtual void check_executes(const Stream& stream, const char* what) const = 0;
  /// Whether a HostTask may stand between the tasks that come.
  virtual bool takes_host_tasks() const { return true; }
  /// The model that is built from the stream, if one is.
  virtual std::optional<std::uint32_t> bound_to() const { return std::nullopt; }
  /// Where captured tasks are stored, which lives as long as they do; null when none are.
  virtual const void* store() const { return nullptr; }
  /// Keeps `object` alive as long as the store.
  virtual void retain(std::shared_ptr<void>) {}
  /// The stream is aborted or destroyed and its queue takes over; a capture that it takes part in ends without a model.
  virtual void abandon() {}
};

/// An event's part in a capture, as long as the capture lasts. Implemented by the capture.
class CapturedEvent {
 public:
  virtual ~CapturedEvent() = default;
  /// A stream waits for the captured event: it joins the capture, or gets a dependency edge.
  virtual void wait(Stream& waiter, const std::shared_ptr<Event>& event) = 0;
  /// A stream that is not captured records or resets the event: refused for the default stream
  /// (kStreamCaptureImplicit), eager for others.
  virtual void check_use_by(Stream& stream, const std::shared_ptr<Event>& event) = 0;
};

}  // namespace aclvk::runtime
