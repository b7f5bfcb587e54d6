#include "ops/dump/call_dump.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ops/dump/tensor_values.hpp"
#include "ops/executor/tensor_address.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/tensor/formats.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

using runtime::DumpOptions;
using runtime::DumpTargetPtr;
using runtime::json_array;
using runtime::json_array_of;
using runtime::json_text;
using runtime::JsonObject;

// A file name must contain neither '/' nor NUL, and most file systems limit it to 255 bytes.
std::string file_part(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\0'; }, '_');
  return name.substr(0, 100);
}

/// Returns whether the operator becomes part of a model instead of running now. PERSISTENT streams collect tasks for a
/// model before they are bound to it.
bool is_stored(const runtime::Stream& stream) {
  return !stream.executes() || (stream.options.flags & runtime::kStreamPersistent) != 0;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

// A tensor that cannot be read is missing from the dump with the reason; the others are still written.
CallDump::Values CallDump::read(const Tensor& tensor) try {
  check(npy_type(tensor.dtype).descr != nullptr, Code::kNnInvalid, "Elements of dtype {} are not whole bytes.",
        tensor.dtype);
  check_view(tensor, "The tensor");
  const bool in_blocks = is_fractal(tensor) && !is_four_bit(tensor.dtype);
  check(in_blocks || is_plain_format(tensor.format), Code::kNnInvalid,
        "Elements of format {} and dtype {} lie in blocks.", format_text(tensor.format), tensor.dtype);
  if (in_blocks) check_fractal(tensor, "The tensor");
  const Tensor held = in_blocks ? blocks_of(tensor) : tensor;
  const ByteSpan span = span_of(held);
  // The whole span of a view is copied at once, and its elements are put in order on the host.
  std::vector<std::byte> bytes(span.end - span.begin);
  runtime::copy_now(bytes.data(), held.address(), bytes.size());
  return {in_blocks ? row_major_of_blocks(tensor, bytes) : row_major(tensor, bytes), ""};
} catch (const std::exception& exception) {
  return {{}, exception.what()};
}

JsonObject CallDump::describe(const DumpedTensor& dumped) {
  const Tensor& tensor = dumped.tensor;
  JsonObject entry;
  entry.add("role", dumped.read && dumped.written ? "in-place"
                    : dumped.written              ? "output"
                                                  : "input")
      .add("dtype", name_of(tensor.dtype))
      .add_json("shape", json_array(tensor.shape))
      .add_json("strides", json_array(tensor.strides))
      .add("offset", tensor.offset)
      .add_json("storage_shape", json_array(tensor.storage))
      .add("format", tensor.format)
      .add("address", fmt::format("{}", program_address(tensor)));
  return entry;
}

CallDump::CallDump(const std::string& op, const std::string& name, runtime::Stream& stream)
    : op_(op),
      name_(name),
      device_(stream.device().id),
      captured_(is_stored(stream)),
      time_(now()),
      thread_(gettid()),
      stream_(stream.id) {}

void CallDump::add(const CallArguments& arguments, const Executor::Operands* operands) {
  for (const CallArguments::Argument& argument : arguments.all()) {
    Parameter parameter{{}, argument.kind == "tensor list"};
    parameter.shown.add("name", argument.name).add("kind", argument.kind);
    if (argument.tensors.empty()) parameter.shown.add_json("value", argument.value);
    parameters_.push_back(parameter);
    for (std::size_t i = 0; i < argument.tensors.size(); ++i) {
      const Tensor* tensor = &argument.tensors[i];
      // The executor's operands have the addresses of this launch; the arguments have those of the first phase.
      if (operands && argument.input) tensor = &operands->inputs.tensor(*argument.input, i);
      if (operands && argument.output) tensor = &operands->outputs.tensor(*argument.output, i);
      add_dumped_tensor(argument, argument.name + (parameter.is_list ? std::to_string(i) : ""), *tensor);
    }
  }
}

void CallDump::add_dumped_tensor(const CallArguments::Argument& argument, const std::string& label,
                                 const Tensor& tensor) {
  DumpedTensor dumped{parameters_.size() - 1, label, tensor};
  // Without a slot among the operands the role follows from the signature.
  const bool known = argument.input || argument.output;
  dumped.read = known ? argument.input.has_value() : !argument.written;
  dumped.written = known ? argument.output.has_value() : argument.written;
  dumped_tensors_.push_back(std::move(dumped));
}

bool CallDump::wants_values() const {
  return std::any_of(targets_.begin(), targets_.end(),
                     [](const auto& target) { return target->options.values != DumpOptions::Values::kNone; });
}

CallDump::Run CallDump::begin_run() {
  Run run;
  const std::uint64_t number = runs_++;
  // A model replays the captured call, so each of its runs gets a number of its own.
  const bool again = captured_ || number > 0;
  run.sequence = again ? runtime::next_call_number() : sequence_;
  if (again) run.replay = number;
  for (const DumpTargetPtr& target : targets_) {
    if (again && !target->options.wants_replay(number)) continue;
    run.target_entries.push_back(
        {target, std::vector<std::string>(dumped_tensors_.size()), std::vector<std::string>(dumped_tensors_.size())});
  }
  run.inputs.resize(dumped_tensors_.size());
  return run;
}

std::string CallDump::dump_values(const Run& run, const TargetEntry& target_entry, const DumpedTensor& dumped,
                                  const char* when, const Values& values) const {
  const DumpOptions& options = target_entry.target->options;
  if (options.values == DumpOptions::Values::kNone) return {};
  JsonObject shown;
  if (!values.missing.empty()) return shown.add("missing", values.missing).text();
  if (options.values == DumpOptions::Values::kStatistics) {
    const std::string statistics = statistics_of(dumped.tensor.dtype, values.elements, options.statistics);
    return shown.add_json("statistics", statistics).text();
  }
  const NpyType type = npy_type(dumped.tensor.dtype);
  const std::string name = fmt::format("{}{:08}.{}.{}.{}.npy", target_entry.target->prefix(device_), run.sequence,
                                       file_part(op_), file_part(dumped.label), when);
  target_entry.target->write_file(name, npy_header(type, dumped.tensor.shape), values.elements);
  shown.add("file", name.substr(target_entry.target->prefix(device_).size()));
  if (type.is) shown.add("holds", type.is);
  return shown.text();
}

// Inputs are written before the operator runs, unless the target dumps overflows only: so a hanging operator's inputs
// are in the dump.
void CallDump::before() {
  const LockGuard lock(mutex_);
  run_ = begin_run();
  const auto decides_after_run = [](const TargetEntry& target_entry) {
    return target_entry.target->options.only_overflow;
  };
  const bool keep_inputs = std::any_of(run_->target_entries.begin(), run_->target_entries.end(), decides_after_run);
  const auto wants = [](const TargetEntry& target_entry) { return target_entry.target->options.inputs; };
  if (std::none_of(run_->target_entries.begin(), run_->target_entries.end(), wants)) return;
  for (std::size_t i = 0; i < dumped_tensors_.size(); ++i) {
    if (!dumped_tensors_[i].read) continue;
    Values values = read(dumped_tensors_[i].tensor);
    for (TargetEntry& target_entry : run_->target_entries) {
      if (wants(target_entry) && !decides_after_run(target_entry))
        target_entry.before[i] = dump_values(*run_, target_entry, dumped_tensors_[i], "before", values);
    }
    // A target that dumps overflows only decides after the run, when an in-place operator has overwritten its
    // inputs.
    if (keep_inputs) run_->inputs[i] = std::move(values);
  }
}

bool CallDump::is_discarded(const TargetEntry& target_entry, const std::vector<std::optional<Values>>& outputs) const {
  if (!target_entry.target->options.only_overflow) return false;
  for (std::size_t i = 0; i < dumped_tensors_.size(); ++i) {
    if (outputs[i] && overflows(dumped_tensors_[i].tensor.dtype, outputs[i]->elements)) return false;
  }
  return true;
}

void CallDump::after() {
  const LockGuard lock(mutex_);
  if (!run_) return;
  Run run = std::move(*run_);
  run_.reset();
  std::vector<std::optional<Values>> outputs(dumped_tensors_.size());
  const bool wanted =
      std::any_of(run.target_entries.begin(), run.target_entries.end(), [](const TargetEntry& target_entry) {
        return target_entry.target->options.outputs || target_entry.target->options.only_overflow;
      });
  for (std::size_t i = 0; wanted && i < dumped_tensors_.size(); ++i) {
    if (dumped_tensors_[i].written) outputs[i] = read(dumped_tensors_[i].tensor);
  }
  for (TargetEntry& target_entry : run.target_entries) {
    if (is_discarded(target_entry, outputs)) continue;
    const DumpOptions& options = target_entry.target->options;
    for (std::size_t i = 0; i < dumped_tensors_.size(); ++i) {
      if (options.only_overflow && options.inputs && run.inputs[i]) {
        target_entry.before[i] = dump_values(run, target_entry, dumped_tensors_[i], "before", *run.inputs[i]);
      }
      if (options.outputs && outputs[i])
        target_entry.after[i] = dump_values(run, target_entry, dumped_tensors_[i], "after", *outputs[i]);
    }
    target_entry.target->write_call(device_, line(run, &target_entry).text());
  }
}

JsonObject CallDump::line(const Run& run, const TargetEntry* target_entry) const {
  JsonObject line;
  line.add("sequence", run.sequence);
  if (run.replay) line.add("replay", *run.replay).add("captured_as", sequence_);
  line.add("operator", op_);
  if (!name_.empty()) line.add("name", name_);
  line.add("time", run.replay ? now() : time_)
      .add("thread", thread_)
      .add("device", device_)
      .add("stream", stream_)
      .add("captured", captured_)
      .add_json("arguments", arguments(target_entry));
  return line;
}

std::string CallDump::arguments(const TargetEntry* target_entry) const {
  std::vector<std::string> all;
  std::size_t i = 0;
  for (std::size_t number = 0; number < parameters_.size(); ++number) {
    JsonObject entry = parameters_[number].shown;
    std::vector<std::string> members;
    for (; i < dumped_tensors_.size() && dumped_tensors_[i].parameter == number; ++i) {
      JsonObject tensor = describe(dumped_tensors_[i]);
      if (target_entry && !target_entry->before[i].empty()) tensor.add_json("before", target_entry->before[i]);
      if (target_entry && !target_entry->after[i].empty()) tensor.add_json("after", target_entry->after[i]);
      if (parameters_[number].is_list) {
        members.push_back(tensor.text());
      } else {
        entry.add_all(tensor);
      }
    }
    if (!members.empty()) entry.add_json("tensors", json_array_of(members));
    all.push_back(entry.text());
  }
  return json_array_of(all);
}

void CallDump::write_to_all_targets(const char* member, const std::string& json) {
  Run run;
  run.sequence = sequence_;
  const std::string text = line(run, nullptr).add_json(member, json).text();
  for (const DumpTargetPtr& target : targets_) {
    // A call without values cannot be tested for an overflow.
    if (!target->options.only_overflow) target->write_call(device_, text);
  }
}

void CallDump::write_without_values(const char* why) { write_to_all_targets("values", json_text(why)); }

void CallDump::write_failure(const Error& error) {
  const auto code = static_cast<int>(error.code());
  write_to_all_targets("error", JsonObject().add("code", code).add("sentence", error.sentence()).text());
}

}  // namespace aclvk::ops
