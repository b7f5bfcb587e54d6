#pragma once

#include <memory>

#include "ops/elementwise/pointwise.hpp"

namespace aclvk::ops {

/// What the first phase of a pointwise operator works out, which is the same for all calls that differ in nothing but
/// where their tensors lie.
class PointwisePlan {
 public:
  /// Of a call that was checked, whose operands are `operands`. Throws what the kernels refuse.
  PointwisePlan(const PointwiseCall& call, const PointwiseRow& row, DType promoted, const Executor::Operands& operands);

  /// The kernels for these operands, chosen by where they lie.
  Kernels build(const Executor::Operands& now) const;
  /// The same for operands whose PointwiseKey is that of the first ones.
  Kernels kernels_at(const Executor::Operands& now) const;

 private:
  /// An input by name, and its place among the executor's inputs; none for a scalar.
  struct Place {
    const char* name;
    std::size_t slot;
    bool is_scalar;
  };

  const Tensor& operand(const Executor::Operands& now, std::size_t index) const;

  StridedCall fixed_;  // but for its operands
  InlineVector<Place, 4> places_;
  const char* out_name_;
  Kernels kernels_;  // with offsets from where the operands begin instead of addresses
};

using PointwisePlanPtr = std::shared_ptr<const PointwisePlan>;

/// All that the checks and the kernels of a call depend on, as words: the row, the tensors' dtypes, shapes, strides and
/// offsets, the scalars' values; of addresses only where in a line of 32 bytes they are, and how far an input is from
/// an output whose memory it touches.
using PointwiseKey = InlineVector<std::uint64_t, 64>;
PointwiseKey key_of(const PointwiseCall& call, const PointwiseRow& row);

/// The plan that keep_plan() was given with this key, or null: only some of the last ones are kept.
PointwisePlanPtr find_plan(const PointwiseKey& key);
void keep_plan(const PointwiseKey& key, PointwisePlanPtr plan);

}  // namespace aclvk::ops
