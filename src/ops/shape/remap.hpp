#pragma once

#include <cstdint>

#include "ops/create/fill.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// The rule by which an output coordinate c maps to an input coordinate: the rules of shaders/shape/remap.comp.
enum class Rule : std::uint32_t {
  kInside = 0,   ///< c * factor + addend; the fill value outside of the input
  kWrap = 1,     ///< c * factor + addend, modulo the size (circular)
  kClamp = 2,    ///< c * factor + addend, clamped to the input
  kReflect = 3,  ///< c * factor + addend, reflected at the edges, which are not repeated
  kDivide = 4,   ///< c / factor
  kScale = 5,    ///< floor((c + addend) * factor) in float, at most the last
  kStep = 6,     ///< c * factor + addend, always inside of the input
};

struct DimRule {
  Rule rule = Rule::kStep;
  double factor = 1;  ///< a double represents all relevant integers exactly
  double addend = 0;
};
using DimRules = InlineVector<DimRule, kMaxRank>;

/// out[c0, c1, ...] = input[rule0(c0), rule1(c1), ...]; one rule per dim; both tensors have the same rank. Copies
/// elements of any dtype. An empty input is never read: all elements become the fill value.
Kernels remap_kernels(const char* name, const Tensor& out, const Tensor& input, const DimRules& rules,
                      const Element& fill = {});

/// Plans an operator that is one remap of `self`, which gets leading dims up to the rank of `out`.
std::shared_ptr<Executor> plan_remap(const char* name, const Tensor& self, const char* self_name, const Tensor& out,
                                     const DimRules& rules, const Element& fill = {});

}  // namespace aclvk::ops
