#include "capture/model/attribution.hpp"

#include <utility>

#include "base/error.hpp"
#include "capture/model/model.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

// The limit of the interface (capture-semantics 16.1).
constexpr std::size_t kMaxExtendInfo = 4 * 1024;

/// The thread's last captured task. `model` is weak: a thread must not keep a destroyed model alive.
struct LastTask {
  std::weak_ptr<Model> model;
  NodeId node = kNoNode;
  bool keeps_op_info = false;
};
// An attribute belongs to the last task that the calling thread has captured.
thread_local LastTask last_task;

void check_size(std::size_t size, std::size_t limit) {
  check(size > 0 && size <= limit, Code::kParamInvalid, "infoSize is {}; 1..{} is expected.", size, limit);
}

Attribution& attribution_of_last_task() REQUIRES(runtime::scheduler_mutex) {
  const ModelPtr model = last_task.model.lock();
  check(model && model->state() == Model::State::kUnderConstruction, Code::kRuntimeInternal,
        "This thread has captured no task, or the capture of its last one has ended.");
  auto& attribution = model->graph().node(last_task.node).attribution;
  if (!attribution) attribution = std::make_shared<Attribution>();
  return *attribution;
}

}  // namespace

void set_last_task(std::weak_ptr<Model> model, NodeId node, bool keeps_op_info) {
  last_task = {std::move(model), node, keeps_op_info};
}

void store_op_info(const void* info, std::size_t size) {
  check_size(size, kMaxOpInfo);
  const auto* bytes = static_cast<const std::byte*>(info);
  const runtime::SchedulerLock lock;
  Attribution& attribution = attribution_of_last_task();
  check(last_task.keeps_op_info, Code::kRuntimeInternal,
        "The stream of this thread's last task does not have the attribute CACHE_OP_INFO.");
  attribution.op_info.assign(bytes, bytes + size);
}

void store_extend_info(const char* text, std::size_t size) {
  check_size(size, kMaxExtendInfo);
  const runtime::SchedulerLock lock;
  attribution_of_last_task().extend_info.assign(text, size);
}

}  // namespace aclvk::capture
