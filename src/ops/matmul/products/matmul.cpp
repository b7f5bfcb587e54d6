#include "ops/matmul/products/matmul.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

Product product_of(const char* name, const InputArg& first, const InputArg& second, const OutputArg& out) {
  Product product{name};
  product.takes_blocks = true;
  product.first = product.tensors.input(first);
  product.second = product.tensors.input(second);
  product.out = product.tensors.output(out);
  check_product(product);
  return product;
}

/// Operands by the rules of torch.matmul: vectors become matrices of one row or one column, a dim that out does not
/// have.
struct Broadcast {
  Tensor first;
  Tensor second;
  Shape batch;
  bool has_rows;
  bool has_columns;

  Shape result() const {
    Shape shape = batch;
    if (has_rows) shape.push_back(first.shape[first.shape.size() - 2]);
    if (has_columns) shape.push_back(second.shape.back());
    return shape;
  }
  Tensor out(Tensor tensor) const {
    if (!has_columns) tensor = repeated(tensor, tensor.shape.size(), 1);
    return has_rows ? tensor : repeated(tensor, tensor.shape.size() - 1, 1);
  }
};

Broadcast broadcast_matrices(const Tensor& first, const Tensor& second) {
  check(!first.shape.empty() && !second.shape.empty(), Code::kNnInvalid,
        "self has shape {} and mat2 has shape {}; tensors of one dimension or more are expected.", first.shape,
        second.shape);
  const bool has_rows = first.shape.size() > 1;
  const bool has_columns = second.shape.size() > 1;
  Broadcast result{
      has_rows ? first : as_row(first), has_columns ? second : as_column(second), {}, has_rows, has_columns};
  const auto batch = broadcast(batch_of(result.first), batch_of(result.second));
  check(batch.has_value(), Code::kNnInvalid,
        "self has shape {} and mat2 has shape {}; the dimensions before the last two do not broadcast.", first.shape,
        second.shape);
  result.batch = *batch;
  return result;
}

Matrices matrices_of(const Tensor& first, const Tensor& second, const Tensor& out) {
  const Broadcast all = broadcast_matrices(first, second);
  return {with_batch(all.first, all.batch), with_batch(all.second, all.batch), all.out(out)};
}

std::shared_ptr<Executor> plan_checked_product(const Product& product) {
  return plan_product(product, [product](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Kernels before;
    const BlockedMatrix second = as_blocked_matrix(product.name, *bound[product.second], staging, before);
    Matrices matrices = matrices_of(*bound[product.first], second.matrix, *bound[product.out]);
    matrices.before = std::move(before);
    matrices.blocks = second.blocks;
    return matrices;
  });
}

}  // namespace

std::shared_ptr<Executor> plan_matmul(const char* name, const InputArg& self, const InputArg& mat2,
                                      const OutputArg& out, std::int8_t cube_math_type) {
  const Product product = product_of(name, self, mat2, out);
  const Broadcast all = broadcast_matrices(product.tensors[product.first], product.tensors[product.second]);
  check_k(product, all.first.shape.back(), all.second.shape[all.second.shape.size() - 2]);
  check_result(product, all.result());
  check_cube_math_type(cube_math_type);
  return plan_checked_product(product);
}

std::shared_ptr<Executor> plan_ranked_matmul(const char* name, std::size_t rank, const InputArg& self,
                                             const InputArg& mat2, const OutputArg& out, std::int8_t cube_math_type) {
  const Product product = product_of(name, self, mat2, out);
  check_rank(product, product.first, rank);
  check_rank(product, product.second, rank);
  const Tensor& first = product.tensors[product.first];
  const Tensor& second = product.tensors[product.second];
  const bool fits = batch_of(first) == batch_of(second) || (rank == 3 && (first.shape[0] == 1 || second.shape[0] == 1));
  check(fits, Code::kNnInvalid,
        "self has shape {} and mat2 has shape {}; {} needs the same number of matrices in both, or one in one of them.",
        first.shape, second.shape, name);
  check_k(product, first.shape.back(), second.shape[rank - 2]);
  check_result(product, broadcast_matrices(first, second).result());
  check_cube_math_type(cube_math_type);
  return plan_checked_product(product);
}

/// Plans aclnnMv: a matrix times a vector.
std::shared_ptr<Executor> plan(const MvArgs& args) {
  const std::int8_t cube_math_type = args.cubeMathType;
  const Product product = product_of("aclnnMv", args.self, args.vec, args.out);
  check_rank(product, product.first, 2);
  check_rank(product, product.second, 1);
  const Shape& matrix = product.tensors[product.first].shape;
  check_k(product, matrix[1], product.tensors[product.second].shape[0]);
  check_result(product, {matrix[0]});
  check_cube_math_type(cube_math_type);
  return plan_checked_product(product);
}

/// Plans aclnnDot: the dot product of two vectors.
std::shared_ptr<Executor> plan(const DotArgs& args) {
  const Product product = product_of("aclnnDot", args.self, args.tensor, args.out);
  check_rank(product, product.first, 1);
  check_rank(product, product.second, 1);
  check_k(product, product.tensors[product.first].shape[0], product.tensors[product.second].shape[0]);
  check_result(product, {});
  return plan_checked_product(product);
}

/// Plans aclnnGer: the outer product of two vectors.
std::shared_ptr<Executor> plan(const GerArgs& args) {
  const Product product = product_of("aclnnGer", args.self, args.vec2, args.out);
  check_rank(product, product.first, 1);
  check_rank(product, product.second, 1);
  const Tensor& column = product.tensors[product.first];
  const Tensor& row = product.tensors[product.second];
  check_result(product, {column.shape[0], row.shape[0]});
  // K is 1, so a product of matrices would only add its overhead: a pointwise product broadcasts both vectors.
  const DType promoted = *promote(column.dtype, row.dtype);
  return staged_executor(product.name, product.tensors, [=](const TensorParameters::BoundTensors& bound, Staging&) {
    check_disjoint(*bound[product.out], "out", *bound[product.first], "self");
    check_disjoint(*bound[product.out], "out", *bound[product.second], "vec2");
    const Tensor left = as_column(*bound[product.first]);
    return pointwise_kernels(product.name, row_of(BinaryOp::kMul), promoted, {&left, bound[product.second]},
                             *bound[product.out]);
  });
}

}  // namespace aclvk::ops
