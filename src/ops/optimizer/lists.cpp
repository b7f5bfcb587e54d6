#include "ops/optimizer/lists.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/foreach/lists.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {

using ParamId = OptimizerLists::ParamId;

ParamId OptimizerLists::list(const TensorListArg& arg, bool written) {
  std::vector<Tensor> members;
  for (const TensorPtr& tensor : optional_tensors(arg)) {
    check(tensor != nullptr, Code::kNnNullptr, "tensor {} of {} is NULL.", members.size(), arg.name);
    members.push_back(*tensor);
  }
  return add(arg.name, std::move(members), written);
}

ParamId OptimizerLists::optional_list(const TensorListArg& arg, bool written) {
  return arg ? list(arg, written) : add(arg.name, {}, written);
}

ParamId OptimizerLists::optional_scalar(const InputArg& arg) {
  const TensorPtr tensor = optional_tensor(arg);
  std::vector<Tensor> one;
  if (tensor) one.push_back(*tensor);
  const ParamId scalar = add(arg.name, std::move(one), false);
  parameters_.back().of_all = true;
  return scalar;
}

ParamId OptimizerLists::add(const char* name, std::vector<Tensor> tensors, bool written) {
  // An updated list has a slot among inputs and outputs; kernels use the output's.
  parameters_.push_back({name, std::move(tensors), written, written ? outputs_++ : parameters_.size()});
  return static_cast<ParamId>(parameters_.size() - 1);
}

void OptimizerLists::check_variables(ParamId variables) const {
  const Parameter& all = at(variables);
  check(!all.tensors.empty(), Code::kNnInvalid, "{} has no tensors; expected one at least.", all.name);
  for (const Tensor& tensor : all.tensors) check_operand(tensor, all.name, kFloats);
}

void OptimizerLists::check_as(ParamId variables, ParamId list) const {
  const Parameter& all = at(variables);
  const Parameter& others = at(list);
  check(others.tensors.size() == all.tensors.size(), Code::kNnInvalid, "{} has {} tensors; {} has {}.", others.name,
        others.tensors.size(), all.name, all.tensors.size());
  for (std::size_t i = 0; i < all.tensors.size(); ++i) {
    check_operand(others.tensors[i], others.name, kFloats);
    check(others.tensors[i].shape == all.tensors[i].shape, Code::kNnInvalid,
          "tensor {} of {} has shape {}; that of {} has {}.", i, others.name, others.tensors[i].shape, all.name,
          all.tensors[i].shape);
  }
}

void OptimizerLists::check_scalars(ParamId variables, ParamId list, const DTypeSet& dtypes) const {
  const Parameter& others = at(list);
  const std::size_t members = at(variables).tensors.size();
  check(others.tensors.size() == members, Code::kNnInvalid, "{} has {} tensors; {} has {}.", others.name,
        others.tensors.size(), at(variables).name, members);
  for (std::size_t i = 0; i < members; ++i) {
    check_operand(others.tensors[i], others.name, dtypes);
    check(!others.tensors[i].empty(), Code::kNnInvalid, "tensor {} of {} has shape {}; its first element is needed.", i,
          others.name, others.tensors[i].shape);
  }
}

void OptimizerLists::check_scalar(ParamId scalar) const {
  for (const Tensor& tensor : at(scalar).tensors) {
    check_operand(tensor, at(scalar).name, {DType::kFloat});
    check_one(tensor, at(scalar).name);
  }
}

Executor::Operands OptimizerLists::operands() const {
  Executor::Operands operands;
  operands.compares_outputs = true;
  for (const Parameter& parameter : parameters_) {
    const Tensor* first = parameter.tensors.data();
    const Tensor* last = first + parameter.tensors.size();
    if (parameter.written) operands.updated.push_back({operands.inputs.size(), operands.outputs.size()});
    operands.inputs.add(first, last);
    if (parameter.written) operands.outputs.add(first, last);
  }
  return operands;
}

const Tensor* OptimizerLists::BoundTensors::operator()(ParamId param, std::size_t member) const {
  const Parameter& parameter = lists_.at(param);
  return &(parameter.written ? operands_.outputs : operands_.inputs).tensor(parameter.slot, member);
}

std::optional<Tensor> OptimizerLists::BoundTensors::element(ParamId param) const {
  if (lists_.at(param).tensors.empty()) return std::nullopt;
  return element_of(*(*this)(param, 0), 0);
}

void OptimizerLists::BoundTensors::check_pair(ParamId written, ParamId other, std::size_t member,
                                              bool other_written) const {
  const Parameter& list = lists_.at(written);
  const Parameter& read = lists_.at(other);
  const std::size_t index = read.of_all ? 0 : member;
  if (index >= read.tensors.size()) return;
  const Tensor& out = *(*this)(written, member);
  const Tensor& input = *(*this)(other, index);
  // A member may be the same view as an input of its index, because a thread reads its elements before it writes them.
  if (!other_written && !read.of_all) return check_overlap(out, list.name, input, read.name);
  check(!share_elements(out, input), Code::kNnInvalid, "tensor {} of {} shares memory with {}; a step uses both.",
        member, list.name, read.name);
}

void OptimizerLists::BoundTensors::check_memory(const Written& written) const {
  const std::size_t lists = lists_.parameters_.size();
  for (const ParamId* list = written.begin(); list != written.end(); ++list) {
    for (std::size_t i = 0; i < lists_.at(*list).tensors.size(); ++i) {
      check_distinct(*(*this)(*list, i), lists_.at(*list).name);
      for (std::size_t k = 0; k < lists; ++k) {
        const auto other = static_cast<ParamId>(k);
        const ParamId* found = std::find(written.begin(), written.end(), other);
        // Each pair of written lists is compared once.
        if (found == written.end() || found > list) check_pair(*list, other, i, found != written.end());
      }
    }
  }
}

void OptimizerLists::BoundTensors::check_order_of(ParamId written, ParamId other, std::size_t member) const {
  const Parameter& list = lists_.at(written);
  const Parameter& used = lists_.at(other);
  if (written == other || used.of_all || member >= used.tensors.size()) return;
  const Tensor& tensor = *(*this)(other, member);
  for (std::size_t before = 0; before < member; ++before) {
    check(!share_elements(*(*this)(written, before), tensor), Code::kNnInvalid,
          "tensor {} of {} shares memory with tensor {} of {}, which is written first.", member, used.name, before,
          list.name);
  }
}

void OptimizerLists::BoundTensors::check_order(const Written& written) const {
  for (const ParamId list : written) {
    for (std::size_t k = 0; k < lists_.parameters_.size(); ++k) {
      for (std::size_t i = 0; i < members(); ++i) check_order_of(list, static_cast<ParamId>(k), i);
    }
  }
}

}  // namespace aclvk::ops
