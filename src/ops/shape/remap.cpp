#include "ops/shape/remap.hpp"

#include <cstring>

#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"
#include "shape/remap.args.h"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(RuleArguments, RULE_MEMBERS);
ARGUMENT_STRUCT(RemapArguments, REMAP_ARGUMENTS);
CONSTANT_STRUCT(RemapConstants, REMAP_CONSTANTS);

uint word_of(Rule rule, double value) {
  // Integer rules compute in 32-bit integers, scaling in float.
  if (rule != Rule::kScale) return word(static_cast<std::int64_t>(value));
  const auto narrow = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  return bits;
}

}  // namespace

Kernels remap_kernels(const char* name, const Tensor& out, const Tensor& input, const DimRules& rules,
                      const Element& fill) {
  if (input.empty()) return fill_kernels(name, out, fill);
  const std::size_t rank = out.shape.size();
  Shape steps(rank, 0);
  Shape numbers(rank, 0);
  StridedOperand source{&input, runtime::Access::kRead, false, &steps};
  StridedCall call;
  RemapArguments arguments;
  arguments.fill = fill;
  InlineVector<std::size_t, kMaxRank> ruled;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    if (rules[dim].rule != Rule::kStep) {
      ruled.push_back(dim);
      continue;
    }
    // A step is a plain stride of the lane's start, and needs no rule in the shader.
    steps[dim] = static_cast<std::int64_t>(rules[dim].factor) * input.strides[dim];
    source.first += static_cast<std::int64_t>(rules[dim].addend) * input.strides[dim];
  }
  for (std::size_t i = 0; i < ruled.size(); ++i) {
    const std::size_t dim = ruled[i];
    const DimRule& rule = rules[dim];
    arguments.rules[i].out_size = word(out.shape[dim]);
    arguments.rules[i].size = word(input.shape[dim]);
    arguments.rules[i].stride = word(input.strides[dim]);
    arguments.rules[i].rule = static_cast<uint>(rule.rule);
    arguments.rules[i].factor = word_of(rule.rule, rule.factor);
    arguments.rules[i].addend = word_of(rule.rule, rule.addend);
  }
  std::int64_t number = 1;
  // The lane's second index is linear over the ruled dims alone; the shader takes it apart.
  for (std::size_t i = ruled.size(); i-- > 0; number *= out.shape[ruled[i]]) numbers[ruled[i]] = number;
  call.name = name;
  call.shader = "shape/remap_bits";
  call.promoted = out.dtype;
  RemapConstants constants;
  constants.kDims = static_cast<uint>(ruled.size());
  add_constants(call, constants);
  add_arguments(call, arguments);
  call.operands = {source, {&out, runtime::Access::kRead, true, &numbers}, {&out, runtime::Access::kWrite, false}};
  return strided_kernels(call);
}

std::shared_ptr<Executor> plan_remap(const char* name, const Tensor& self, const char* self_name, const Tensor& out,
                                     const DimRules& rules, const Element& fill) {
  auto build = [=](const Executor::Operands& bound) {
    check_disjoint(bound, "out", self_name);
    return remap_kernels(name, bound.output(0), with_rank(bound.input(0), rules.size()), rules, fill);
  };
  return std::make_shared<Executor>(name, Executor::Operands{{&self}, {&out}}, std::move(build));
}

}  // namespace aclvk::ops
