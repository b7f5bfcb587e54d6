#pragma once

#include "runtime/stream/sink.hpp"

namespace aclvk::runtime {

/// The sink of a stream that executes its tasks: it pushes them into the stream's StreamQueue.
class QueueSink : public Sink {
 public:
  void accept(Stream& stream, Task&& task) override;
  void accept_all(Stream& stream, std::vector<Task>&& tasks) override;
  void record(Stream& stream, const std::shared_ptr<Event>& event) override;
  void wait(Stream& stream, const std::shared_ptr<Event>& event, WaitLimit limit) override;
  void reset(Stream& stream, const std::shared_ptr<Event>& event) override;
  void check_executes(const Stream&, const char*) const override {}
};

}  // namespace aclvk::runtime
