#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnScaledMaskedSoftmax: softmax(x * scale) along the last dim, where elements that the mask marks count as -10000.
/// The mask broadcasts to x. `triangle`: the mask is not looked at, the part of the matrices above the diagonal is
/// marked.
std::shared_ptr<Executor> plan_scaled_masked_softmax(const void* x, const void* mask, double scale, bool triangle,
                                                     const void* y);
/// The gradient of x from that of y and from y; 0 where the mask marks.
std::shared_ptr<Executor> plan_scaled_masked_softmax_gradient(const void* gradient, const void* y, const void* mask,
                                                              double scale, bool triangle, const void* out);

/// aclnnMaskedSoftmaxWithRelPosBias: softmax(x * scale + mask + bias) along the last dim. x is (B, W, N, S, S) or
/// (B * W, N, S, S), the bias (N, S, S), and the mask, which may be NULL, (W, S, S).
std::shared_ptr<Executor> plan_softmax_with_bias(const void* x, const void* mask, const void* bias, double scale,
                                                 std::int64_t precision, const void* out);

}  // namespace aclvk::ops
