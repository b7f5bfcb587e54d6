#include "api_sequence/host_model.hpp"

#include <algorithm>
#include <iterator>

namespace aclvk::fuzz {
namespace {

constexpr int kGlobal = 0;
constexpr int kThreadLocal = 1;
constexpr int kRelaxed = 2;

}  // namespace

Handle HostModel::context_of(int thread) const {
  const Handle context = current.at(static_cast<std::size_t>(thread));
  return contexts.count(context) != 0 ? context : nullptr;
}

Handle HostModel::default_stream_of(Handle context) const {
  for (const auto& [handle, stream] : streams) {
    if (stream.is_default && stream.context == context) return handle;
  }
  return nullptr;
}

bool HostModel::may_block() const {
  return std::any_of(streams.begin(), streams.end(), [](const auto& entry) { return entry.second.may_block; }) ||
         std::any_of(models.begin(), models.end(), [](const auto& entry) { return entry.second->may_run; });
}

bool HostModel::captures_in(Handle context) const {
  return std::any_of(streams.begin(), streams.end(),
                     [&](const auto& entry) { return entry.second.context == context && entry.second.capture; });
}

bool HostModel::forbidden(int thread) const {
  const int exchange = exchanged.at(static_cast<std::size_t>(thread));
  const Handle context = context_of(thread);
  int here = kRelaxed + 1;
  int own = kRelaxed;
  for (const auto& [handle, stream] : streams) {
    if (!stream.capture) continue;
    if (stream.context == context) here = std::min(here, stream.capture->mode);
    if (stream.capture->thread == thread) own = std::min(own, stream.capture->mode);
  }
  if (exchange == kRelaxed || here > kRelaxed) return false;
  if (exchange == kThreadLocal) return own != kRelaxed;
  return here == kGlobal || own == kThreadLocal;
}

void HostModel::end_capture(ModelPtr model, bool ready) {
  for (auto& [handle, stream] : streams) {
    if (stream.capture == model) stream.capture = nullptr;
  }
  for (auto& [handle, event] : events) {
    if (event.captured == model) event.captured = nullptr;
  }
  model->group_stream = nullptr;
  if (ready) {
    model->phase = ModelState::Phase::kReady;
    return;
  }
  if (const auto parent = model->parent.lock()) parent->poisoned = true;
  for (const ModelPtr& body : model->bodies) end_capture(body, false);
  forget_model(model);
}

void HostModel::forget_model(ModelPtr model) {
  model->phase = ModelState::Phase::kGone;
  models.erase(model->handle);
  for (auto& [handle, stream] : streams) {
    if (stream.bound == model) stream.bound = nullptr;
  }
  for (auto group = groups.begin(); group != groups.end();) {
    group = group->second->model.lock() == model ? groups.erase(group) : std::next(group);
  }
  for (const ModelPtr& body : model->bodies) forget_model(body);
}

void HostModel::forget_stream(Handle stream) {
  const auto found = streams.find(stream);
  if (found == streams.end()) return;
  if (found->second.update) found->second.update->updating = false;
  if (found->second.capture) end_capture(found->second.capture, false);
  if (found->second.bound) found->second.bound->uncertain = true;
  streams.erase(found);
}

void HostModel::forget_context(Handle context) {
  std::vector<Handle> own;
  for (const auto& [handle, stream] : streams) {
    if (stream.context == context) own.push_back(handle);
  }
  for (const Handle stream : own) forget_stream(stream);
  for (const auto& [handle, model] : models) {
    if (model->context == context) model->uncertain = true;
  }
  contexts.erase(context);
}

}  // namespace aclvk::fuzz
