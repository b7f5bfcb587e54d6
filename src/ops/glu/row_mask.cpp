#include "ops/glu/row_mask.hpp"

#include "base/error.hpp"
#include "glu/row_mask.args.h"
#include "ops/create/fill.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(RowMaskArguments, ROW_MASK_ARGUMENTS);
CONSTANT_STRUCT(RowMaskConstants, ROW_MASK_CONSTANTS);

/// The number of active rows, a tensor of one element: the sum of all group sizes.
Tensor limit_of(Kernels& kernels, Staging& staging, const char* name, const Tensor& groups) {
  const std::int64_t count = groups.shape[0];
  const Tensor sums = staging.make({std::max<std::int64_t>(count, 1)}, DType::kUint32);
  if (count == 0) {
    append(kernels, fill_kernels(name, sums, Element{}));
    return sums;
  }
  // The last running sum is the total; it stays on the device, so that no launch waits for it.
  kernels.push_back(running_sum_kernel(name, sums, groups));
  return sliced(sums, 0, count - 1, 1);
}

}  // namespace

Shape rows_of(const Tensor& x, const Halves& halves) { return {x.shape.begin(), x.shape.begin() + halves.dim}; }

void check_groups(const TensorPtr& groups, const char* name) {
  if (!groups) return;
  check_operand(*groups, name, {DType::kInt64});
  check(groups->shape.size() == 1, Code::kNnInvalid, "{} has {} dimensions; expected 1.", name, groups->shape.size());
}

void check_row_weights(const TensorPtr& weights, const char* name, const DTypeSet& dtypes, const Shape& rows) {
  if (!weights) return;
  check_operand(*weights, name, dtypes);
  const Shape with_one = with(rows, rows.size(), 1);
  check(weights->shape == rows || weights->shape == with_one, Code::kNnInvalid,
        "{} has shape {}; an element for each row makes {} or {}.", name, weights->shape, rows, with_one);
}

Tensor as_rows(const Tensor& weights, const Shape& rows) {
  return weights.shape.size() > rows.size() ? selected(weights, rows.size()) : weights;
}

Tensor RowMask::active() const {
  Tensor words = tensor;
  words.dtype = DType::kFloat;
  for (std::int64_t& stride : words.strides) stride *= 2;
  words.offset = 2 * words.offset + 1;
  return words;
}

RowMask make_row_mask(Kernels& kernels, Staging& staging, const char* name, const Shape& rows, std::size_t rank,
                      const Tensor* groups, const Tensor* weights) {
  using runtime::Access;
  // Two floats a row: its weight, and 1 or 0 for a row that is computed or not.
  const Tensor row_mask = staging.make(rows, DType::kComplex64);
  const Tensor limit = groups ? limit_of(kernels, staging, name, *groups) : row_mask;
  const Tensor from = weights ? as_rows(*weights, rows) : row_mask;
  const Shape numbers = contiguous_strides(rows);
  StridedCall call;
  call.name = name;
  call.shader = "glu/row_mask_f32";
  call.promoted = DType::kFloat;
  RowMaskConstants constants;
  constants.kLimited = groups != nullptr;
  add_constants(call, constants);
  add_arguments(call, RowMaskArguments{});
  call.operands = {{&limit, Access::kRead, false, &numbers},
                   {&from, Access::kRead, weights == nullptr},
                   {&row_mask, Access::kWrite}};
  append(kernels, strided_kernels(call));
  // The mask does not vary along the dims after the rows.
  Shape steps = numbers;
  while (steps.size() < rank) steps.push_back(0);
  return {row_mask, steps};
}

}  // namespace aclvk::ops
