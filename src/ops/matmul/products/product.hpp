#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {

// Shared by the operators that multiply matrices.

/// The parameters of a product, without addresses: out = beta * self + alpha * (first second).
struct Product {
  using ParamId = TensorParameters::ParamId;

  const char* name;  ///< the operator's; a string literal
  TensorParameters tensors{};
  ParamId self{};  ///< valid if `adds`
  ParamId first{};
  ParamId second{};
  ParamId out{};
  bool adds = false;
  bool takes_blocks = false;  ///< the second factor may be FRACTAL_NZ
  Scalar alpha = Gemm::one();
  Scalar beta = Gemm::one();
};

/// The operands of a run as matrices: the last two dims are a matrix, the leading dims are the batch, equal for all.
/// `c` is the operator's self, broadcast to `out`.
struct Matrices {
  Tensor a;
  Tensor b;
  Tensor out;
  std::optional<Tensor> c{};
  Kernels before{};  ///< kernels that make copies of operands
  Blocks blocks{};   ///< blocks of b
};
/// Return a vector as a matrix of one row, or of one column.
inline Tensor as_row(const Tensor& vector) { return repeated(vector, 0, 1); }
inline Tensor as_column(const Tensor& vector) { return repeated(vector, 1, 1); }

/// Makes matrices of a run's tensors.
using Arrange = std::function<Matrices(const TensorParameters::BoundTensors&, Staging&)>;

/// Checks dtypes, their promotion, castability to out, and views (161002).
void check_product(const Product& product);
/// Checks that cubeMathType is 0 to 4 (161002).
void check_cube_math_type(std::int8_t type);
/// Checks the rank of a tensor (161002).
void check_rank(const Product& product, Product::ParamId param, std::size_t rank);
/// Checks that the columns of the first factor are as many as the rows of the second (161002).
void check_k(const Product& product, std::int64_t columns, std::int64_t rows);
/// Checks that out has the shape of the product, and that self broadcasts to it (161002).
void check_result(const Product& product, const Shape& shape);

/// Returns the executor of a checked product.
std::shared_ptr<Executor> plan_product(const Product& product, Arrange arrange);

}  // namespace aclvk::ops
