#include "base/error.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/matmul/quantised/quant.hpp"
#include "ops/matmul/quantised/quant_common.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan_split_weight_matmul(const InputArg& x, const InputArg& high, const InputArg& low,
                                                   const OutputArg& y, float low_scale, std::int8_t dtype) {
  Product product{"aclnnMatmulEmuSplitWeight"};
  TensorParameters& tensors = product.tensors;
  product.first = tensors.input(x);
  product.second = tensors.input(high);
  const auto low_part = tensors.input(low);
  product.out = tensors.output(y);
  check_product(product);
  check_rank(product, product.first, 2);
  check_rank(product, product.second, 2);
  const Shape& rows = tensors[product.first].shape;
  const Shape& columns = tensors[product.second].shape;
  check_shape(tensors[low_part], "wLow", columns, "wHigh has shape");
  check_k(product, rows[1], columns[0]);
  check_result(product, {rows[0], columns[1]});
  check(dtype == static_cast<std::int8_t>(tensors[product.out].dtype), Code::kNnInvalid,
        "yDtype is {}; y has dtype {}.", static_cast<int>(dtype), tensors[product.out].dtype);
  return plan_product(product, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_disjoint(*bound[product.out], "y", *bound[low_part], "wLow");
    const Tensor& upper = *bound[product.second];
    const Tensor weight = workspace_like({upper}, DType::kFloat, staging).matrix;
    Matrices matrices{*bound[product.first], weight, *bound[product.out]};
    // Add is x + alpha * y.
    // A float weight that is split in two of fewer bits: high + scale * low restores it, so one product suffices.
    matrices.before = pointwise_kernels(product.name, row_of(BinaryOp::kAdd), DType::kFloat, {&upper, bound[low_part]},
                                        weight, {{low_scale}});
    return matrices;
  });
}

}  // namespace aclvk::ops
