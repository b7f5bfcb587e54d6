#include "capture/built/built_pass.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/stream/dropped_task.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/task/overloaded.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {
namespace {

bool holds(std::int64_t left, runtime::Condition condition, std::int64_t right) {
  switch (condition) {
    case runtime::Condition::kEqual: return left == right;
    case runtime::Condition::kNotEqual: return left != right;
    case runtime::Condition::kGreater: return left > right;
    case runtime::Condition::kGreaterOrEqual: return left >= right;
    case runtime::Condition::kLess: return left < right;
    case runtime::Condition::kLessOrEqual: return left <= right;
  }
  return false;
}

/// Returns a signed word of 32 or 64 bits as the submissions up to `before` leave it; none while they are in progress.
std::optional<std::int64_t> read_word(runtime::StreamQueue& queue, const vk::BufferRange& word,
                                      const vk::TimelinePoint& before) REQUIRES(runtime::scheduler_mutex) {
  std::int64_t wide = 0;
  if (!queue.signals().try_read(word, before, &wide)) return std::nullopt;
  if (word.size == sizeof(wide)) return wide;
  std::int32_t narrow = 0;
  std::memcpy(&narrow, &wide, sizeof(narrow));
  return narrow;
}

}  // namespace

BuiltPass::BuiltPass(BuiltModelPtr model) : model_(std::move(model)), lanes_(model_->graph().lanes().size()) {}

void BuiltPass::begin() {
  model_->reset_signals();
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) lanes_[lane].active = model_->starts(lane);
  begun_ = true;
}

bool BuiltPass::advance(runtime::StreamQueue& queue) {
  if (!begun_) begin();
  jumped_ = false;
  bool moved = true;
  while (moved && !jumped_) {
    moved = false;
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) moved = advance_lane(queue, lane) || moved;
  }
  queue.batch().flush();
  if (std::none_of(lanes_.begin(), lanes_.end(), [](const LaneState& lane) { return lane.active; })) return true;
  // A loop of jumps may never end: return after each round of jumps, so that the scheduler lock is released.
  if (jumped_) queue.signals().retry_when_done();
  return false;
}

void BuiltPass::abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) {
  for (const LaneState& lane : lanes_) {
    if (lane.current) runtime::cancel_functions(lane.current->task, queue, superseded_by);
  }
}

void BuiltPass::add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const {
  for (const LaneState& lane : lanes_) {
    if (lane.current) runtime::add_running_functions(lane.current->task, superseded_by);
  }
}

// Returns true when the lane made progress, which may unblock other lanes.
bool BuiltPass::advance_lane(runtime::StreamQueue& queue, std::uint32_t lane) {
  LaneState& state = lanes_[lane];
  bool moved = false;
  while (state.active) {
    if (state.program_counter == model_->program(lane).size()) {
      end(lane);
      return true;
    }
    const Outcome outcome = execute_next(queue, lane);
    if (outcome == Outcome::kBlocked) return moved;
    state.current.reset();
    state.decision_point.reset();
    moved = true;
    if (outcome == Outcome::kJumped) return moved;
    ++state.program_counter;
  }
  return moved;
}

BuiltPass::Outcome BuiltPass::execute_next(runtime::StreamQueue& queue, std::uint32_t lane) {
  LaneState& state = lanes_[lane];
  const Instruction& instruction = model_->program(lane)[state.program_counter];
  if (instruction.work) {
    execute_work(queue, instruction);
    return Outcome::kNext;
  }
  if (!state.current) state.current.emplace(model_->graph().node(instruction.node).task);
  const runtime::Overloaded control{
      [](const runtime::LabelTask&) { return Outcome::kNext; },
      [&](const runtime::LabelSwitchTask& task)
          REQUIRES(runtime::scheduler_mutex) { return switch_label(queue, lane, task); },
      [&](const runtime::StreamSwitchTask& task)
          REQUIRES(runtime::scheduler_mutex) { return switch_stream(queue, lane, task); },
      [&](const runtime::StreamActiveTask& task)
          REQUIRES(runtime::scheduler_mutex) { return activate(task.target), Outcome::kNext; },
      [&](const runtime::ModelEndTask&) REQUIRES(runtime::scheduler_mutex) { return end(lane), Outcome::kJumped; },
  };
  return std::visit(
      [&](const auto& kind) REQUIRES(runtime::scheduler_mutex) {
        if constexpr (runtime::kTaskRow<decltype(kind)>.task_class == runtime::TaskClass::kControlFlow) {
          return control(kind);
        } else {
          return queue.run_task(state.current->task) ? Outcome::kNext : Outcome::kBlocked;
        }
      },
      std::as_const(state.current->task));
}

// The compiled secondary has no timestamps between its tasks: while a profile runs, the tasks are recorded one by one.
void BuiltPass::execute_work(runtime::StreamQueue& queue, const Instruction& instruction) const {
  if (!runtime::profile::times_tasks(queue.device().id)) return queue.batch().execute(instruction.work);
  for (const NodeId node : instruction.nodes) queue.batch().record(model_->graph().node(node).task);
}

// Fixed when the lane reaches the branch: if the branch waited for the newest submission each time, lanes that loop
// would defer it for ever.
const vk::TimelinePoint& BuiltPass::decision_point(runtime::StreamQueue& queue, std::uint32_t lane) {
  auto& point = lanes_[lane].decision_point;
  if (!point) point = queue.batch().flush();
  return *point;
}

BuiltPass::Outcome BuiltPass::switch_label(runtime::StreamQueue& queue, std::uint32_t lane,
                                           const runtime::LabelSwitchTask& task) {
  std::uint32_t index = 0;
  if (!queue.signals().try_read(task.index, decision_point(queue, lane), &index)) return Outcome::kBlocked;
  // An index past the end selects the last label.
  const runtime::Label& label = *task.labels[std::min<std::size_t>(index, task.labels.size() - 1)];
  const auto position = model_->find(label);
  check(position.has_value(), Code::kModelExecute, "Model {} jumps to label {}, which none of its streams has.",
        model_->id, label.id);
  if (position->lane != lane) end(lane);
  lanes_[position->lane] = {true, position->instruction};
  jumped_ = true;
  return Outcome::kJumped;
}

BuiltPass::Outcome BuiltPass::switch_stream(runtime::StreamQueue& queue, std::uint32_t lane,
                                            const runtime::StreamSwitchTask& task) {
  // Both words are read at the same decision point.
  const auto left = read_word(queue, task.left, decision_point(queue, lane));
  const auto right = left ? read_word(queue, task.right, decision_point(queue, lane)) : std::nullopt;
  if (!right) return Outcome::kBlocked;
  if (!holds(*left, task.condition, *right)) return Outcome::kNext;
  end(lane);
  activate(task.target);
  return Outcome::kJumped;
}

// Does nothing for a lane that is active already.
void BuiltPass::activate(std::uint32_t stream) {
  const auto position = model_->find(stream);
  check(position.has_value(), Code::kModelExecute, "Model {} continues with a stream that has been unbound.",
        model_->id);
  if (lanes_[position->lane].active) return;
  lanes_[position->lane] = {true, 0};
  jumped_ = true;
}

runtime::WaitLimit BuiltPass::expired_limit(std::chrono::steady_clock::time_point now) const {
  runtime::WaitLimit limit{0};
  for (const LaneState& lane : lanes_) {
    if (lane.active && lane.current) limit = std::max(limit, lane.current->expired_limit(now));
  }
  return limit;
}

std::string BuiltPass::waits_for() const {
  std::vector<std::string> names;
  for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
    const LaneState& state = lanes_[lane];
    if (!state.active || !state.current) continue;
    names.push_back(display_name(model_->graph().node(model_->program(lane)[state.program_counter].node)));
  }
  return text_of_wait(*model_, names);
}

}  // namespace aclvk::capture
