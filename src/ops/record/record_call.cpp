#include "ops/record/record_call.hpp"

#include <memory>
#include <utility>

#include "base/log.hpp"
#include "ops/record/call_record.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

void add_step(runtime::Stream& stream, std::function<void()> function) {
  stream.accept(runtime::HostTask{runtime::kDumpTaskType, std::move(function), nullptr});
}

/// A host function must not throw, and what cannot be recorded must not stop the program.
template <typename Step>
std::function<void()> step(const std::shared_ptr<CallRecord>& record, Step step) {
  return [record, step] {
    try {
      (record.get()->*step)();
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

}  // namespace

void record_call(const std::string& op, const CallArguments* arguments, const Executor::Operands& operands,
                 runtime::Stream& stream, const std::function<void()>& launch) {
  const auto record = std::make_shared<CallRecord>(op, "", stream);
  if (arguments) {
    record->add(*arguments, &operands);
  } else {
    CallArguments slots;
    slots.add_slots("input", operands.inputs, false);
    slots.add_slots("output", operands.outputs, true);
    record->add(slots, nullptr);
  }
  const bool wanted = record->wants_values();
  const bool possible = stream.accepts_host_tasks();
  if (wanted && possible) add_step(stream, step(record, &CallRecord::before));
  try {
    launch();
  } catch (const Error& error) {
    record->write_failure(error);
    throw;
  }
  if (wanted && possible) add_step(stream, step(record, &CallRecord::after));
  if (record->captured() || !wanted || !possible) record->write_without_values(values_of(wanted, possible));
}

void record_tensors(const std::string& op, const std::string& name, const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& outputs, runtime::Stream& stream) {
  const auto record = std::make_shared<CallRecord>(op, name, stream);
  const auto slots = [](const std::vector<Tensor>& tensors) {
    TensorSlots each;
    for (const Tensor& tensor : tensors) each.add(&tensor, &tensor + 1);
    return each;
  };
  CallArguments arguments;
  arguments.add_slots("input", slots(inputs), false);
  arguments.add_slots("output", slots(outputs), true);
  record->add(arguments, nullptr);
  const bool wanted = record->wants_values();
  const bool possible = stream.accepts_host_tasks();
  if (wanted && possible) {
    add_step(stream, [both = std::pair(step(record, &CallRecord::before), step(record, &CallRecord::after))] {
      both.first();
      both.second();
    });
  }
  if (record->captured() || !wanted || !possible) record->write_without_values(values_of(wanted, possible));
}

}  // namespace aclvk::ops
