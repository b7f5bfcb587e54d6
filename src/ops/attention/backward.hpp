#pragma once

#include "ops/attention/flash.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

/// The operands of the backward pass of attention (flash.hpp). It recomputes the weights from the softmax statistics of
/// the forward pass, as FlashAttention does (Dao et al. 2022). Tensors have the dims sequences, heads, tokens, columns
/// and are read as vec8s.
struct AttentionGradient {
  Attention forward;  ///< `out` is dY; has neither table nor padding nor sinks, which `row_stats` include
  Tensor row_stats;   ///< float, made by row_stats_kernels(): sequences, heads, tokens, 4
  Tensor dq;
  Tensor dk;
  Tensor dv;
};

/// Writes four floats for each row of queries: its maximum, 1 / its sum, delta = rowsum(dY * Y), and its part of the
/// gradient of its head's sink. `sinks` may be null.
Kernels row_stats_kernels(const char* name, const Tensor& dy, const Tensor& y, const Tensor& row_max,
                          const Tensor& row_sum, const Tensor* sinks, const Tensor& row_stats);

/// Returns whether the loop of one pass is longer than kMaxIterations, so that several kernels run one after the other.
/// Their partial sums are kept in the results, which must then be float.
bool needs_several_kernels(const Attention& attention, bool of_keys);

/// Returns the kernels of dQ, then those of dK and dV. Sums are made in float and in a fixed order. Rows of tokens
/// outside of all sequences are not written.
Kernels gradient_kernels(const AttentionGradient& gradient, runtime::Execution execution);

}  // namespace aclvk::ops
