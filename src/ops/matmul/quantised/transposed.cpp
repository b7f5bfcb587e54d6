#include "ops/matmul/quantised/transposed.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/matmul/quantised/rescale.hpp"

namespace aclvk::ops {

Shape order_of_batches(const IntArrayArg& arg) {
  const char* name = arg.name;
  const auto values = required_ints(arg);
  check(values.size() == 3, Code::kNnInvalid, "{} has {} numbers; three are expected.", name, values.size());
  const Shape order{values[0], values[1], values[2]};
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  check(sorted == Shape{0, 1, 2}, Code::kNnInvalid, "{} is {}; each of 0, 1 and 2 once is expected.", name, order);
  return order;
}

Shape inverse_order(const Shape& order) {
  Shape back(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  return back;
}

namespace {

constexpr DTypeSet kFactors = {DType::kFloat16, DType::kBfloat16, DType::kFloat};
Shape rows_first() { return {1, 0, 2}; }

struct ParamIds {
  TensorParameters::ParamId x1, x2, scale, out;
};

/// The permutations of the operands' and the result's dims.
struct Orders {
  Shape first;
  Shape second;
  Shape out;
  std::int64_t splits = 1;  ///< batchSplitFactor: slices of the batch, outermost in the result
  bool joined = false;      ///< the result has the columns of all matrices of a slice side by side
};

Shape permuted_shape(const Shape& shape, const Shape& order) {
  return {shape[static_cast<std::size_t>(order[0])], shape[static_cast<std::size_t>(order[1])],
          shape[static_cast<std::size_t>(order[2])]};
}

void check_dtypes(const char* name, const TensorParameters& tensors, const ParamIds& at) {
  tensors.check_dtypes(dtypes_of(name));
  tensors.check_dtypes({at.x1}, kFactors);
  check_same_dtype(tensors[at.x2], "x2", tensors[at.x1], "x1");
  tensors.check_dtypes({at.scale}, {DType::kUint64, DType::kInt64});
  const bool is_rounded = tensors[at.out].dtype == DType::kInt8;
  check(is_rounded == tensors.has(at.scale), Code::kNnInvalid,
        "out has dtype {} and scale is {}; a scale is expected for an INT8 result, and for no other.",
        tensors[at.out].dtype, tensors.has(at.scale) ? "given" : "NULL");
  tensors.check_views();
  check_fractal(name, tensors, {at.x2});
}

/// Checks the operands' shapes and returns batch, rows and columns of the product.
Shape check_shapes(const TensorParameters& tensors, const ParamIds& at, const Orders& orders) {
  check_three_dims(tensors, {at.x1, at.x2});
  const Shape first = permuted_shape(tensors[at.x1].shape, orders.first);
  const Shape second = permuted_shape(tensors[at.x2].shape, orders.second);
  check(first[0] == second[0] && first[2] == second[1], Code::kNnInvalid,
        "x1 has shape {} and x2 has shape {} in the order of permX1 and permX2; the same batch, and as many columns of "
        "x1 as rows of x2, are expected.",
        first, second);
  return {first[0], first[1], second[2]};
}

void check_result(const TensorParameters& tensors, const ParamIds& at, const Orders& orders, const Shape& sizes) {
  check(orders.splits >= 1 && (sizes[0] == 0 || sizes[0] % orders.splits == 0), Code::kNnInvalid,
        "batchSplitFactor is {}; a divisor of {} is expected.", orders.splits, sizes[0]);
  check(!orders.joined || orders.out == rows_first(), Code::kNnInvalid,
        "permY is {} beside a scale or a batchSplitFactor of {}; {} is expected.", orders.out, orders.splits,
        rows_first());
  Shape shape = permuted_shape(sizes, orders.out);
  if (orders.splits > 1) shape = {orders.splits, sizes[1], sizes[0] / orders.splits * sizes[2]};
  if (orders.splits == 1 && orders.joined) shape = {sizes[1], 1, sizes[0] * sizes[2]};
  tensors.check_shape(at.out, shape, "the product has shape");
  if (!tensors.has(at.scale)) return;
  const Shape& scale = tensors[at.scale].shape;
  check(scale == Shape{sizes[0] * sizes[2]} || scale == Shape{1}, Code::kNnInvalid,
        "scale has shape {}; {} numbers, or one, are expected.", scale, sizes[0] * sizes[2]);
}

/// Splits the leading batch into slices and the rest of the batch.
Tensor with_splits(const Tensor& tensor, const Orders& orders) {
  // An empty batch still has a dim of matrices.
  const std::int64_t of_part = std::max<std::int64_t>(tensor.shape[0] / orders.splits, 1);
  return unflattened(tensor, 0, of_part);
}

/// Returns the weight with its blocks; a copy in the workspace if blocks split what becomes the batch.
BlockedMatrix second_factor(const char* name, const Tensor& weight, const Orders& orders, Staging& staging,
                            Kernels& before) {
  const BlockedMatrix blocked = as_blocked_matrix(name, weight, staging, before);
  const Tensor matrices = permuted(blocked.matrix, orders.second);
  if (!blocked.blocks.splits(matrices, 0)) return {with_splits(matrices, orders), blocked.blocks};
  return {with_splits(permuted(as_matrix(name, weight, staging, before), orders.second), orders)};
}

/// Returns out with the dims slices, batch of a slice, rows, columns.
Tensor result_with_splits(const Tensor& out, const Orders& orders, const Shape& sizes) {
  if (!orders.joined) return with_splits(permuted(out, inverse_order(orders.out)), orders);
  const std::int64_t columns = std::max<std::int64_t>(sizes[2], 1);
  const Tensor splits = orders.splits > 1 ? out : permuted(out, rows_first());
  return permuted(unflattened(splits, 2, columns), {0, 2, 1, 3});
}

}  // namespace

std::shared_ptr<Executor> plan_transpose_batch_matmul(const TransposedBatches& call) {
  TensorParameters tensors;
  ParamIds at{};
  at.x1 = tensors.input(call.x1);
  at.x2 = tensors.input(call.x2);
  tensors.unsupported({call.bias});
  at.scale = tensors.optional_input(call.scale);
  at.out = tensors.output(call.out);
  Orders orders;
  for (const IntArrayArg& order : {call.order1, call.order2, call.order_of_out}) required_ints(order);
  check_unsupported(call.name, {call.bias});
  check_dtypes(call.name, tensors, at);
  orders.first = order_of_batches(call.order1);
  orders.second = order_of_batches(call.order2);
  orders.out = order_of_batches(call.order_of_out);
  orders.splits = call.batch_split_factor;
  orders.joined = tensors.has(at.scale) || orders.splits != 1;
  const Shape sizes = check_shapes(tensors, at, orders);
  check_result(tensors, at, orders, sizes);
  check_cube_math_type(call.cube_math_type);
  const char* name = call.name;
  return staged_executor({name, kFractalNz}, tensors,
                         [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
                           check_disjoint(*bound[at.out], "out", *bound[at.x1], "x1");
                           check_disjoint(*bound[at.out], "out", *bound[at.x2], "x2");
                           Kernels kernels;
                           const Tensor first = with_splits(permuted(*bound[at.x1], orders.first), orders);
                           const BlockedMatrix second = second_factor(name, *bound[at.x2], orders, staging, kernels);
                           const Tensor out = result_with_splits(*bound[at.out], orders, sizes);
                           // An INT8 result is rounded once, from float.
                           const Tensor product = bound[at.scale] ? staging.make(out.shape, DType::kFloat) : out;
                           Gemm gemm{name, first, second.matrix, std::nullopt, product};
                           gemm.blocks_of_b = second.blocks;
                           append(kernels, product_kernels(gemm, staging, runtime::execution()));
                           if (!bound[at.scale]) return kernels;
                           // One number for each column of each matrix, with the dims of the product.
                           const auto by_matrices = [&](const Tensor& numbers) {
                             if (numbers.shape[0] == 1) return numbers;
                             return repeated(unflattened(unflattened(numbers, 0, out.shape[3]), 0, out.shape[1]), 2, 1);
                           };
                           const Tensor scale = by_matrices(float_scale(*bound[at.scale]));
                           const Tensor offset = by_matrices(word_offsets(name, *bound[at.scale], staging, kernels));
                           append(kernels, rescale_kernels(name, product, &scale, nullptr, &offset, out));
                           return kernels;
                         });
}

}  // namespace aclvk::ops
