#include "capture/model.hpp"

#include <atomic>
#include <utility>

#include "capture/recorder.hpp"
#include "capture/task_group.hpp"

namespace aclvk::capture {
namespace {

std::uint32_t next_id() {
  static std::atomic<std::uint32_t> id{0};
  return id++;
}

}  // namespace

Model::Model(const runtime::ContextPtr& owner, runtime::CaptureMode capture_mode)
    : id(next_id()), mode(capture_mode), thread(std::this_thread::get_id()), context_(owner) {
  owner->captures.begin(this, mode);
}

Model::~Model() = default;

void Model::add_stream(const runtime::StreamPtr& stream) {
  const std::uint32_t lane = graph_.add_lane(stream->id);
  streams_.push_back(stream);
  stream->set_sink(std::make_shared<Recorder>(*this, lane));
}

void Model::poison(const Error& reason) {
  poisoned_ = true;
  note_error(reason);
}

void Model::note_error(const Error& reason) {
  if (!first_error_) first_error_ = reason;
}

std::string Model::first_error_text() const {
  return first_error_ ? fmt::format(" The first error of this capture was: {}", first_error_->sentence()) : "";
}

void Model::check_groups(std::uint32_t lane, const runtime::Task& task) {
  if (!open_group_) return;
  const bool kernel = std::holds_alternative<runtime::KernelTask>(task);
  std::optional<Error> error;
  if (open_group_->lane == lane && !kernel) {
    error = Error(Code::kTaskTypeNotSupported,
                  fmt::format("{} on stream {} is inside a task group of model {}; a group takes kernels only.",
                              type_name(task), graph_.lanes()[lane].stream_id, id));
  } else if (open_group_->lane != lane && kernel) {
    error = Error(Code::kTaskGroupInterrupted,
                  fmt::format("Stream {} launches a kernel while stream {} of the same model {} has a task group open.",
                              graph_.lanes()[lane].stream_id, graph_.lanes()[open_group_->lane].stream_id, id));
  }
  if (!error) return;
  if (!open_group_->error) open_group_->error = error;
  poison(*error);
  throw Error(*error);
}

void Model::open_group(std::uint32_t lane) {
  check(!open_group_, Code::kTaskGroupStatus, "Model {} has a task group open on stream {} already.", id,
        graph_.lanes()[open_group_ ? open_group_->lane : lane].stream_id);
  open_group_ = OpenGroup{lane, {}, {}};
}

void Model::add_to_group(NodeId node) {
  if (open_group_ && graph_.node(node).lane == open_group_->lane) open_group_->nodes.push_back(node);
}

std::shared_ptr<TaskGroup> Model::close_group(std::uint32_t lane) {
  check(open_group_ && open_group_->lane == lane, Code::kTaskGroupStatus, "No task group is open on stream {}.{}",
        graph_.lanes()[lane].stream_id, first_error_text());
  OpenGroup group = *std::exchange(open_group_, std::nullopt);
  if (group.error) throw Error(*group.error);
  check(!poisoned_, Code::kCaptureInvalidated, "The capture of model {} has failed; its task groups are lost.{}", id,
        first_error_text());
  groups_.push_back(std::make_shared<TaskGroup>(weak_from_this(), groups_.size(), std::move(group.nodes)));
  groups_.back()->handle = task_group_handles().insert(groups_.back());
  return groups_.back();
}

void Model::check_complete() const {
  check(!poisoned_, Code::kCaptureInvalidated, "The capture of model {} has failed.{}", id, first_error_text());
  check(!open_group_, Code::kTaskGroupStatus, "A task group of model {} is still open on stream {}.{}", id,
        graph_.lanes()[open_group_ ? open_group_->lane : 0].stream_id, first_error_text());
  if (const std::uint32_t lane = graph_.find_unjoined_lane()) {
    const Lane& unjoined = graph_.lanes()[lane];
    fail(Code::kStreamUnjoined,
         "Stream {} is not joined to stream {}, where the capture began; the last of its {} tasks is {}. It has to be "
         "an "
         "event record that leads back there.{}",
         unjoined.stream_id, graph_.lanes()[0].stream_id, unjoined.nodes.size(),
         display_name(graph_.node(unjoined.last())), first_error_text());
  }
  check(lost_waits_.empty(), Code::kCaptureDependency,
        "Event {} is waited for in model {}, but no captured stream records it.{}",
        lost_waits_.empty() ? 0 : lost_waits_[0], id, first_error_text());
}

void Model::make_executable() {
  std::vector<std::vector<NodeId>> group_nodes;
  for (const auto& group : groups_) group_nodes.push_back(group->nodes);
  executable_ = std::make_unique<Executable>(context()->device().gpu(), graph_, group_nodes);
}

void Model::release() {
  for (const runtime::StreamPtr& stream : streams_) stream->set_sink(nullptr);
  for (const runtime::EventPtr& event : events_) event->captured = nullptr;
  if (const auto owner = context()) owner->captures.end(this);
  streams_.clear();
  events_.clear();
  open_group_.reset();
  state_ = executable_ ? State::kReady : State::kTornDown;
}

void discard_capture(Model& model) {
  const ModelPtr alive = model.shared_from_this();
  for (const auto& group : model.groups()) task_group_handles().remove(group->handle);
  model_handles().remove(model.handle);
  model.release();
}

runtime::PointPtr end_of(std::shared_ptr<Turn> turn) {
  while (turn && turn->end->aborted) turn = turn->before;
  return turn ? turn->end : nullptr;
}

std::shared_ptr<Turn> Model::take_turn(runtime::PointPtr end) {
  last_turn_ = std::make_shared<Turn>(Turn{std::move(end), last_turn_});
  return last_turn_;
}

ModelHandles& model_handles() {
  static auto* handles = new ModelHandles;
  return *handles;
}

}  // namespace aclvk::capture
