#include "ops/record/call_record.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ops/formats.hpp"
#include "ops/matmul/fractal.hpp"
#include "ops/record/tensor_values.hpp"
#include "ops/tensor_address.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

using runtime::json_array;
using runtime::json_array_of;
using runtime::json_text;
using runtime::JsonObject;
using runtime::RecordOptions;
using runtime::RecordTargetPtr;

std::string file_part(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\0'; }, '_');
  return name.substr(0, 100);
}

/// The operator runs when a model does. PERSISTENT streams collect tasks for one before they are bound to it.
bool is_stored(const runtime::Stream& stream) {
  return !stream.executes() || (stream.options.flags & runtime::kStreamPersistent) != 0;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

CallRecord::Values CallRecord::read(const Tensor& tensor) try {
  check(npy_type(tensor.dtype).descr != nullptr, Code::kNnInvalid, "Elements of dtype {} are not whole bytes.",
        tensor.dtype);
  check_view(tensor, "The tensor");
  const bool in_blocks = is_fractal(tensor) && !is_four_bit(tensor.dtype);
  check(in_blocks || is_plain_format(tensor.format), Code::kNnInvalid,
        "Elements of format {} and dtype {} lie in blocks.", format_text(tensor.format), tensor.dtype);
  if (in_blocks) check_fractal(tensor, "The tensor");
  const Tensor held = in_blocks ? blocks_of(tensor) : tensor;
  const ByteSpan span = span_of(held);
  std::vector<std::byte> bytes(span.end - span.begin);
  runtime::copy_now(bytes.data(), held.address(), bytes.size());
  return {in_blocks ? row_major_of_blocks(tensor, bytes) : row_major(tensor, bytes), ""};
} catch (const std::exception& exception) {
  return {{}, exception.what()};
}

JsonObject CallRecord::describe(const Place& place) {
  const Tensor& tensor = place.tensor;
  JsonObject entry;
  entry.add("role", place.read && place.written ? "in-place"
                    : place.written             ? "output"
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

CallRecord::CallRecord(const std::string& op, const std::string& name, runtime::Stream& stream)
    : op_(op),
      name_(name),
      device_(stream.device().id),
      captured_(is_stored(stream)),
      time_(now()),
      thread_(gettid()),
      stream_(stream.id) {}

void CallRecord::add(const CallArguments& arguments, const Executor::Operands* operands) {
  for (const CallArguments::Argument& argument : arguments.all()) {
    Parameter parameter{{}, argument.kind == "tensor list"};
    parameter.shown.add("name", argument.name).add("kind", argument.kind);
    if (argument.tensors.empty()) parameter.shown.add_json("value", argument.value);
    parameters_.push_back(parameter);
    for (std::size_t i = 0; i < argument.tensors.size(); ++i) {
      const Tensor* tensor = &argument.tensors[i];
      if (operands && argument.input) tensor = &operands->inputs.tensor(*argument.input, i);
      if (operands && argument.output) tensor = &operands->outputs.tensor(*argument.output, i);
      add_place(argument, argument.name + (parameter.is_list ? std::to_string(i) : ""), *tensor);
    }
  }
}

void CallRecord::add_place(const CallArguments::Argument& argument, const std::string& label, const Tensor& tensor) {
  Place place{parameters_.size() - 1, label, tensor};
  const bool known = argument.input || argument.output;
  place.read = known ? argument.input.has_value() : !argument.written;
  place.written = known ? argument.output.has_value() : argument.written;
  places_.push_back(std::move(place));
}

bool CallRecord::wants_values() const {
  return std::any_of(targets_.begin(), targets_.end(),
                     [](const auto& target) { return target->options.values != RecordOptions::Values::kNone; });
}

CallRecord::Run CallRecord::begin_run() {
  Run run;
  const std::uint64_t number = runs_++;
  const bool again = captured_ || number > 0;
  run.sequence = again ? runtime::next_call_number() : sequence_;
  if (again) run.replay = number;
  for (const RecordTargetPtr& target : targets_) {
    if (again && !target->options.wants_replay(number)) continue;
    run.kept.push_back({target, std::vector<std::string>(places_.size()), std::vector<std::string>(places_.size())});
  }
  run.inputs.resize(places_.size());
  return run;
}

std::string CallRecord::show(const Run& run, const Kept& kept, const Place& place, const char* when,
                             const Values& values) const {
  const RecordOptions& options = kept.target->options;
  if (options.values == RecordOptions::Values::kNone) return {};
  JsonObject shown;
  if (!values.missing.empty()) return shown.add("missing", values.missing).text();
  if (options.values == RecordOptions::Values::kStatistics) {
    const std::string statistics = statistics_of(place.tensor.dtype, values.elements, options.statistics);
    return shown.add_json("statistics", statistics).text();
  }
  const NpyType type = npy_type(place.tensor.dtype);
  const std::string name = fmt::format("{}{:08}.{}.{}.{}.npy", kept.target->prefix(device_), run.sequence,
                                       file_part(op_), file_part(place.label), when);
  kept.target->write_file(name, npy_header(type, place.tensor.shape), values.elements);
  shown.add("file", name.substr(kept.target->prefix(device_).size()));
  if (type.is) shown.add("holds", type.is);
  return shown.text();
}

// Written at once where it is certain that the call stays: an operator that never ends is looked for, too.
void CallRecord::before() {
  std::lock_guard lock(mutex_);
  run_ = begin_run();
  const auto decides_later = [](const Kept& kept) { return kept.target->options.only_overflow; };
  const bool keep = std::any_of(run_->kept.begin(), run_->kept.end(), decides_later);
  const auto wants = [](const Kept& kept) { return kept.target->options.inputs; };
  if (std::none_of(run_->kept.begin(), run_->kept.end(), wants)) return;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].read) continue;
    Values values = read(places_[i].tensor);
    for (Kept& kept : run_->kept) {
      if (wants(kept) && !decides_later(kept)) kept.before[i] = show(*run_, kept, places_[i], "before", values);
    }
    if (keep) run_->inputs[i] = std::move(values);
  }
}

bool CallRecord::is_dropped(const Kept& kept, const std::vector<std::optional<Values>>& outputs) const {
  if (!kept.target->options.only_overflow) return false;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (outputs[i] && overflows(places_[i].tensor.dtype, outputs[i]->elements)) return false;
  }
  return true;
}

void CallRecord::after() {
  std::lock_guard lock(mutex_);
  if (!run_) return;
  Run run = std::move(*run_);
  run_.reset();
  std::vector<std::optional<Values>> outputs(places_.size());
  const bool wanted = std::any_of(run.kept.begin(), run.kept.end(), [](const Kept& kept) {
    return kept.target->options.outputs || kept.target->options.only_overflow;
  });
  for (std::size_t i = 0; wanted && i < places_.size(); ++i) {
    if (places_[i].written) outputs[i] = read(places_[i].tensor);
  }
  for (Kept& kept : run.kept) {
    if (is_dropped(kept, outputs)) continue;
    const RecordOptions& options = kept.target->options;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (options.only_overflow && options.inputs && run.inputs[i]) {
        kept.before[i] = show(run, kept, places_[i], "before", *run.inputs[i]);
      }
      if (options.outputs && outputs[i]) kept.after[i] = show(run, kept, places_[i], "after", *outputs[i]);
    }
    kept.target->write_call(device_, line(run, &kept).text());
  }
}

JsonObject CallRecord::line(const Run& run, const Kept* kept) const {
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
      .add_json("arguments", arguments(kept));
  return line;
}

std::string CallRecord::arguments(const Kept* kept) const {
  std::vector<std::string> all;
  std::size_t i = 0;
  for (std::size_t number = 0; number < parameters_.size(); ++number) {
    JsonObject entry = parameters_[number].shown;
    std::vector<std::string> members;
    for (; i < places_.size() && places_[i].parameter == number; ++i) {
      JsonObject tensor = describe(places_[i]);
      if (kept && !kept->before[i].empty()) tensor.add_json("before", kept->before[i]);
      if (kept && !kept->after[i].empty()) tensor.add_json("after", kept->after[i]);
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

void CallRecord::write_everywhere(const char* member, const std::string& json) {
  Run run;
  run.sequence = sequence_;
  const std::string text = line(run, nullptr).add_json(member, json).text();
  for (const RecordTargetPtr& target : targets_) {
    if (!target->options.only_overflow) target->write_call(device_, text);
  }
}

void CallRecord::write_without_values(const char* why) { write_everywhere("values", json_text(why)); }

void CallRecord::write_failure(const Error& error) {
  const auto code = static_cast<int>(error.code());
  write_everywhere("error", JsonObject().add("code", code).add("sentence", error.sentence()).text());
}

}  // namespace aclvk::ops
