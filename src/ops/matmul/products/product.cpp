#include "ops/matmul/products/product.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/tensor/promotion.hpp"

namespace aclvk::ops {
namespace {

DType promoted(const Product& product, DType with, Product::ParamId param) {
  const DType own = product.tensors[param].dtype;
  const auto both = promote(with, own);
  check(both.has_value(), Code::kNnInvalid, "{} has dtype {} and the others of {} promote to {}; no dtype holds both.",
        product.tensors.name(param), own, product.name, with);
  return *both;
}

}  // namespace

void check_product(const Product& product) {
  const TensorParameters& tensors = product.tensors;
  tensors.check_dtypes(dtypes_of(product.name));
  DType result = promoted(product, tensors[product.first].dtype, product.second);
  if (product.adds) {
    result = promoted(product, result, product.self);
    for (const auto& [scalar, name] : {std::pair{&product.beta, "beta"}, std::pair{&product.alpha, "alpha"}}) {
      check_castable(scalar->dtype(), result, name, "the product");
    }
  }
  check_castable(result, tensors[product.out].dtype, "the result", tensors.name(product.out));
  tensors.check_views();
  // Only the second factor may be FRACTAL_NZ.
  check_fractal(product.name, tensors, {product.takes_blocks ? product.second : Product::ParamId::kNone});
}

void check_cube_math_type(std::int8_t type) {
  check(type >= 0 && type <= 4, Code::kNnInvalid, "cubeMathType is {}; 0 to 4 are expected.", static_cast<int>(type));
}

void check_rank(const Product& product, Product::ParamId param, std::size_t rank) {
  const Tensor& tensor = product.tensors[param];
  check(tensor.shape.size() == rank, Code::kNnInvalid, "{} has shape {}; {} takes one of {} dimensions.",
        product.tensors.name(param), tensor.shape, product.name, rank);
}

void check_k(const Product& product, std::int64_t columns, std::int64_t rows) {
  const TensorParameters& tensors = product.tensors;
  check(columns == rows, Code::kNnInvalid,
        "{} has shape {} and {} has shape {}; the first has {} columns and the second {} rows, which must be equal.",
        tensors.name(product.first), tensors[product.first].shape, tensors.name(product.second),
        tensors[product.second].shape, columns, rows);
}

void check_result(const Product& product, const Shape& shape) {
  const TensorParameters& tensors = product.tensors;
  if (product.adds) {
    const Tensor& self = tensors[product.self];
    check(broadcast(self.shape, shape) == shape, Code::kNnInvalid, "{} has shape {}; it must broadcast to {}.",
          tensors.name(product.self), self.shape, shape);
  }
  tensors.check_shape(product.out, shape, "the product has shape");
}

std::shared_ptr<Executor> plan_product(const Product& product, Arrange arrange) {
  const runtime::Execution execution = runtime::execution();
  return staged_executor({product.name, kFractalNz}, product.tensors,
                         [product, arrange = std::move(arrange), execution](const TensorParameters::BoundTensors& bound,
                                                                            Staging& staging) {
                           for (const auto factor : {product.first, product.second}) {
                             check_disjoint(*bound[product.out], product.tensors.name(product.out), *bound[factor],
                                            product.tensors.name(factor));
                           }
                           Matrices matrices = arrange(bound, staging);
                           Kernels kernels = std::move(matrices.before);
                           Gemm gemm{product.name,          std::move(matrices.a),   std::move(matrices.b),
                                     std::move(matrices.c), std::move(matrices.out), product.alpha,
                                     product.beta};
                           gemm.blocks_of_b = matrices.blocks;
                           append(kernels, product_kernels(gemm, staging, execution));
                           return kernels;
                         });
}

}  // namespace aclvk::ops
