#include "ops/record/call_record.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ops/record/tensor_values.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

using Json = nlohmann::ordered_json;
using runtime::RecordOptions;
using runtime::RecordTargetPtr;

Json list_of(const Shape& shape) { return Json(std::vector<std::int64_t>(shape.begin(), shape.end())); }

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
  const ByteSpan span = span_of(tensor);
  std::vector<std::byte> bytes(span.end - span.begin);
  runtime::copy_now(bytes.data(), tensor.address(), bytes.size());
  return {row_major(tensor, bytes), ""};
} catch (const std::exception& exception) {
  return {{}, exception.what()};
}

Json CallRecord::describe(const Place& place) {
  const Tensor& tensor = place.tensor;
  Json entry;
  entry["role"] = place.read && place.written ? "in-place" : place.written ? "output" : "input";
  entry["dtype"] = name_of(tensor.dtype);
  entry["shape"] = list_of(tensor.shape);
  entry["strides"] = list_of(tensor.strides);
  entry["offset"] = tensor.offset;
  entry["storage_shape"] = list_of(tensor.storage);
  entry["format"] = tensor.format;
  entry["address"] = fmt::format("{}", tensor.data);
  return entry;
}

CallRecord::CallRecord(const std::string& op, const std::string& name, runtime::Stream& stream)
    : op_(op), name_(name), device_(stream.device().id), captured_(is_stored(stream)) {
  call_["operator"] = op_;
  if (!name_.empty()) call_["name"] = name_;
  call_["time"] = now();
  call_["thread"] = gettid();
  call_["device"] = device_;
  call_["stream"] = stream.id;
  call_["captured"] = captured_;
  call_["arguments"] = Json::array();
}

void CallRecord::add(const CallArguments& arguments, const Executor::Operands* operands) {
  for (const CallArguments::Argument& argument : arguments.all()) {
    const std::size_t number = call_["arguments"].size();
    Json entry{{"name", argument.name}, {"kind", argument.kind}};
    const bool list = argument.kind == "tensor list";
    if (argument.tensors.empty()) entry["value"] = Json::parse(argument.value);
    call_["arguments"].push_back(std::move(entry));
    for (std::size_t i = 0; i < argument.tensors.size(); ++i) {
      const Tensor* tensor = &argument.tensors[i];
      if (operands && argument.input) tensor = &operands->inputs.tensor(*argument.input, i);
      if (operands && argument.output) tensor = &operands->outputs.tensor(*argument.output, i);
      add_place(argument, number, list ? std::optional(i) : std::nullopt, *tensor);
    }
  }
}

void CallRecord::add_place(const CallArguments::Argument& argument, std::size_t number,
                           std::optional<std::size_t> member, const Tensor& tensor) {
  Place place{number, member, argument.name + (member ? std::to_string(*member) : ""), tensor};
  const bool known = argument.input || argument.output;
  place.read = known ? argument.input.has_value() : !argument.written;
  place.written = known ? argument.output.has_value() : argument.written;
  Json& entry = call_["arguments"][number];
  const Json facts = describe(place);
  if (member) {
    entry["tensors"].push_back(facts);
  } else {
    entry.update(facts);
  }
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
    run.kept.push_back({target, std::vector<Json>(places_.size()), std::vector<Json>(places_.size())});
  }
  run.inputs.resize(places_.size());
  return run;
}

Json CallRecord::show(const Run& run, const Kept& kept, const Place& place, const char* when,
                      const Values& values) const {
  const RecordOptions& options = kept.target->options;
  if (options.values == RecordOptions::Values::kNone) return nullptr;
  if (!values.missing.empty()) return {{"missing", values.missing}};
  if (options.values == RecordOptions::Values::kStatistics) {
    return {{"statistics", statistics_of(place.tensor.dtype, values.elements, options.statistics)}};
  }
  const NpyType type = npy_type(place.tensor.dtype);
  const std::string name = fmt::format("{}{:08}.{}.{}.{}.npy", kept.target->prefix(device_), run.sequence,
                                       file_part(op_), file_part(place.label), when);
  kept.target->write_file(name, npy_header(type, place.tensor.shape), values.elements);
  Json shown{{"file", name.substr(kept.target->prefix(device_).size())}};
  if (type.is) shown["holds"] = type.is;
  return shown;
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
    write(run, kept);
  }
}

Json CallRecord::line(const Run& run) const {
  Json line{{"sequence", run.sequence}};
  if (run.replay) {
    line["replay"] = *run.replay;
    line["captured_as"] = sequence_;
  }
  line.update(call_);
  if (run.replay) line["time"] = now();
  return line;
}

void CallRecord::write(const Run& run, const Kept& kept) const {
  Json all = line(run);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Json& argument = all["arguments"][places_[i].argument];
    Json& entry = places_[i].member ? argument["tensors"][*places_[i].member] : argument;
    if (!kept.before[i].is_null()) entry["before"] = kept.before[i];
    if (!kept.after[i].is_null()) entry["after"] = kept.after[i];
  }
  kept.target->write_call(device_, all.dump(-1, ' ', true, Json::error_handler_t::replace));
}

void CallRecord::write_everywhere(const char* member, const Json& value) {
  Run run;
  run.sequence = sequence_;
  Json all = line(run);
  all[member] = value;
  for (const RecordTargetPtr& target : targets_) {
    if (target->options.only_overflow) continue;
    target->write_call(device_, all.dump(-1, ' ', true, Json::error_handler_t::replace));
  }
}

void CallRecord::write_without_values(const char* why) { write_everywhere("values", why); }

void CallRecord::write_failure(const Error& error) {
  write_everywhere("error", {{"code", static_cast<int>(error.code())}, {"sentence", error.sentence()}});
}

}  // namespace aclvk::ops
