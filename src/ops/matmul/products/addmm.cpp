#include "ops/matmul/products/addmm.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

Scalar float_scalar(float value) { return {&value, DType::kFloat}; }

/// The position of self in the signature, and so among the executor's inputs.
enum class Self { kFirst, kLast };

Product product_of(const AddedProduct& handles, Self self = Self::kFirst) {
  Product product{handles.name};
  if (self == Self::kFirst) product.self = product.tensors.input(handles.self);
  product.first = product.tensors.input(handles.first);
  product.second = product.tensors.input(handles.second);
  if (self == Self::kLast) product.self = product.tensors.input(handles.self);
  product.out = product.tensors.output(handles.out);
  product.adds = true;
  return product;
}

/// Makes integer scalars of a product of BOOL tensors BOOL, as aclnnAdd does.
void use_bool_scalars(Product& product) {
  for (const auto param : {product.self, product.first, product.second}) {
    if (product.tensors[param].dtype != DType::kBool) return;
  }
  for (Scalar* weight : {&product.beta, &product.alpha}) {
    if (kind_of(weight->dtype()) != Kind::kInteger) continue;
    const bool truth = weight->to_int64() != 0;
    *weight = Scalar(&truth, DType::kBool);
  }
}

/// Registers and checks a product whose scalars may not be NULL.
Product product_of(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha,
                   bool takes_blocks = false) {
  Product product = product_of(handles);
  product.takes_blocks = takes_blocks;
  product.beta = *required_scalar(beta);
  product.alpha = *required_scalar(alpha);
  check_product(product);
  return product;
}

Tensor transposed(const Tensor& matrix) { return permuted(matrix, {1, 0}); }

/// Returns no c where beta is 0: not even its NaNs count then.
std::optional<Tensor> c_of(const Product& product, const Tensor& self, const Shape& shape) {
  if (product.beta.to_complex() == 0.0) return std::nullopt;
  return expanded(self, shape);
}

/// Returns a batch as one matrix, side by side: (b, n, k) as (n, b * k). The sum over the batch is then part of the sum
/// over K.
Tensor side_by_side(const Tensor& matrices, Staging& staging) {
  const Tensor rows_first = permuted(matrices, {1, 0, 2});
  const Shape shape{rows_first.shape[0], rows_first.shape[1] * rows_first.shape[2]};
  const auto view = reshaped(rows_first, shape);
  return view ? *view : *reshaped(staging.read(rows_first), shape);
}

/// Returns a batch as one matrix, stacked: (b, k, n) as (b * k, n).
Tensor stacked(const Tensor& matrices, Staging& staging) {
  const Shape shape{matrices.shape[0] * matrices.shape[1], matrices.shape[2]};
  const auto view = reshaped(matrices, shape);
  return view ? *view : *reshaped(staging.read(matrices), shape);
}

}  // namespace

std::shared_ptr<Executor> plan_addmm(const AddedProduct& handles, std::size_t rank, const ScalarArg& beta,
                                     const ScalarArg& alpha, std::int8_t cube_math_type) {
  const Product product = product_of(handles, beta, alpha, true);
  check_rank(product, product.first, rank);
  check_rank(product, product.second, rank);
  const Shape& first = product.tensors[product.first].shape;
  const Shape& second = product.tensors[product.second].shape;
  check(rank == 2 || first[0] == second[0], Code::kNnInvalid,
        "{} has shape {} and {} has shape {}; the same number of matrices is expected.", handles.first.name, first,
        handles.second.name, second);
  check_k(product, first[rank - 1], second[rank - 2]);
  Shape shape = first;
  shape[rank - 1] = second[rank - 1];
  check_result(product, shape);
  check_cube_math_type(cube_math_type);
  return plan_product(product, [product, shape](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Kernels before;
    const BlockedMatrix second_factor = as_blocked_matrix(product.name, *bound[product.second], staging, before);
    return Matrices{*bound[product.first], second_factor.matrix,
                    *bound[product.out],   c_of(product, *bound[product.self], shape),
                    std::move(before),     second_factor.blocks};
  });
}

std::shared_ptr<Executor> plan_addbmm(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha,
                                      std::int8_t cube_math_type) {
  const Product product = product_of(handles, beta, alpha);
  check_rank(product, product.first, 3);
  check_rank(product, product.second, 3);
  const Shape& first = product.tensors[product.first].shape;
  const Shape& second = product.tensors[product.second].shape;
  check(first[0] == second[0], Code::kNnInvalid,
        "{} has shape {} and {} has shape {}; the same number of matrices is expected.", handles.first.name, first,
        handles.second.name, second);
  check_k(product, first[2], second[1]);
  const Shape shape{first[1], second[2]};
  check_result(product, shape);
  check_cube_math_type(cube_math_type);
  return plan_product(product, [product, shape](const TensorParameters::BoundTensors& bound, Staging& staging) {
    return Matrices{side_by_side(*bound[product.first], staging), stacked(*bound[product.second], staging),
                    *bound[product.out], c_of(product, *bound[product.self], shape)};
  });
}

std::shared_ptr<Executor> plan_addmv(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha,
                                     std::int8_t cube_math_type) {
  const Product product = product_of(handles, beta, alpha);
  check_rank(product, product.first, 2);
  check_rank(product, product.second, 1);
  const Shape& matrix = product.tensors[product.first].shape;
  check_k(product, matrix[1], product.tensors[product.second].shape[0]);
  const Shape shape{matrix[0]};
  check_result(product, shape);
  check_cube_math_type(cube_math_type);
  return plan_product(product, [product, shape](const TensorParameters::BoundTensors& bound, Staging&) {
    const auto c = c_of(product, *bound[product.self], shape);
    return Matrices{*bound[product.first], as_column(*bound[product.second]), as_column(*bound[product.out]),
                    c ? std::optional(as_column(*c)) : std::nullopt};
  });
}

std::shared_ptr<Executor> plan_addr(const AddedProduct& handles, const ScalarArg& beta, const ScalarArg& alpha) {
  Product product = product_of(handles);
  if (beta) product.beta = *required_scalar(beta);
  if (alpha) product.alpha = *required_scalar(alpha);
  use_bool_scalars(product);
  check_product(product);
  check_rank(product, product.first, 1);
  check_rank(product, product.second, 1);
  const Shape shape{product.tensors[product.first].shape[0], product.tensors[product.second].shape[0]};
  check_result(product, shape);
  return plan_product(product, [product, shape](const TensorParameters::BoundTensors& bound, Staging&) {
    return Matrices{as_column(*bound[product.first]), as_row(*bound[product.second]), *bound[product.out],
                    c_of(product, *bound[product.self], shape)};
  });
}

std::shared_ptr<Executor> plan_gemm(const AddedProduct& handles, float beta, float alpha, bool transposes_first,
                                    bool transposes_second, std::int8_t cube_math_type) {
  Product product = product_of(handles, Self::kLast);
  product.beta = float_scalar(beta);
  product.alpha = float_scalar(alpha);
  check_product(product);
  check_rank(product, product.first, 2);
  check_rank(product, product.second, 2);
  const auto maybe_transposed = [](const Tensor& matrix, bool transposes) {
    return transposes ? transposed(matrix) : matrix;
  };
  const Shape first = maybe_transposed(product.tensors[product.first], transposes_first).shape;
  const Shape second = maybe_transposed(product.tensors[product.second], transposes_second).shape;
  check_k(product, first[1], second[0]);
  const Shape shape{first[0], second[1]};
  check_result(product, shape);
  check_cube_math_type(cube_math_type);
  return plan_product(product, [=](const TensorParameters::BoundTensors& bound, Staging&) {
    return Matrices{maybe_transposed(*bound[product.first], transposes_first),
                    maybe_transposed(*bound[product.second], transposes_second), *bound[product.out],
                    c_of(product, *bound[product.self], shape)};
  });
}

}  // namespace aclvk::ops
