#pragma once

#include <cstdint>

#include "ops/create/fill.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// How a coordinate c of the output becomes one of the input: rules of shaders/shape/remap.comp.
enum class Rule : std::uint32_t {
  kInside = 0,   ///< c * factor + addend; outside of the input is the fill value
  kWrap = 1,     ///< the same; outside begins again at the other end
  kClamp = 2,    ///< outside is the nearest end
  kReflect = 3,  ///< outside goes back from the end, which does not count twice
  kDivide = 4,   ///< c / factor
  kScale = 5,    ///< floor((c + addend) * factor) in float, at most the last
  kStep = 6,     ///< c * factor + addend, which is inside
};

struct DimRule {
  Rule rule = Rule::kStep;
  double factor = 1;  ///< exact for every integer that matters
  double addend = 0;
};
using DimRules = InlineVector<DimRule, kMaxRank>;

/// out[c0, c1, ...] = input[rule0(c0), rule1(c1), ...]; one rule a dim, which both have in the same number. Elements of
/// any dtype, moved as they are. An input without elements is never read: everything is the fill value.
Kernels remap_kernels(const char* name, const Tensor& out, const Tensor& input, const DimRules& rules,
                      const Element& fill = {});

/// An operator that is one remap of `self`, its rank made that of `out`.
std::shared_ptr<Executor> plan_remap(const char* name, const Tensor& self, const char* self_name, const Tensor& out,
                                     const DimRules& rules, const Element& fill = {});

}  // namespace aclvk::ops
