#include "support/null_device/null_processor.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "support/null_device/null_timeline.hpp"

namespace aclvk {
namespace {

NullTimeline& timeline_of(const vk::TimelinePoint& point) { return static_cast<NullTimeline&>(*point.timeline); }

}  // namespace

NullProcessor::NullProcessor(std::shared_ptr<NullState> state, std::size_t queues, NullKernels& kernels, bool stepwise)
    : state_(std::move(state)), kernels_(kernels), queues_(queues), stepwise_(stepwise), worker_([this] { work(); }) {}

// A stepwise processor has submissions that no step has run, so they are run here.
NullProcessor::~NullProcessor() {
  while (advance()) {
  }
  {
    const Lock lock(state_->mutex());
    stopped_ = true;
    state_->changed().notify_all();
  }
  worker_.join();
}

void NullProcessor::submit(std::size_t queue, Work work) {
  state_->enter(NullCall::kSubmit);
  const Lock lock(state_->mutex());
  state_->check_not_lost();
  timeline_of(work.signal).accept(work.signal.value);
  queues_.at(queue).push_back(std::move(work));
  state_->changed().notify_all();
}

void NullProcessor::set_stepwise(bool stepwise) {
  const Lock lock(state_->mutex());
  stepwise_ = stepwise;
  state_->changed().notify_all();
}

// Another thread may be running a submission: its end can make the next one ready, so it is waited for.
bool NullProcessor::advance(std::optional<std::size_t> queue) {
  Lock lock(state_->mutex());
  state_->changed().wait(lock, [&] { return !state_->running; });
  return run_one(lock, queue) && !state_->lost();
}

void NullProcessor::work() {
  Lock lock(state_->mutex());
  while (!stopped_) {
    // advance() of a test may run a submission on its thread meanwhile.
    const bool may_run = !stepwise_ && !state_->running;
    if (!may_run || !run_one(lock, {})) state_->changed().wait(lock);
  }
}

std::optional<NullProcessor::Work> NullProcessor::take_ready(std::optional<std::size_t> queue) {
  if (state_->lost()) return std::nullopt;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    auto& pending = queues_[i];
    if ((queue && *queue != i) || pending.empty()) continue;
    const auto& waits = pending.front().waits;
    const bool ready = std::all_of(waits.begin(), waits.end(), [](const auto& point) { return point.reached(); });
    if (!ready) continue;
    Work work = std::move(pending.front());
    pending.pop_front();
    return work;
  }
  return std::nullopt;
}

// `running` excludes other threads while the lock is released.
bool NullProcessor::run_one(Lock& lock, std::optional<std::size_t> queue) {
  const auto work = take_ready(queue);
  if (!work) return false;
  state_->running = true;
  lock.unlock();
  const bool done = execute(*work);
  lock.lock();
  state_->running = false;
  if (done) timeline_of(work->signal).complete(work->signal.value);
  state_->changed().notify_all();
  if (done) return true;
  lock.unlock();  // lose() takes it
  state_->lose();
  lock.lock();
  return true;
}

bool NullProcessor::execute(const Work& work) {
  if (state_->take_fault(NullCall::kExecute)) return false;
  for (const NullCommandBuffer* commands : work.commands) commands->run(kernels_);
  return true;
}

}  // namespace aclvk
