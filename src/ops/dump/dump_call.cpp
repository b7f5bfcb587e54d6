#include "ops/dump/dump_call.hpp"

#include <functional>
#include <memory>
#include <utility>

#include "base/log.hpp"
#include "ops/dump/call_dump.hpp"
#include "ops/executor/call_arguments.hpp"
#include "runtime/dump/active_dumps.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

void add_step(runtime::Stream& stream, std::function<void()> function) {
  stream.accept(runtime::HostTask{runtime::kDumpTaskType, std::move(function), nullptr});
}

/// Wraps a step so that it does not throw: a failing dump must not stop the program.
template <typename Step>
std::function<void()> step(const std::shared_ptr<CallDump>& dump, Step step) {
  return [dump, step] {
    try {
      (dump.get()->*step)();
    } catch (const std::exception& exception) {
      log().error("An operator is not recorded: {}", exception.what());
    }
  };
}

constexpr const char* kInModel = "of each run of the model";
constexpr const char* kNotInGroups = "none: a task group takes kernels only";
constexpr const char* kNotAsked = "none: not asked for";

const char* values_of(bool wanted, bool possible) {
  if (!wanted) return kNotAsked;
  return possible ? kInModel : kNotInGroups;
}

/// Calls `launch` between two host tasks that dump the operator's tensors. `arguments` is null when no dump was active
/// in the first phase: then only the executor's operands are known.
void dump_call(const std::string& op, const CallArguments* arguments, const Executor::Operands& operands,
               runtime::Stream& stream, const std::function<void()>& launch) {
  const auto dump = std::make_shared<CallDump>(op, "", stream);
  if (arguments) {
    dump->add(*arguments, &operands);
  } else {
    CallArguments slots;
    slots.add_slots("input", operands.inputs, false);
    slots.add_slots("output", operands.outputs, true);
    dump->add(slots, nullptr);
  }
  const bool wanted = dump->wants_values();
  const bool possible = stream.accepts_host_tasks();
  // Host tasks keep stream order: one runs after all earlier work and before the operator, the other after it
  // (docs/adr/0021).
  if (wanted && possible) add_step(stream, step(dump, &CallDump::before));
  try {
    launch();
  } catch (const Error& error) {
    dump->write_failure(error);
    throw;
  }
  if (wanted && possible) add_step(stream, step(dump, &CallDump::after));
  if (dump->captured() || !wanted || !possible) dump->write_without_values(values_of(wanted, possible));
}

}  // namespace

void run_executor(Executor& executor, void* workspace, std::uint64_t workspace_bytes, runtime::Stream& stream) {
  std::vector<runtime::Kernel> kernels = executor.prepare(workspace, workspace_bytes, stream);
  const auto launch = [&] { executor.launch(std::move(kernels), stream); };
  // A load and a branch while no dump is active (docs/adr/0021).
  if (!runtime::dump_active()) return launch();
  dump_call(std::string(executor.name()), executor.arguments(), executor.operands(), stream, launch);
}

void dump_tensors(const std::string& op, const std::string& name, const std::vector<Tensor>& inputs,
                  const std::vector<Tensor>& outputs, runtime::Stream& stream) {
  const auto dump = std::make_shared<CallDump>(op, name, stream);
  const auto slots = [](const std::vector<Tensor>& tensors) {
    TensorSlots each;
    for (const Tensor& tensor : tensors) each.add(&tensor, &tensor + 1);
    return each;
  };
  CallArguments arguments;
  arguments.add_slots("input", slots(inputs), false);
  arguments.add_slots("output", slots(outputs), true);
  dump->add(arguments, nullptr);
  const bool wanted = dump->wants_values();
  const bool possible = stream.accepts_host_tasks();
  if (wanted && possible) {
    add_step(stream, [both = std::pair(step(dump, &CallDump::before), step(dump, &CallDump::after))] {
      both.first();
      both.second();
    });
  }
  if (dump->captured() || !wanted || !possible) dump->write_without_values(values_of(wanted, possible));
}

}  // namespace aclvk::ops
