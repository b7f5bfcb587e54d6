#pragma once

#include "runtime/stream/sink.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {

/// The sink of a stream that executes its tasks: it pushes them into the stream's StreamQueue.
class QueueSink : public Sink {
 public:
  void accept(Stream& stream, Task&& task) override REQUIRES(scheduler_mutex);
  void accept_all(Stream& stream, std::vector<Task>&& tasks) override REQUIRES(scheduler_mutex);
  void record(Stream& stream, const std::shared_ptr<Event>& event) override REQUIRES(scheduler_mutex);
  void wait(Stream& stream, const std::shared_ptr<Event>& event, WaitLimit limit) override REQUIRES(scheduler_mutex);
  void reset(Stream& stream, const std::shared_ptr<Event>& event) override REQUIRES(scheduler_mutex);
  void check_executes(const Stream&, const char*) const override REQUIRES(scheduler_mutex) {}
};

}  // namespace aclvk::runtime
