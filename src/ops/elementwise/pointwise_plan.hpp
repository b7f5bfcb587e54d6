#pragma once

#include <memory>

#include "ops/elementwise/pointwise.hpp"

namespace aclvk::ops {

/// The operands of a kernel: a call's inputs and its output. The place of a scalar has the first tensor, which is not
/// read there.
using PointwiseTensors = InlineVector<const Tensor*, 5>;
PointwiseTensors tensors_of(const PointwiseCall& call);

/// What the first phase of a pointwise operator works out, which is the same for all calls that differ in nothing but
/// where their tensors lie.
class PointwisePlan {
 public:
  /// Of a call that was checked. Throws what the kernels refuse.
  PointwisePlan(const PointwiseCall& call, const PointwiseRow& row, DType promoted);

  /// The kernels for these tensors, chosen by where they lie.
  Kernels build(const PointwiseTensors& bound) const;
  /// Adds the same for tensors whose PointwiseKey is that of the first ones.
  void add_kernels_at(const PointwiseTensors& bound, Kernels& kernels) const;

 private:
  struct Input {
    const char* name;
    bool is_scalar;
  };

  StridedCall fixed_;  // but for its operands
  InlineVector<Input, 4> inputs_;
  const char* out_name_;
  Kernels kernels_;  // with offsets from where the operands begin instead of addresses
};

using PointwisePlanPtr = std::shared_ptr<const PointwisePlan>;

/// All that the checks and the kernels of a call depend on, as words: the row, the tensors' dtypes, shapes, strides and
/// offsets, the scalars' values; of addresses only where in a line of 32 bytes they are, and how far an input is from
/// an output whose memory it touches.
using PointwiseKey = InlineVector<std::uint64_t, 64>;
PointwiseKey key_of(const PointwiseCall& call, const PointwiseRow& row);

/// A plan for the call, which has this key: a kept one, of which there are only some, or one that is made, after all
/// checks, and kept.
PointwisePlanPtr plan_of(const PointwiseCall& call, const PointwiseRow& row, const PointwiseKey& key);

}  // namespace aclvk::ops
