#include "ops/matmul/quantised/rescale.hpp"

#include <array>

#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

Kernels rescale(const char* name, bool of_products, const std::array<const Tensor*, 4>& operands, const Tensor& out) {
  StridedCall call;
  call.name = name;
  call.shader = "matmul/quantised/rescale_f32";
  std::uint32_t parts = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // The shader has all operands; an absent one is bound to the first and not read.
    call.operands.push_back({operands[i] ? operands[i] : operands[0], Access::kRead, operands[i] == nullptr});
    if (i > 0 && operands[i]) parts |= 1U << (i - 1);
  }
  call.operands.push_back({&out, Access::kWrite});
  call.promoted = DType::kFloat;
  call.constants = {static_cast<std::uint32_t>(of_products), parts};
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
