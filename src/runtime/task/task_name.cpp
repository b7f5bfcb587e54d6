#include "runtime/task/task_name.hpp"

#include "runtime/task/device_work.hpp"

namespace aclvk::runtime {

std::string type_name(const Task& task) {
  return std::visit(Overloaded{
                        [](const KernelTask& kernel) -> std::string {
                          return kernel.core == Core::kCube ? "KERNEL_AICORE" : "KERNEL_AIVEC";
                        },
                        [](const CopyTask&) -> std::string { return "MEMCPY_ASYNC"; },
                        [](const Copy2dTask&) -> std::string { return "MEMCPY_ASYNC"; },
                        [](const FillTask&) -> std::string { return "MEMSET_ASYNC"; },
                        [](const FillWordsTask&) -> std::string { return "MEMSET_ASYNC"; },
                        [](const MarkTask&) -> std::string { return "PROFILE_MARK"; },
                        [](const EventRecordTask& record) -> std::string {
                          return record.use == EventUse::kExternal ? "CAPTURE_RECORD_EXTERNAL" : "EVENT_RECORD";
                        },
                        [](const EventWaitTask& wait) -> std::string {
                          return wait.use == EventUse::kExternal ? "CAPTURE_WAIT_EXTERNAL" : "EVENT_WAIT";
                        },
                        [](const EventResetTask&) -> std::string { return "EVENT_RESET"; },
                        [](const NotifyRecordTask&) -> std::string { return "NOTIFY_RECORD"; },
                        [](const NotifyWaitTask&) -> std::string { return "NOTIFY_WAIT"; },
                        [](const CountRecordTask&) -> std::string { return "CNT_NOTIFY_RECORD"; },
                        [](const CountWaitTask&) -> std::string { return "CNT_NOTIFY_WAIT"; },
                        [](const ValueWriteTask&) -> std::string { return "MEM_WRITE_VALUE"; },
                        [](const ValueWaitTask&) -> std::string { return "MEM_WAIT_VALUE"; },
                        [](const HostTask& host) -> std::string { return host.type; },
                        [](const ProcedureTask& procedure) -> std::string { return procedure.type; },
                        [](const LabelTask&) -> std::string { return "LABEL_SET"; },
                        [](const LabelSwitchTask&) -> std::string { return "LABEL_SWITCH"; },
                        [](const StreamSwitchTask&) -> std::string { return "STREAM_SWITCH"; },
                        [](const StreamActiveTask&) -> std::string { return "STREAM_ACTIVE"; },
                        [](const ModelEndTask&) -> std::string { return "MODEL_END"; },
                    },
                    task);
}

}  // namespace aclvk::runtime
