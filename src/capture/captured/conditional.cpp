#include "capture/captured/conditional.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "capture/captured/capture_sink.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/model/checks.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::capture {
namespace {

constexpr std::uint64_t kWordBytes = 8;

/// One pass through a conditional task. The host reads the word when the submissions up to the decision point have
/// completed, then passes through the selected body. Vulkan has no device-side choice between command buffers
/// (docs/adr/0012). The decision point is fixed when the pass starts, so that later submissions of other branches do
/// not delay it.
class ConditionalPass : public runtime::Procedure {
 public:
  ConditionalPass(CapturedModelPtr owner, std::shared_ptr<Conditional> conditional)
      : owner_(std::move(owner)), conditional_(std::move(conditional)) {}

  bool advance(runtime::StreamQueue& queue) override REQUIRES(runtime::scheduler_mutex) {
    if (!body_) {
      std::uint64_t value = 0;
      if (!decision_point_) decision_point_ = queue.signals().flush_preceding();
      if (!queue.signals().try_read(conditional_->word, *decision_point_, &value)) return false;
      CapturedModel* chosen = conditional_->choose(value);
      if (!chosen) return true;
      body_ = chosen->start_pass(queue);
    }
    if (!body_->advance(queue)) return false;
    if (conditional_->kind != Conditional::Kind::kWhile) return true;
    // The next iteration of a WHILE. Returns first, so that an endless loop releases the scheduler lock
    // (docs/adr/0012).
    body_ = nullptr;
    decision_point_ = queue.batch().flush();
    queue.signals().retry_when_done();
    return false;
  }

  void abandon(runtime::StreamQueue& queue, const std::vector<runtime::PointPtr>& superseded_by) override
      REQUIRES(runtime::scheduler_mutex) {
    if (body_) body_->abandon(queue, superseded_by);
  }

  void add_running_functions(std::vector<runtime::PointPtr>& superseded_by) const override
      REQUIRES(runtime::scheduler_mutex) {
    if (body_) body_->add_running_functions(superseded_by);
  }

  runtime::WaitLimit expired_limit(std::chrono::steady_clock::time_point now) const override
      REQUIRES(runtime::scheduler_mutex) {
    return body_ ? body_->expired_limit(now) : runtime::WaitLimit{0};
  }

  std::string waits_for() const override REQUIRES(runtime::scheduler_mutex) {
    return body_ ? body_->waits_for() : fmt::format("the condition at 0x{:x}", conditional_->word.address());
  }

 private:
  const CapturedModelPtr owner_;  // owns the bodies
  const std::shared_ptr<Conditional> conditional_;
  std::shared_ptr<runtime::Procedure> body_ GUARDED_BY(runtime::scheduler_mutex);
  std::optional<vk::TimelinePoint> decision_point_ GUARDED_BY(runtime::scheduler_mutex);
};

// A bound of our own: each body is a Model, so a garbage size would exhaust memory before it could be refused.
constexpr std::uint32_t kMaxBodies = 65536;

void check_size(Conditional::Kind kind, std::uint32_t size) {
  const bool fits = kind == Conditional::Kind::kIf      ? size == 1 || size == 2
                    : kind == Conditional::Kind::kWhile ? size == 1
                                                        : size >= 1 && size <= kMaxBodies;
  check(fits, Code::kParamInvalid, "size is {}; IF has 1 or 2 bodies, WHILE has 1, SWITCH has 1 to {}.", size,
        kMaxBodies);
}

void retire_all(const std::vector<CapturedModelPtr>& bodies) REQUIRES(runtime::scheduler_mutex) {
  for (const CapturedModelPtr& body : bodies) body->retire();
}

/// Creates and registers the bodies; none of them stays registered when it throws.
std::vector<CapturedModelPtr> make_bodies(const CapturedModelPtr& model, std::uint32_t size) {
  std::vector<CapturedModelPtr> bodies;
  try {
    while (bodies.size() < size) {
      bodies.push_back(std::make_shared<CapturedModel>(model->context(), model));
      register_model(bodies.back());
    }
  } catch (...) {
    retire_all(bodies);
    throw;
  }
  return bodies;
}

/// Captures the task and returns its node; retires the bodies when it throws.
NodeId add_node(CaptureSink& sink, const runtime::StreamPtr& stream, const std::shared_ptr<Conditional>& conditional,
                const std::vector<CapturedModelPtr>& bodies) REQUIRES(runtime::scheduler_mutex) {
  const auto start = [weak = std::weak_ptr(sink.model().self()), conditional] {
    return std::make_shared<ConditionalPass>(weak.lock(), conditional);
  };
  try {
    sink.accept(*stream, runtime::ProcedureTask{nullptr, start, "CONDITION_OP"});
  } catch (...) {
    retire_all(bodies);
    throw;
  }
  return static_cast<NodeId>(sink.model().graph().nodes().size() - 1);
}

}  // namespace

Conditional::Conditional(const CapturedModelPtr& owner, std::optional<std::uint64_t> default_word,
                         std::shared_ptr<runtime::Device> device)
    : model(owner), default_value(default_word), device_(std::move(device)) {
  reserved_ = device_->memory().allocate_chunk(kWordBytes);
}

Conditional::Conditional(const CapturedModelPtr& owner, std::optional<std::uint64_t> default_word)
    : Conditional(owner, default_word, owner->context()->shared_device()) {
  pointer = device_->memory().publish(reserved_);
  word = *device_->memory().find(pointer, kWordBytes);
  const std::uint64_t zero = 0;
  device_->gpu().write(word, &zero);
}

Conditional::~Conditional() {
  if (pointer) device_->memory().release(pointer, vk::Placement::kPooled);
  device_->memory().release_chunk(reserved_);
}

// A body that was never captured counts as empty.
CapturedModel* Conditional::choose(std::uint64_t value) const {
  std::uint64_t index = value;
  if (kind != Kind::kSwitch) index = value != 0 ? 0 : 1;
  const bool captured = index < bodies.size() && bodies[index]->state() == Model::State::kReady;
  return captured ? bodies[index].get() : nullptr;
}

ConditionalHandles& conditional_handles() {
  return ProcessState<ConditionalHandles, StateId::kConditionalHandles>::get();
}

std::shared_ptr<Conditional> create_conditional(const CapturedModelPtr& model, std::uint32_t default_value, int flag) {
  check(flag == 0 || flag == 1, Code::kParamInvalid, "flag is {}; 0 or ASSIGN_DEFAULT (1) is expected.", flag);
  const runtime::ContextPtr context = check_own_context(*model);
  const auto assigned = flag == 1 ? std::optional<std::uint64_t>(default_value) : std::nullopt;
  const auto conditional = std::make_shared<Conditional>(model, assigned);
  const runtime::SchedulerLock lock;
  check(model->state() == Model::State::kUnderConstruction, Code::kParamInvalid, "Model {} is not being captured.",
        model->id);
  model->add_conditional(conditional);  // before the handle exists, so that retiring the model always removes it
  conditional->handle = conditional_handles().insert(conditional);
  return conditional;
}

std::vector<void*> add_conditional_task(const runtime::StreamPtr& stream,
                                        const std::shared_ptr<Conditional>& conditional, int kind, std::uint32_t size) {
  check(kind >= 0 && kind <= 2, Code::kParamInvalid, "type is {}; IF 0, WHILE 1 or SWITCH 2 is expected.", kind);
  check_size(static_cast<Conditional::Kind>(kind), size);
  check_own_context(*stream);
  const runtime::SchedulerLock lock;
  check(!conditional->has_task, Code::kParamInvalid, "handle {} decides another conditional task already.",
        conditional->handle);
  CaptureSink& sink = capture_sink_of(*stream);
  const CapturedModelPtr model = sink.model().self();
  check(conditional->model.lock() == model, Code::kParamInvalid,
        "handle {} is a condition of another model; stream {} is captured by model {}.", conditional->handle,
        stream->id, model->id);
  std::vector<void*> handles;
  handles.reserve(size);
  const std::vector<CapturedModelPtr> bodies = make_bodies(model, size);
  const NodeId node = add_node(sink, stream, conditional, bodies);
  conditional->has_task = true;
  conditional->kind = static_cast<Conditional::Kind>(kind);
  conditional->bodies = bodies;
  for (std::uint32_t i = 0; i < size; ++i) {
    model->add_body({bodies[i], node, i});
    handles.push_back(bodies[i]->handle);
  }
  return handles;
}

}  // namespace aclvk::capture
