#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/stream/sink.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {

class BuiltModel;

/// The sink of a stream that is bound to a built model: appends tasks to the model's lane instead of executing them.
/// Events between bound streams are binary signals, made by aclrtCreateEventWithFlag with SYNC or EXTERNAL. Owned by
/// the stream.
class BoundSink : public runtime::Sink {
 public:
  BoundSink(std::weak_ptr<BuiltModel> model, std::uint32_t lane) : model_(std::move(model)), lane_(lane) {}

  void accept(runtime::Stream& stream, runtime::Task&& task) override REQUIRES(runtime::scheduler_mutex);
  void record(runtime::Stream& stream, const runtime::EventPtr& event) override REQUIRES(runtime::scheduler_mutex);
  void wait(runtime::Stream& stream, const runtime::EventPtr& event, runtime::WaitLimit limit) override
      REQUIRES(runtime::scheduler_mutex);
  void reset(runtime::Stream& stream, const runtime::EventPtr& event) override REQUIRES(runtime::scheduler_mutex);
  void check_executes(const runtime::Stream&, const char*) const override REQUIRES(runtime::scheduler_mutex) {}
  std::optional<std::uint32_t> bound_to() const override REQUIRES(runtime::scheduler_mutex);
  void abandon() override REQUIRES(runtime::scheduler_mutex);

  std::shared_ptr<BuiltModel> model() const { return model_.lock(); }
  std::uint32_t lane() const { return lane_; }

 private:
  const std::weak_ptr<BuiltModel> model_;
  const std::uint32_t lane_;
};

/// Returns the stream's sink if the stream is bound to a model, else null.
BoundSink* find_bound_sink(const runtime::Stream& stream) REQUIRES(runtime::scheduler_mutex);

}  // namespace aclvk::capture
