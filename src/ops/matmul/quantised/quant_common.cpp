#include "ops/matmul/quantised/quant_common.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

Shape transposed(Shape shape, bool transposes) {
  if (transposes) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

void check_matrices(const char* name, const TensorParameters& tensors, TensorParameters::ParamId x1,
                    TensorParameters::ParamId x2) {
  const Shape& first = tensors[x1].shape;
  const Shape& second = tensors[x2].shape;
  check(first.size() >= 2 && second.size() >= 2, Code::kNnInvalid,
        "{} has shape {} and {} has shape {}; matrices are expected.", tensors.name(x1), first, tensors.name(x2),
        second);
  check_fractal(name, tensors, {x1, x2});
}

void check_three_dims(const TensorParameters& tensors, std::initializer_list<TensorParameters::ParamId> places) {
  for (const TensorParameters::ParamId place : places) {
    check(tensors[place].shape.size() == 3, Code::kNnInvalid, "{} has shape {}; three dims are expected.",
          tensors.name(place), tensors[place].shape);
  }
}

Shape check_factors(const Shape& x1, const Shape& x2) {
  check(x1.back() == x2[x2.size() - 2], Code::kNnInvalid,
        "x1 has shape {} and x2 has shape {}, as they are multiplied; {} columns and {} rows must be equal.", x1, x2,
        x1.back(), x2[x2.size() - 2]);
  const auto batch = broadcast(batch_of(x1), batch_of(x2));
  check(batch.has_value(), Code::kNnInvalid, "x1 has shape {} and x2 has shape {}; their batches do not broadcast.", x1,
        x2);
  Shape shape = *batch;
  shape.push_back(x1[x1.size() - 2]);
  shape.push_back(x2.back());
  return shape;
}

void check_columns(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t columns) {
  if (!tensors.has(param)) return;
  const Shape& shape = tensors[param].shape;
  const bool fits = shape == Shape{columns} || shape == Shape{1} || shape == Shape{1, columns} || shape.empty();
  check(fits, Code::kNnInvalid, "{} has shape {}; one number or {} are expected.", tensors.name(param), shape, columns);
}

void check_rows(const TensorParameters& tensors, TensorParameters::ParamId param, std::int64_t rows) {
  if (!tensors.has(param)) return;
  const Shape& shape = tensors[param].shape;
  check(shape == Shape{rows} || shape == Shape{1}, Code::kNnInvalid,
        "{} has shape {}; one number for each of {} rows is expected.", tensors.name(param), shape, rows);
}

Tensor factor_of(const char* name, const Tensor& tensor, bool transposes, const Shape& batch, Staging& staging,
                 Kernels& before) {
  const Tensor matrix = as_matrix(name, unpacked(name, tensor, staging, before), staging, before);
  return with_batch(transposes ? with_swapped_dims(matrix) : matrix, batch);
}

BlockedMatrix blocked_factor_of(const char* name, const Tensor& tensor, bool transposes, const Shape& batch,
                                Staging& staging, Kernels& before) {
  const auto [matrix, blocks] = as_blocked_matrix(name, unpacked(name, tensor, staging, before), staging, before);
  return {with_batch(transposes ? with_swapped_dims(matrix) : matrix, batch), blocks};
}

Kernels fold_kernels(const char* name, ReduceKind kind, const Tensor& x, DimMask dims, const Tensor& out,
                     Staging& staging) {
  Reduction reduction = reduction_of(name, kind, x, DType::kFloat, out);
  reduction.dims = dims;
  const auto bytes = static_cast<std::int64_t>(reduction_workspace(reduction, x, 1));
  const Tensor states = staging.make({bytes}, DType::kUint8);
  return reduction_kernels(reduction, x, {&out}, const_cast<std::byte*>(states.address()));
}

BlockedMatrix workspace_like(const BlockedMatrix& matrices, DType dtype, Staging& staging) {
  // A transposed factor stays transposed, so that both have the same loop order.
  const auto in_order = [&](const Tensor& made) {
    return is_transposed(matrices.matrix) ? with_swapped_dims(made) : made;
  };
  const Shape shape = in_memory_order(matrices.matrix).shape;
  const std::int64_t size = matrices.blocks.size;
  if (size == 0) return {in_order(staging.make(shape, dtype))};
  // Whole blocks, each with all rows, one after the other.
  const std::size_t row = shape.size() - 2;
  Shape in_blocks = shape;
  in_blocks[row] = (shape[row + 1] + size - 1) / size;
  in_blocks[row + 1] = shape[row];
  in_blocks.push_back(size);
  const Tensor storage = staging.make(in_blocks, dtype);
  Tensor made = row_major(shape, dtype, storage.address());
  made.strides = storage.strides;
  made.strides.resize(shape.size());
  made.strides[row] = size;
  made.strides[row + 1] = 1;
  return {in_order(made), {size, shape[row] * size}};
}

Tensor scalar_in_workspace(const char* name, float number, Staging& staging, Kernels& before) {
  const Tensor one = staging.make({1}, DType::kFloat);
  append(before, fill_kernels(name, one, Scalar(&number, DType::kFloat).to_element(DType::kFloat)));
  return one;
}

}  // namespace aclvk::ops
