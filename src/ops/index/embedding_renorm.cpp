
#include <utility>

#include "base/error.hpp"
#include "ops/args/index.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/reduction/norm.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

/// aclnnEmbeddingRenorm: scales the indexed rows of selfRef down to max_norm when their norm is higher. Each row is
/// scaled once, even when several indices select it.
std::shared_ptr<Executor> plan(const EmbeddingRenormArgs& args) {
  const double max_norm = args.maxNorm;
  const double norm_type = args.normType;
  constexpr const char* kName = "aclnnEmbeddingRenorm";
  const TensorPtr self = required_tensor(args.selfRef);
  const TensorPtr indices = required_tensor(args.indices);
  check_operand(*self, "selfRef", kFloats);
  check_index(*indices, "indices");
  check(self->shape.size() == 2, Code::kNnInvalid, "selfRef has shape {}; expected a matrix.", self->shape);
  check(max_norm >= 0, Code::kNnInvalid, "maxNorm is {}; expected 0 or more.", max_norm);
  const std::int64_t count = indices->elements();
  // Gathers all rows before any is written, so a row with several indices is scaled once.
  auto make = [=](const Executor::Operands& bound, Staging& staging) {
    const Tensor& table = bound.output(0);
    check_distinct(table, "selfRef");
    check_disjoint(table, "selfRef", bound.input(1), "indices");
    const Tensor positions = staging.make(bound.input(1).shape, bound.input(1).dtype);
    const Tensor rows = staging.make({count, table.shape[1]}, table.dtype);
    // The copy is contiguous, so that it can be viewed as a column for the gather and as a vector for the
    // scatter.
    Kernels kernels = copy_kernels(kName, positions, bound.input(1));
    if (table.empty()) return kernels;
    const Tensor column = *reshaped(positions, {count, 1});
    const Shape steps{0, table.strides[1]};
    append(kernels, gather_kernels({kName, &table, &steps, &column, &rows, {table.shape[0], table.strides[0], true}}));
    append(kernels, renorm_kernels(kName, {norm_type, max_norm, mask_of(rows, 0, "dim")}, rows, rows, staging));
    append(kernels,
           scatter_kernels(scatter_slices(kName, Combination::kAssign, table, 0, *reshaped(positions, {count}), rows)));
    return kernels;
  };
  return staged_executor(kName, Executor::Operands{{self.get(), indices.get()}, {self.get()}, {{0, 0}}},
                         std::move(make));
}

}  // namespace aclvk::ops
