#include "ops/shape/remap.hpp"

#include <cstring>

#include "ops/kernel/strided.hpp"
#include "ops/shape/copies.hpp"

namespace aclvk::ops {
namespace {

constexpr std::size_t kRuleWords = 6;

std::uint32_t word_of(Rule rule, double value) {
  if (rule != Rule::kScale) return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  const auto narrow = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  return bits;
}

/// Adds leading dims of size 1 up to `rank`.
Tensor with_rank(Tensor tensor, std::size_t rank) {
  Shape shape(rank - tensor.shape.size(), 1);
  Shape strides(rank - tensor.shape.size(), 0);
  shape.append(tensor.shape.begin(), tensor.shape.end());
  strides.append(tensor.strides.begin(), tensor.strides.end());
  tensor.shape = shape;
  tensor.strides = strides;
  return tensor;
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
  call.arguments = {fill[0], fill[1], fill[2], fill[3]};
  InlineVector<std::size_t, kMaxRank> ruled;
  for (std::size_t dim = 0; dim < rank; ++dim) {
    if (rules[dim].rule != Rule::kStep) {
      ruled.push_back(dim);
      continue;
    }
    steps[dim] = static_cast<std::int64_t>(rules[dim].factor) * input.strides[dim];
    source.first += static_cast<std::int64_t>(rules[dim].addend) * input.strides[dim];
  }
  for (const std::size_t dim : ruled) {
    const DimRule& rule = rules[dim];
    for (const std::int64_t word : {out.shape[dim], input.shape[dim], input.strides[dim]}) {
      call.arguments.push_back(static_cast<std::uint32_t>(word));
    }
    call.arguments.push_back(static_cast<std::uint32_t>(rule.rule));
    call.arguments.push_back(word_of(rule.rule, rule.factor));
    call.arguments.push_back(word_of(rule.rule, rule.addend));
  }
  std::int64_t number = 1;
  for (std::size_t i = ruled.size(); i-- > 0; number *= out.shape[ruled[i]]) numbers[ruled[i]] = number;
  call.arguments.resize(4 + kMaxRank * kRuleWords);
  call.name = name;
  call.shader = "shape/remap_bits";
  call.promoted = out.dtype;
  call.constants = {static_cast<std::uint32_t>(ruled.size())};
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
