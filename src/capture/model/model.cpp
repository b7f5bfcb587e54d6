#include "capture/model/model.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/process_state.hpp"
#include "capture/model/task_handle.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

std::uint32_t next_id() { return ProcessValue<std::uint32_t, 0, StateId::kModelIds>::next(); }

}  // namespace

runtime::PointPtr end_of(std::shared_ptr<RunTicket> ticket) {
  while (ticket && ticket->dropped) ticket = ticket->previous;
  return ticket ? ticket->end : nullptr;
}

Model::Model(const runtime::ContextPtr& owner) : id(next_id()), private_streams(owner), context_(owner) {}

Model::~Model() = default;

// Allocates nothing: a run that has been made is always enqueued.
void Model::enqueue_run(const std::shared_ptr<RunTicket>& ticket) noexcept {
  ticket->previous = std::exchange(newest_ticket_, ticket);
}

bool Model::running() const {
  const runtime::PointPtr end = last_run();
  return end && !end->reached();
}

// The list reaches back to the run that is in progress: a run that has begun unlinks the runs before it.
void Model::stop_runs() {
  for (RunTicket* ticket = newest_ticket_.get(); ticket; ticket = ticket->previous.get()) ticket->stopped = true;
  runtime::Scheduler::instance().changed();  // blocked streams try their tasks again, and the runs see `stopped`
}

void Model::add_destroy_callback(DestroyCallback callback) {
  const auto same = [&](const DestroyCallback& registered) { return registered.function == callback.function; };
  check(std::none_of(destroy_callbacks_.begin(), destroy_callbacks_.end(), same), Code::kParamInvalid,
        "func is registered for the end of model {} already.", id);
  destroy_callbacks_.push_back(callback);
}

void Model::remove_destroy_callback(void (*function)(void*)) {
  const auto same = [&](const DestroyCallback& registered) { return registered.function == function; };
  const auto found = std::find_if(destroy_callbacks_.begin(), destroy_callbacks_.end(), same);
  check(found != destroy_callbacks_.end(), Code::kParamInvalid, "func is not registered for the end of model {}.", id);
  destroy_callbacks_.erase(found);
}

std::vector<DestroyCallback> Model::take_destroy_callbacks() { return std::exchange(destroy_callbacks_, {}); }

void Model::retire() {
  remove_task_handles(*this);
  model_handles().remove(handle);
}

std::string text_of_wait(const Model& model, const std::vector<std::string>& names) {
  return fmt::format("model {} at {}", model.id, fmt::join(names, ", "));
}

ModelHandles& model_handles() { return ProcessState<ModelHandles, StateId::kModelHandles>::get(); }

void register_model(const ModelPtr& model) {
  const auto limit = static_cast<std::size_t>(config().max_models);
  check(limit == 0 || model_handles().size() < limit, Code::kNoModelResource,
        "{} models are alive, as many as ACLVK_MAX_MODELS allows.", model_handles().size());
  model->handle = model_handles().insert(model);
}

}  // namespace aclvk::capture
