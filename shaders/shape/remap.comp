#version 460
#extension GL_GOOGLE_include_directive : require
// variants: bits
// z[c0, c1, ...] = x[rule0(c0), rule1(c1), ...], or a fill value outside of x (src/ops/shape/remap.hpp). Dims with
// the rule kStep, whose step may be negative, are strides of the lanes. The other dims have a record each: size in z, size and stride in
// x, rule, factor, addend; the second operand's lane index is their linear index.

#include "common/declare.glsl"
#include "shape/remap.args.h"
struct RuleArguments {
  ACLVK_ARGUMENTS(RULE_MEMBERS)
};
const uint kRuleWords = ACLVK_ARGUMENT_WORDS(RULE_MEMBERS);
#define ACLVK_WORDS_IN_RuleArguments kRuleWords
#define OPERANDS 3
#define INDEXED_OPERANDS 2
#define OWN_ARGUMENTS REMAP_ARGUMENTS
#include "common/strided.glsl"

ACLVK_CONSTANTS(REMAP_CONSTANTS)

const uint kInside = 0, kWrap = 1, kClamp = 2, kReflect = 3, kDivide = 4, kScale = 5;

// floor((c + addend) * factor), in float as PyTorch computes it.
int scaled(uint coordinate, float factor, float addend) {
  precise float coordinate_in = (float(coordinate) + addend) * factor;
  return int(min(floor(coordinate_in), 2147483520.0));
}

int source_of(uint coordinate, int size, uint rule, int factor, int addend) {
  if (rule == kScale) return clamp(scaled(coordinate, intBitsToFloat(factor), intBitsToFloat(addend)), 0, size - 1);
  if (rule == kDivide) return int(coordinate) / factor;
  const int coordinate_in = int(coordinate) * factor + addend;
  if (rule == kWrap) return coordinate_in < 0 ? size - 1 - (-1 - coordinate_in) % size : coordinate_in % size;
  if (rule == kClamp) return clamp(coordinate_in, 0, size - 1);
  if (rule == kReflect) return coordinate_in < 0 ? -coordinate_in : coordinate_in >= size ? 2 * (size - 1) - coordinate_in : coordinate_in;
  return coordinate_in;
}

void main() {
  const uvec4 fill =
      uvec4(ACLVK_ARGUMENT(fill[0]), ACLVK_ARGUMENT(fill[1]), ACLVK_ARGUMENT(fill[2]), ACLVK_ARGUMENT(fill[3]));
  if (!find_lanes()) return;
  uint rest[4];
  uint from[4];
  bool inside[4];
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    rest[i] = lane_element(1, i);
    from[i] = lane_element(0, i);
    inside[i] = true;
  }
  for (uint dim = kDims; dim-- > 0u;) {
    const uint count = ACLVK_ARGUMENT(rules[dim].out_size);
    const int size = int(ACLVK_ARGUMENT(rules[dim].size));
    const uint stride = ACLVK_ARGUMENT(rules[dim].stride);
    const uint rule = ACLVK_ARGUMENT(rules[dim].rule);
    const int factor = int(ACLVK_ARGUMENT(rules[dim].factor));
    const int addend = int(ACLVK_ARGUMENT(rules[dim].addend));
    [[unroll]] for (uint i = 0; i < 4; ++i) {
      const uint outer = rest[i] / count;
      const int coordinate_in = source_of(rest[i] - outer * count, size, rule, factor, addend);
      rest[i] = outer;
      inside[i] = inside[i] && coordinate_in >= 0 && coordinate_in < size;
      from[i] += uint(coordinate_in) * stride;
    }
  }
  const uvec2 slot = lanes.slots[0];
  [[unroll]] for (uint i = 0; i < 4; ++i) raw[i] = inside[i] ? element_0(slot, from[i], kSize0) : fill;
  STORE_BITS(2);
}
