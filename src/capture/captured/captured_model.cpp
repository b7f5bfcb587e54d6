#include "capture/captured/captured_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "capture/captured/capture_sink.hpp"
#include "capture/captured/conditional.hpp"
#include "capture/captured/pass.hpp"
#include "capture/model/checks.hpp"

namespace aclvk::capture {

CapturedModel::CapturedModel(const runtime::ContextPtr& owner, const CapturedModelPtr& parent)
    : Model(owner), is_sub_model_(parent != nullptr), parent_(parent) {
  set_state(State::kEmpty);
}

CapturedModel::~CapturedModel() = default;

void CapturedModel::begin(const runtime::StreamPtr& origin, runtime::CaptureMode mode) {
  mode_ = mode;
  thread_ = std::this_thread::get_id();
  set_state(State::kUnderConstruction);
  context()->captures.begin(this, mode);
  add_stream(origin);
}

void CapturedModel::add_stream(const runtime::StreamPtr& stream) {
  streams_.reserve(streams_.size() + 1);
  const auto sink = std::make_shared<CaptureSink>(*this, static_cast<std::uint32_t>(graph().lanes().size()));
  graph().add_lane(stream->id);
  streams_.push_back(stream);  // its memory is reserved above: nothing throws after the lane exists
  stream->set_sink(sink);
}

void CapturedModel::use_external_event(const runtime::EventPtr& event) {
  check(!is_sub_model_, Code::kFeatureNotSupported,
        "Model {} is the body of a conditional task; records and waits of the EXTERNAL kind are not for bodies.", id);
  check(external_events_.insert(event).second, Code::kParamInvalid,
        "Model {} has an EXTERNAL record or wait of event {} already; it can have one.", id, event->id);
}

// Only the end of the capture reports a poisoned model; later tasks are still accepted (capture-semantics 12).
void CapturedModel::poison(const Error& reason) {
  poisoned_ = true;
  store_error(reason);
}

void CapturedModel::store_error(const Error& reason) {
  if (!first_error_) first_error_ = reason;
}

std::string CapturedModel::first_error_text() const {
  return first_error_ ? fmt::format(" The first error of this capture was: {}", first_error_->sentence()) : "";
}

std::vector<std::vector<NodeId>> CapturedModel::group_nodes() const { return groups_.nodes(); }

// Rows 8 to 12 of the table in capture-semantics 4.2, in this order.
void CapturedModel::check_complete() const {
  check(!poisoned_, Code::kCaptureInvalidated, "The capture of model {} has failed.{}", id, first_error_text());
  for (const SubModel& body : bodies_) {
    check(body.model->state() != State::kUnderConstruction, Code::kSubGraphCapturing,
          "Model {}, a body of model {}, is still being captured.{}", body.model->id, id, first_error_text());
  }
  groups_.check_closed();
  if (const std::uint32_t unjoined = graph().find_unjoined_lane()) {
    throw Error(Code::kStreamUnjoined, unjoined_text(unjoined));
  }
  if (!unmatched_waits_.empty()) {
    fail(Code::kCaptureDependency, "Event {} is waited for in model {}, but no captured stream had recorded it.{}",
         unmatched_waits_[0], id, first_error_text());
  }
}

std::string CapturedModel::unjoined_text(std::uint32_t lane) const {
  const Lane& unjoined = graph().lanes()[lane];
  return fmt::format(
      "Stream {} is not joined to stream {}, where the capture began; the last of its {} tasks is {}. It has to be an "
      "event record that leads back there.{}",
      unjoined.stream_id, graph().lanes()[0].stream_id, unjoined.nodes.size(),
      display_name(graph().node(unjoined.last())), first_error_text());
}

// Sorted by record: events_ is sorted by address, and the graph has to be the same in each process.
void CapturedModel::add_resets() {
  std::map<NodeId, runtime::EventPtr> in_order;
  for (const auto& [event, record] : events_) in_order.emplace(record, event);
  for (const auto& [record, event] : in_order) graph().add_reset(0, runtime::EventResetTask{event, nullptr}, record);
}

void CapturedModel::make_executable() {
  vk::Device& gpu = context()->device().gpu();
  executable_ = std::make_unique<Executable>(gpu, graph(), group_nodes());
  if (is_sub_model_) return;  // the prologue of the outermost model includes its defaults
  const auto recorder = gpu.record(vk::Level::kPrimary);
  record_defaults(*recorder);
  prologue_ = recorder->commands() > 0 ? recorder->finish() : nullptr;
}

// Each run of the outermost model begins with the words of ASSIGN_DEFAULT, those of bodies included (docs/adr/0012).
void CapturedModel::record_defaults(vk::CommandRecorder& recorder) const {
  for (const auto& conditional : conditionals_) {
    if (conditional->default_value) recorder.write_word(conditional->word, *conditional->default_value);
  }
  for (const SubModel& body : bodies_) static_cast<const CapturedModel&>(*body.model).record_defaults(recorder);
}

std::shared_ptr<runtime::Procedure> CapturedModel::start_pass(runtime::StreamQueue& queue) {
  auto pass = std::make_shared<CapturedPass>(self());
  pass->bind_external(queue);
  return pass;
}

// A parent's check covers its bodies, so its cache becomes invalid, too.
void CapturedModel::invalidate_memory_info() {
  alive_at_release.reset();
  allocations.reset();
  if (const auto owner = parent()) owner->invalidate_memory_info();
}

void CapturedModel::release() {
  for (const runtime::StreamPtr& stream : streams_) stream->set_sink(nullptr);
  for (const auto& [event, record] : events_) event->captured = nullptr;
  if (const auto owner = context()) owner->captures.end(this);
  streams_.clear();
  events_.clear();
  external_events_.clear();
  groups_.drop_open();
  set_state(executable_ ? State::kReady : State::kTornDown);
}

void CapturedModel::discard() {
  const CapturedModelPtr alive = self();  // retire() and release() may drop the last other reference
  for (const SubModel& body : bodies_) static_cast<CapturedModel&>(*body.model).discard();
  // A body that fails makes the capture of its parent fail.
  if (const auto owner = parent()) {
    owner->poison(Error(Code::kCaptureInvalidated, fmt::format("The capture of model {}, a body of model {}, failed.{}",
                                                               id, owner->id, first_error_text())));
  }
  executable_ = nullptr;
  retire();
  release();
}

void CapturedModel::retire() {
  groups_.remove_handles();
  for (const auto& conditional : conditionals_) conditional_handles().remove(conditional->handle);
  for (const SubModel& body : bodies_) body.model->retire();
  Model::retire();
}

CapturedModelPtr captured_model_of(const void* handle) {
  const ModelPtr model = model_of(handle);
  auto captured = std::dynamic_pointer_cast<CapturedModel>(model);
  check(captured != nullptr, Code::kFeatureNotSupported, "Model {} was built from streams, not captured.", model->id);
  return captured;
}

}  // namespace aclvk::capture
