#include "ops/quant/quantize.hpp"

#include <cstring>

#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

std::uint32_t word_of(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t word;
  std::memcpy(&word, &narrow, sizeof(word));
  return word;
}

}  // namespace

Kernels quantize_kernels(const char* name, const Quantize& call) {
  using runtime::Access;
  StridedCall run;
  run.name = name;
  run.shader = "quant/quantize_f32";
  run.promoted = DType::kFloat;
  run.constants = {static_cast<std::uint32_t>(call.activation), call.divides, call.keeps_zeros};
  run.arguments = {word_of(call.one_scale), word_of(call.one_offset)};
  // An absent scale or offset is an argument; its operand is bound to x and not read.
  run.operands = {{call.x, Access::kRead},
                  {call.scale ? call.scale : call.x, Access::kRead, call.scale == nullptr},
                  {call.offset ? call.offset : call.x, Access::kRead, call.offset == nullptr},
                  {call.out, Access::kWrite}};
  return strided_kernels(run);
}

}  // namespace aclvk::ops
