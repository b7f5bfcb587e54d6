#include "ops/tensor_parameters.hpp"

#include <utility>

namespace aclvk::ops {

using Place = TensorParameters::Place;

Place TensorParameters::input(const void* handle, const char* name) {
  return add(required_tensor(handle, name), name, false);
}
Place TensorParameters::optional_input(const void* handle, const char* name) {
  return add(optional_tensor(handle, name), name, false);
}
Place TensorParameters::output(const void* handle, const char* name) {
  return add(required_tensor(handle, name), name, true);
}
Place TensorParameters::optional_output(const void* handle, const char* name) {
  return add(optional_tensor(handle, name), name, true);
}

Place TensorParameters::add(TensorPtr tensor, const char* name, bool written) {
  parameters_.push_back({std::move(tensor), name, written, written ? outputs_++ : inputs_++});
  return static_cast<Place>(parameters_.size() - 1);
}

void TensorParameters::check_all(const DTypeSet& supported) const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.tensor) check_dtype(*parameter.tensor, parameter.name, supported);
  }
  for (const Parameter& parameter : parameters_) {
    if (parameter.tensor) check_view(*parameter.tensor, parameter.name);
  }
}

void TensorParameters::check_shape(Place place, const Shape& expected, const char* reason) const {
  if (has(place)) ops::check_shape((*this)[place], name(place), expected, reason);
}

Executor::Operands TensorParameters::operands() const {
  Executor::Operands operands;
  for (const Parameter& parameter : parameters_) {
    const Tensor* tensor = parameter.tensor.get();
    (parameter.written ? operands.outputs : operands.inputs).add(tensor, tensor ? tensor + 1 : nullptr);
  }
  return operands;
}

const Tensor* TensorParameters::Now::operator[](Place place) const {
  if (place == Place::kNone) return nullptr;
  const Parameter& parameter = parameters_.at(place);
  if (!parameter.tensor) return nullptr;
  return &(parameter.written ? operands_.output(parameter.slot) : operands_.input(parameter.slot));
}

void TensorParameters::Now::check_memory() const {
  const auto& all = parameters_.parameters_;
  const auto now = [&](const Parameter& parameter) { return (*this)[static_cast<Place>(&parameter - all.data())]; };
  for (const Parameter& output : all) {
    if (!output.written || !output.tensor) continue;
    check_distinct(*now(output), output.name);
    for (const Parameter& input : all) {
      if (!input.written && input.tensor) check_overlap(*now(output), output.name, *now(input), input.name);
    }
  }
}

}  // namespace aclvk::ops
