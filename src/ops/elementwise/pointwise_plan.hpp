#pragma once

#include <memory>

#include "ops/elementwise/pointwise.hpp"

namespace aclvk::ops {

/// The operands of a kernel: a call's inputs and its output. A scalar is represented by the first tensor, which is not
/// read as that operand.
using PointwiseTensors = InlineVector<const Tensor*, 5>;
PointwiseTensors tensors_of(const PointwiseCall& call);

/// The result of the first phase of a pointwise operator. Calls that differ only in the addresses of their tensors
/// share one.
class PointwisePlan {
 public:
  /// Takes a checked call. Throws when the kernels refuse it.
  PointwisePlan(const PointwiseCall& call, const PointwiseRow& row, DType promoted);

  /// Builds the kernels for these tensors; alignment and overlaps decide which ones.
  Kernels build(const PointwiseTensors& bound) const;
  /// Appends the kernels for tensors with the PointwiseKey of the first ones, without choosing again.
  void add_kernels_at(const PointwiseTensors& bound, Kernels& kernels) const;

 private:
  struct Input {
    const char* name;
    bool is_scalar;
  };

  StridedCall fixed_;  // without operands
  InlineVector<Input, 4> inputs_;
  const char* out_name_;
  Kernels kernels_;  // with offsets from the operands' starts in place of addresses
};

using PointwisePlanPtr = std::shared_ptr<const PointwisePlan>;

/// Everything that the checks and the kernels of a call depend on, as words: the row; the tensors' dtypes, shapes,
/// strides and offsets; the scalars' values; addresses modulo 32 bytes; and the distance of an input from an output
/// that it overlaps.
using PointwiseKey = InlineVector<std::uint64_t, 64>;
PointwiseKey key_of(const PointwiseCall& call, const PointwiseRow& row);

/// Returns the cached plan for this key, or checks the call, makes a plan and caches it.
PointwisePlanPtr plan_of(const PointwiseCall& call, const PointwiseRow& row, const PointwiseKey& key);

}  // namespace aclvk::ops
