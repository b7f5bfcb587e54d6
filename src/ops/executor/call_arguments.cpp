#include "ops/executor/call_arguments.hpp"

#include <cmath>

#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_address.hpp"
#include "ops/executor/tensor_numbers.hpp"
#include "ops/tensor/tensor_slots.hpp"
#include "runtime/json_text.hpp"

namespace aclvk::ops {
namespace {

using runtime::json_array;
using runtime::json_array_of;
using runtime::json_text;

/// JSON has no NaN and infinities: they become strings, which Python's float() accepts.
std::string number(double value) {
  if (std::isnan(value)) return json_text("nan");
  if (std::isinf(value)) return json_text(value > 0 ? "inf" : "-inf");
  return json_text(value);
}

std::string value_of(const Scalar& scalar) {
  switch (kind_of(scalar.dtype())) {
    case Kind::kBoolean: return json_text(scalar.to_int64() != 0);
    case Kind::kInteger:
      // to_int64() keeps the bits, so a large number would be shown as a negative one.
      if (scalar.dtype() == DType::kUint64) return json_text(static_cast<std::uint64_t>(scalar.to_int64()));
      return json_text(scalar.to_int64());
    case Kind::kFloating: return number(scalar.to_double());
    case Kind::kComplex: return json_array_of({number(scalar.to_complex().real()), number(scalar.to_complex().imag())});
    case Kind::kOther: break;
  }
  return "null";
}

std::string json_of(const Scalar& scalar) {
  return runtime::JsonObject().add("dtype", name_of(scalar.dtype())).add_json("value", value_of(scalar)).text();
}

std::vector<Tensor> members(const TensorList& list) {
  std::vector<Tensor> tensors;
  for (const void* member : list.members) {
    if (const auto tensor = with_placeholder(tensor_handles().find(member))) tensors.push_back(*tensor);
  }
  return tensors;
}

}  // namespace

CallArguments::Argument& CallArguments::add(const char* name, const char* kind) {
  all_.push_back({name, kind});
  return all_.back();
}

void CallArguments::add_tensor(const char* name, const void* handle, bool written) {
  Argument& argument = add(name, "tensor");
  argument.stands_for_tensors = true;
  argument.written = written;
  if (const auto tensor = with_placeholder(tensor_handles().find(handle))) argument.tensors.push_back(*tensor);
}

void CallArguments::add_tensor_list(const char* name, const void* handle, bool written) {
  Argument& argument = add(name, "tensor list");
  argument.stands_for_tensors = true;
  argument.written = written;
  if (const auto list = tensor_list_handles().find(handle)) argument.tensors = members(*list);
}

void CallArguments::add_scalar(const ScalarArg& arg) {
  Argument& argument = add(arg.name, "scalar");
  if (const auto scalar = scalar_handles().find(arg.handle)) argument.value = json_of(*scalar);
}

void CallArguments::add_scalar_list(const ScalarListArg& arg) {
  Argument& argument = add(arg.name, "scalar list");
  const auto list = scalar_list_handles().find(arg.handle);
  if (!list) return;
  std::vector<std::string> values;
  for (const void* member : list->members) {
    const auto scalar = scalar_handles().find(member);
    values.push_back(scalar ? json_of(*scalar) : "null");
  }
  argument.value = json_array_of(values);
}

void CallArguments::add_int_array(const IntArrayArg& arg) {
  Argument& argument = add(arg.name, "int array");
  if (const auto array = int_array_handles().find(arg.handle)) argument.value = json_array(*array);
}

void CallArguments::add_float_array(const FloatArrayArg& arg) {
  Argument& argument = add(arg.name, "float array");
  const auto array = float_array_handles().find(arg.handle);
  if (!array) return;
  std::vector<std::string> values;
  for (const float value : *array) values.push_back(number(value));
  argument.value = json_array_of(values);
}

void CallArguments::add_bool_array(const BoolArrayArg& arg) {
  Argument& argument = add(arg.name, "bool array");
  const auto array = bool_array_handles().find(arg.handle);
  if (!array) return;
  std::vector<std::string> values;
  for (const auto value : *array) values.push_back(json_text(value != 0));
  argument.value = json_array_of(values);
}

void CallArguments::add_int(const char* name, std::int64_t value) { add(name, "int").value = json_text(value); }
void CallArguments::add_float(const char* name, double value) { add(name, "float").value = number(value); }
void CallArguments::add_bool(const char* name, bool value) { add(name, "bool").value = json_text(value); }

void CallArguments::add_string(const char* name, const char* value) {
  Argument& argument = add(name, "string");
  if (value) argument.value = json_text(value);
}

void CallArguments::add_dtype(const char* name, int value) {
  add(name, "dtype").value = json_text(name_of(static_cast<DType>(value)));
}

void CallArguments::add_slots(const char* stem, const TensorSlots& slots, bool written) {
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const std::string name = stem + std::to_string(slot);
    Argument& argument = add(name.c_str(), slots.count(slot) > 1 ? "tensor list" : "tensor");
    argument.written = written;
    for (std::size_t i = 0; i < slots.count(slot); ++i) argument.tensors.push_back(slots.tensor(slot, i));
  }
}

void CallArguments::match(const TensorNumbers& numbers, const TensorSlots& inputs, const TensorSlots& outputs) {
  std::size_t number = 0;
  const auto slot_of = [](std::int32_t slot, const TensorSlots& slots, std::size_t members) {
    const bool is_whole = slot != TensorNumbers::kNone && slots.count(static_cast<std::size_t>(slot)) == members;
    return is_whole ? std::optional<std::size_t>(slot) : std::nullopt;
  };
  for (Argument& argument : all_) {
    if (!argument.stands_for_tensors) continue;
    const TensorNumbers::Parameter* parameter = numbers.parameter(TensorNumbers::Count::kAll, number++);
    if (!parameter || argument.tensors.empty()) continue;
    argument.input = slot_of(parameter->input, inputs, argument.tensors.size());
    argument.output = slot_of(parameter->output, outputs, argument.tensors.size());
  }
}

}  // namespace aclvk::ops
