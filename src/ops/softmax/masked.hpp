#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnScaledMaskedSoftmax: softmax(x * scale) along the last dim; masked elements are replaced by -10000 before. The
/// mask broadcasts to x. `triangle` ignores the mask and masks the elements above the diagonal.
std::shared_ptr<Executor> plan_scaled_masked_softmax(const InputArg& x, const InputArg& mask, double scale,
                                                     bool triangle, const OutputArg& y);
/// The gradient of x from that of y and from y; 0 for masked elements.
std::shared_ptr<Executor> plan_scaled_masked_softmax_gradient(const InputArg& gradient, const InputArg& y,
                                                              const InputArg& mask, double scale, bool triangle,
                                                              const OutputArg& out);

/// aclnnMaskedSoftmaxWithRelPosBias: softmax(x * scale + mask + bias) along the last dim. x is (B, W, N, S, S) or (B *
/// W, N, S, S), the bias (N, S, S), and the mask, which may be NULL, (W, S, S).
std::shared_ptr<Executor> plan_softmax_with_bias(const InputArg& x, const InputArg& mask, const InputArg& bias,
                                                 double scale, std::int64_t precision, const OutputArg& out);

}  // namespace aclvk::ops
