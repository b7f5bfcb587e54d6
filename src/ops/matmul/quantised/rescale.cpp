#include "ops/matmul/quantised/rescale.hpp"

#include <array>

#include "matmul/quantised/rescale.args.h"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

CONSTANT_STRUCT(RescaleConstants, RESCALE_CONSTANTS);

Kernels rescale(const char* name, bool of_products, const std::array<const Tensor*, 4>& operands, const Tensor& out) {
  StridedCall call;
  call.name = name;
  call.shader = "matmul/quantised/rescale_f32";
  RescaleConstants constants;
  constants.kOfProducts = of_products ? 1 : 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // The shader has all operands; an absent one is bound to the first and not read.
    call.operands.push_back({operands[i] ? operands[i] : operands[0], Access::kRead, operands[i] == nullptr});
    if (i > 0 && operands[i]) constants.kParts |= 1U << (i - 1);
  }
  call.operands.push_back({&out, Access::kWrite});
  call.promoted = DType::kFloat;
  add_constants(call, constants);
  return strided_kernels(call);
}

}  // namespace

Kernels dequantize_kernels(const char* name, const Tensor& x, const Tensor* offset, const Tensor* scale,
                           const Tensor& out) {
  return rescale(name, false, {&x, offset, scale, nullptr}, out);
}

Kernels rescale_kernels(const char* name, const Tensor& sum, const Tensor* scale, const Tensor* row_scale,
                        const Tensor* addend, const Tensor& out) {
  return rescale(name, true, {&sum, scale, row_scale, addend}, out);
}

}  // namespace aclvk::ops
