#include "capture/built/built_model.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "capture/built/bound_sink.hpp"
#include "capture/built/built_pass.hpp"
#include "runtime/event/event.hpp"
#include "runtime/failure/fault_injection.hpp"
#include "runtime/stream/holding_sink.hpp"
#include "runtime/task/device_work.hpp"

namespace aclvk::capture {

// All steps that can run out of memory come first, so that a failure leaves stream and model unchanged.
void BuiltModel::bind(const runtime::StreamPtr& stream, bool head) {
  const auto sink = std::make_shared<BoundSink>(self(), static_cast<std::uint32_t>(lanes_.size()));
  lanes_.reserve(lanes_.size() + 1);
  runtime::HoldingSink* holding = runtime::find_holding_sink(*stream);
  graph().add_lane(stream->id, holding ? holding->tasks() : std::vector<runtime::Task>{});
  lanes_.push_back({stream, head, false, {}});
  if (holding) holding->clear_tasks();
  stream->set_sink(sink);
}

void BuiltModel::unbind(std::uint32_t lane) {
  const runtime::StreamPtr stream = std::exchange(lanes_[lane].stream, nullptr);
  if (!stream) return;
  stream->set_sink(nullptr);
}

void BuiltModel::add_task(std::uint32_t lane, runtime::Task task) {
  check(state() == State::kUnderConstruction, Code::kParamInvalid,
        "Model {} is complete; stream {} can give it no more tasks.", id, graph().lanes()[lane].stream_id);
  graph().add(lane, std::move(task));
}

void BuiltModel::add_signal(std::uint32_t lane, runtime::Task task, const runtime::EventPtr& event) {
  add_task(lane, std::move(task));
  graph().node(graph().lanes()[lane].last()).signal_id = event->id;
  if (!event->external()) signals_.insert(event);
}

void BuiltModel::add_end(std::uint32_t lane) {
  check(!lanes_[lane].ended, Code::kRuntimeInternal, "The end of model {} on stream {} is marked already.", id,
        graph().lanes()[lane].stream_id);
  add_task(lane, runtime::ModelEndTask{});
  lanes_[lane].ended = true;
}

bool BuiltModel::has_streams() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const BoundLane& lane) { return lane.stream != nullptr; });
}

bool BuiltModel::has_end() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const BoundLane& lane) { return lane.stream && lane.ended; });
}

// Compiles into local variables first: after a failure the caller may try again.
void BuiltModel::finish() {
  std::vector<std::vector<Instruction>> programs(lanes_.size());
  Labels labels;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].stream) programs[lane] = compile(lane, labels);
  }
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) lanes_[lane].program.swap(programs[lane]);
  labels_.swap(labels);
  set_state(State::kReady);
}

// Divides the lane into basic blocks: consecutive device work becomes one secondary, each other task an instruction of
// its own.
std::vector<Instruction> BuiltModel::compile(std::uint32_t lane, Labels& labels) const {
  std::unique_ptr<vk::CommandRecorder> recorder;
  std::vector<NodeId> nodes;
  std::vector<Instruction> program;
  const auto end_segment = [&] {
    if (recorder) program.push_back({std::exchange(recorder, nullptr)->finish(), kNoNode, std::exchange(nodes, {})});
  };
  for (const NodeId node : graph().lanes()[lane].nodes) {
    const runtime::Task& task = graph().node(node).task;
    // A kernel that ACLVK_FAIL_KERNEL selects is an instruction of its own, so that it fails when a run reaches it.
    if (runtime::is_device_work(task) && !runtime::fails_on_purpose(task)) {
      if (!recorder) recorder = context()->device().gpu().record(vk::Level::kSecondary);
      runtime::record_work(*recorder, task);
      nodes.push_back(node);
      continue;
    }
    end_segment();
    if (const auto* label = std::get_if<runtime::LabelTask>(&task)) {
      labels[label->label.get()] = {lane, program.size()};  // the instruction after the label; a label is none itself
    } else {
      program.push_back({nullptr, node});
    }
  }
  end_segment();
  return program;
}

std::optional<BuiltModel::Position> BuiltModel::find(const runtime::Label& label) const {
  const auto found = labels_.find(&label);
  if (found == labels_.end() || !lanes_[found->second.lane].stream) return std::nullopt;
  return found->second;
}

std::optional<BuiltModel::Position> BuiltModel::find(std::uint32_t stream_id) const {
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].stream && lanes_[lane].stream->id == stream_id) return Position{lane, 0};
  }
  return std::nullopt;
}

void BuiltModel::reset_signals() {
  for (const runtime::EventPtr& event : signals_) event->flag.set = false;
}

// The remaining lanes may all be DEFAULT ones that only an unbound lane would have activated.
void BuiltModel::check_starts() const {
  const auto starts = [](const BoundLane& lane) { return lane.head && lane.stream; };
  const auto unbound = [](const BoundLane& lane) { return !lane.stream; };
  check(std::any_of(lanes_.begin(), lanes_.end(), starts) || std::none_of(lanes_.begin(), lanes_.end(), unbound),
        Code::kModelExecute, "Streams of model {} have been unbound, and none is left that starts with it.", id);
}

std::shared_ptr<runtime::Procedure> BuiltModel::start_pass(runtime::StreamQueue&) {
  check_starts();
  return std::make_shared<BuiltPass>(self());
}

void BuiltModel::retire() {
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) unbind(lane);
  set_state(State::kTornDown);  // another thread may still hold a pointer; it must not bind a stream any more
  Model::retire();
}

}  // namespace aclvk::capture
