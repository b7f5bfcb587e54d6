#include "ops/executor/tensor_parameters.hpp"

#include <utility>

namespace aclvk::ops {

using ParamId = TensorParameters::ParamId;

ParamId TensorParameters::input(const InputArg& arg) { return add(required_tensor(arg), arg.name, false); }
ParamId TensorParameters::optional_input(const InputArg& arg) {
  return arg.name ? add(optional_tensor(arg), arg.name, false) : ParamId::kNone;
}
ParamId TensorParameters::output(const OutputArg& arg) { return add(required_tensor(arg), arg.name, true); }
ParamId TensorParameters::optional_output(const OutputArg& arg) {
  return arg.name ? add(optional_tensor(arg), arg.name, true) : ParamId::kNone;
}

ParamId TensorParameters::updated(const UpdatedArg& arg) {
  input(arg.read());
  return output(arg.written());
}
ParamId TensorParameters::optional_updated(const UpdatedArg& arg) {
  optional_input(arg.read());
  return optional_output(arg.written());
}

ParamId TensorParameters::input_list(const InputListArg& arg) { return add(required_tensors(arg), arg.name, false); }
ParamId TensorParameters::output_list(const OutputListArg& arg) { return add(required_tensors(arg), arg.name, true); }

// Parameters that have to be NULL still take a slot, because programs address parameters by number.
void TensorParameters::unsupported(const std::vector<InputArg>& inputs) {
  for (const InputArg& input : inputs) add(TensorPtr(), input.name, false);
}

ParamId TensorParameters::add(const TensorPtr& tensor, const char* name, bool written) {
  return add(tensor ? std::vector<Tensor>{*tensor} : std::vector<Tensor>{}, name, written);
}

ParamId TensorParameters::add(std::vector<Tensor> members, const char* name, bool written) {
  // Inputs and outputs have slots of their own, in the order of declaration.
  parameters_.push_back({std::move(members), name, written, written ? outputs_++ : inputs_++});
  return static_cast<ParamId>(parameters_.size() - 1);
}

void TensorParameters::check_all(const DTypeSet& supported) const {
  check_dtypes({"", supported, supported});
  check_views();
}

void TensorParameters::check_dtypes(const OperatorDtypes& supported) const {
  for (const Parameter& parameter : parameters_) {
    const DTypeSet& dtypes = parameter.written ? supported.outputs : supported.inputs;
    for (const Tensor& member : parameter.members) check_dtype(member, parameter.name, dtypes);
  }
}

void TensorParameters::check_dtypes(std::initializer_list<ParamId> ids, const DTypeSet& supported) const {
  for (const ParamId id : ids) {
    if (has(id)) check_dtype((*this)[id], name(id), supported);
  }
}

void TensorParameters::check_views() const {
  for (const Parameter& parameter : parameters_) {
    for (const Tensor& member : parameter.members) check_view(member, parameter.name);
  }
}

void TensorParameters::check_shape(ParamId id, const Shape& expected, const char* reason) const {
  if (has(id)) ops::check_shape((*this)[id], name(id), expected, reason);
}

void TensorParameters::check_list(ParamId id, std::size_t count, const Shape& expected, const char* reason) const {
  if (!has(id)) return;
  check(list(id).size() == count, Code::kNnInvalid, "{} has {} tensors; expected {}.", name(id), list(id).size(),
        count);
  for (const Tensor& member : list(id)) ops::check_shape(member, name(id), expected, reason);
}

Executor::Operands TensorParameters::operands() const {
  Executor::Operands operands;
  for (const Parameter& parameter : parameters_) {
    const Tensor* first = parameter.members.data();
    (parameter.written ? operands.outputs : operands.inputs).add(first, first + parameter.members.size());
  }
  // An input and an output of one name are a parameter that is updated in place.
  for (const Parameter& output : parameters_) {
    if (!output.written || output.members.empty()) continue;
    for (const Parameter& input : parameters_) {
      if (input.written || input.members.empty() || !is_one_parameter(input.name, output.name)) continue;
      operands.updated.push_back({input.slot, output.slot});
    }
  }
  return operands;
}

const Tensor* TensorParameters::BoundTensors::operator[](ParamId id) const {
  return parameters_.has(id) ? &of_list(id, 0) : nullptr;
}

const Tensor& TensorParameters::BoundTensors::of_list(ParamId id, std::size_t member) const {
  const Parameter& parameter = parameters_.at(id);
  return (parameter.written ? operands_.outputs : operands_.inputs).tensor(parameter.slot, member);
}

void TensorParameters::BoundTensors::check_memory() const {
  const auto& all = parameters_.parameters_;
  const auto id_of = [&](const Parameter& parameter) { return static_cast<ParamId>(&parameter - all.data()); };
  for (const Parameter& output : all) {
    for (std::size_t member = 0; member < output.members.size() && output.written; ++member) {
      const Tensor& out = of_list(id_of(output), member);
      check_distinct(out, output.name);
      for (const Parameter& input : all) {
        for (std::size_t i = 0; i < input.members.size() && !input.written; ++i) {
          check_overlap(out, output.name, of_list(id_of(input), i), input.name);
        }
      }
    }
  }
}

void TensorParameters::BoundTensors::check_disjoint(std::initializer_list<ParamId> outputs,
                                                    std::initializer_list<ParamId> inputs) const {
  for (const ParamId output : outputs) {
    for (const ParamId input : inputs) {
      if (!parameters_.has(output) || !parameters_.has(input)) continue;
      ops::check_disjoint(*(*this)[output], parameters_.name(output), *(*this)[input], parameters_.name(input));
    }
  }
}

}  // namespace aclvk::ops
