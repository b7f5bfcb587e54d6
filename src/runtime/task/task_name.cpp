#include "runtime/task/task_name.hpp"

#include "runtime/task/task_row.hpp"

namespace aclvk::runtime {
namespace {

// Traces show the kind of NPU core (capture-semantics 16.1).
std::string own_type(const KernelTask& kernel) { return kernel.core == Core::kCube ? "KERNEL_AICORE" : "KERNEL_AIVEC"; }

std::string own_type(const EventRecordTask& record) {
  return record.use == EventUse::kExternal ? "CAPTURE_RECORD_EXTERNAL" : "EVENT_RECORD";
}

std::string own_type(const EventWaitTask& wait) {
  return wait.use == EventUse::kExternal ? "CAPTURE_WAIT_EXTERNAL" : "EVENT_WAIT";
}

std::string own_type(const HostTask& host) { return host.type; }
std::string own_type(const ProcedureTask& procedure) { return procedure.type; }

}  // namespace

std::string type_name(const Task& task) {
  return std::visit(
      [](const auto& kind) -> std::string {
        if constexpr (kTaskRow<decltype(kind)>.type == nullptr) {
          return own_type(kind);
        } else {
          return kTaskRow<decltype(kind)>.type;
        }
      },
      task);
}

}  // namespace aclvk::runtime
