#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ops/matmul/gemm.hpp"
#include "ops/shape/view.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// What operators that multiply matrices share.

/// out = beta * self + alpha * (first second), before it is known where the tensors are.
struct Product {
  using ParamId = TensorParameters::ParamId;

  const char* name;  ///< the operator's; a string literal
  TensorParameters tensors{};
  ParamId self{};  ///< where `adds`
  ParamId first{};
  ParamId second{};
  ParamId out{};
  bool adds = false;
  bool takes_blocks = false;  ///< the second factor may be FRACTAL_NZ
  Scalar alpha = Gemm::one();
  Scalar beta = Gemm::one();
};

/// The tensors of a run as matrices: rank two or more, the last two dims are the matrix, those before are the same for
/// all of them. `summand` is the operator's self, broadcast to `out`.
struct Matrices {
  Tensor a;
  Tensor b;
  Tensor out;
  std::optional<Tensor> summand{};
  Kernels before{};  ///< that make them
  Blocks blocks{};   ///< of b
};
/// A vector as a matrix.
inline Tensor as_row(const Tensor& vector) { return repeated(vector, 0, 1); }
inline Tensor as_column(const Tensor& vector) { return repeated(vector, 1, 1); }

using Arrange = std::function<Matrices(const TensorParameters::BoundTensors&, Staging&)>;

/// The dtypes of all tensors, that they promote to one that out can hold, and their views (161002).
void check_product(const Product& product);
/// cubeMathType is 0 to 4 (161002). It allows less precision than float has, which nothing here makes use of.
void check_cube_math_type(std::int8_t type);
/// The number of a tensor's dims (161002).
void check_rank(const Product& product, Product::ParamId place, std::size_t rank);
/// That the first factor has as many columns as the second has rows (161002).
void check_depth(const Product& product, std::int64_t columns, std::int64_t rows);
/// That out has the shape of the product and self, where it is added, broadcasts to it (161002).
void check_result(const Product& product, const Shape& shape);

/// Plans a product that was checked.
std::shared_ptr<Executor> plan_product(const Product& product, Arrange arrange);

}  // namespace aclvk::ops
