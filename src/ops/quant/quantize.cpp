#include "ops/quant/quantize.hpp"

#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "quant/quantize.args.h"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(QuantizeArguments, QUANTIZE_ARGUMENTS);
CONSTANT_STRUCT(QuantizeConstants, QUANTIZE_CONSTANTS);

}  // namespace

Kernels quantize_kernels(const char* name, const Quantize& call) {
  using runtime::Access;
  QuantizeConstants constants;
  constants.kActivation = static_cast<uint>(call.activation);
  constants.kDivides = call.divides;
  constants.kKeepsZeros = call.keeps_zeros;
  QuantizeArguments arguments;
  arguments.scale = static_cast<float>(call.one_scale);
  arguments.offset = static_cast<float>(call.one_offset);
  StridedCall run;
  run.name = name;
  run.shader = "quant/quantize_f32";
  run.promoted = DType::kFloat;
  add_constants(run, constants);
  add_arguments(run, arguments);
  // An absent scale or offset is an argument; its operand is bound to x and not read.
  run.operands = {{call.x, Access::kRead},
                  {call.scale ? call.scale : call.x, Access::kRead, call.scale == nullptr},
                  {call.offset ? call.offset : call.x, Access::kRead, call.offset == nullptr},
                  {call.out, Access::kWrite}};
  return strided_kernels(run);
}

}  // namespace aclvk::ops
