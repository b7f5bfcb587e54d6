#include "ops/matmul/fused.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/handles.hpp"
#include "ops/matmul/deep.hpp"
#include "ops/matmul/product.hpp"
#include "ops/operator_dtypes.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

/// What is done with a product; some need another operand.
struct Fused {
  std::string_view name;
  std::optional<PointwiseRow> row;
  bool has_operand;
};

Fused fused_of(const char* kind) {
  require(kind, "fusedOpType");
  const std::array<Fused, 7> all = {{{"", std::nullopt, false},
                                     {"16cast32", std::nullopt, false},
                                     {"add", row_of(BinaryOp::kAdd), true},
                                     {"mul", row_of(BinaryOp::kMul), true},
                                     {"relu", row_of(UnaryOp::kRelu), false},
                                     {"gelu_erf", row_of(UnaryOp::kGelu), false},
                                     {"gelu_tanh", row_of(UnaryOp::kGeluTanh), false}}};
  const auto* found = std::find_if(all.begin(), all.end(), [&](const Fused& fused) { return fused.name == kind; });
  check(found != all.end(), Code::kNnInvalid,
        "fusedOpType is \"{}\"; \"\", \"16cast32\", \"add\", \"mul\", \"relu\", \"gelu_erf\" and \"gelu_tanh\" are "
        "known.",
        kind);
  return *found;
}

struct Places {
  TensorParameters::Place x1, x2, bias, x3, y;
};

/// The shape of the product: two dims or more, with the same batch.
Shape check_shapes(const TensorParameters& tensors, const Places& at) {
  const Shape& x1 = tensors[at.x1].shape;
  const Shape& x2 = tensors[at.x2].shape;
  const bool have_rank = x1.size() >= 2 && x1.size() == x2.size();
  check(have_rank && std::equal(x1.begin(), x1.end() - 2, x2.begin()) && x1.back() == x2[x2.size() - 2],
        Code::kNnInvalid, "x1 has shape {} and x2 has shape {}; matrices that meet, of the same batch, are expected.",
        x1, x2);
  Shape shape = x1;
  shape.back() = x2.back();
  for (const auto place : {at.bias, at.x3}) {
    if (!tensors.has(place)) continue;
    check(broadcast(tensors[place].shape, shape) == shape, Code::kNnInvalid,
          "{} has shape {}; it must broadcast to {}.", tensors.name(place), tensors[place].shape, shape);
  }
  tensors.check_shape(at.y, shape, "the product has shape");
  return shape;
}

}  // namespace

std::shared_ptr<Executor> plan_fused_matmul(const void* x1, const void* x2, const void* bias, const void* x3,
                                            const char* kind, std::int8_t cube_math_type, const void* y) {
  constexpr const char* kName = "aclnnFusedMatmul";
  TensorParameters tensors;
  const Places at{tensors.input(x1, "x1"), tensors.input(x2, "x2"), tensors.optional_input(bias, "bias"),
                  tensors.optional_input(x3, "x3"), tensors.output(y, "y")};
  const Fused fused = fused_of(kind);
  check(!fused.has_operand || tensors.has(at.x3), Code::kNnNullptr, "x3 is NULL; fusedOpType \"{}\" needs it.", kind);
  tensors.check_dtypes(dtypes_of(kName));
  check_same_dtype(tensors[at.x2], "x2", tensors[at.x1], "x1");
  tensors.check_views();
  const Shape shape = check_shapes(tensors, at);
  check_cube_math_type(cube_math_type);
  return staged_executor(kName, tensors, [=](const TensorParameters::Now& now, Staging& staging) {
    for (const auto place : {at.x1, at.x2}) check_apart(*now[at.y], "y", *now[place], tensors.name(place));
    // The product keeps the digits of a float until the end.
    const Tensor product = fused.row ? staging.make(shape, DType::kFloat) : *now[at.y];
    Gemm gemm{kName, *now[at.x1], *now[at.x2], std::nullopt, product};
    if (now[at.bias]) gemm.summand = expanded(*now[at.bias], shape);
    Kernels kernels = product_kernels(gemm, staging, runtime::execution());
    if (!fused.row) return kernels;
    InlineVector<const Tensor*, 4> inputs{&product};
    if (fused.has_operand) inputs.push_back(now[at.x3]);
    // Add is x + alpha * y.
    append(kernels, pointwise_kernels(kName, *fused.row, DType::kFloat, inputs, *now[at.y], {{1.0}}));
    return kernels;
  });
}

namespace {

/// A permutation of three dims.
Shape order_of(const void* handle, const char* name) {
  const auto values = required_ints(handle, name);
  check(values.size() == 3, Code::kNnInvalid, "{} has {} numbers; three are expected.", name, values.size());
  const Shape order{values[0], values[1], values[2]};
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  check(sorted == Shape{0, 1, 2}, Code::kNnInvalid, "{} is {}; each of 0, 1 and 2 once is expected.", name, order);
  return order;
}

}  // namespace

std::shared_ptr<Executor> plan_transpose_batch_matmul(const TransposedBatches& call) {
  constexpr const char* kName = "aclnnTransposeBatchMatMul";
  Product product{kName};
  product.first = product.tensors.input(call.x1, "x1");
  product.second = product.tensors.input(call.x2, "x2");
  product.out = product.tensors.output(call.out, "out");
  for (const auto& [order, name] :
       {std::pair{call.order1, "permX1"}, std::pair{call.order2, "permX2"}, std::pair{call.order_of_out, "permY"}}) {
    required_ints(order, name);
  }
  check_left_out(kName, {{"bias", call.bias}, {"scale", call.scale}});
  check_product(product);
  check_rank(product, product.first, 3);
  check_rank(product, product.second, 3);
  const Shape order1 = order_of(call.order1, "permX1");
  const Shape order2 = order_of(call.order2, "permX2");
  const Shape order_of_out = order_of(call.order_of_out, "permY");
  const Tensor first = permuted(product.tensors[product.first], order1);
  const Tensor second = permuted(product.tensors[product.second], order2);
  check(first.shape[0] == second.shape[0], Code::kNnInvalid,
        "x1 has shape {} and x2 has shape {} in the order of permX1 and permX2; they need as many matrices.",
        first.shape, second.shape);
  check_depth(product, first.shape[2], second.shape[1]);
  const Shape sizes{first.shape[0], first.shape[1], second.shape[2]};
  Shape shape;
  for (const std::int64_t dim : order_of_out) shape.push_back(sizes[static_cast<std::size_t>(dim)]);
  check_result(product, shape);
  check_cube_math_type(call.cube_math_type);
  check(call.batch_split_factor == 1, Code::kFeatureNotSupported, "batchSplitFactor is {}; only 1 is built yet.",
        call.batch_split_factor);
  Shape back(3, 0);
  for (std::size_t i = 0; i < 3; ++i) back[static_cast<std::size_t>(order_of_out[i])] = static_cast<std::int64_t>(i);
  return plan_product(product, [=](const TensorParameters::Now& now, Staging&) {
    return Matrices{permuted(*now[product.first], order1), permuted(*now[product.second], order2),
                    permuted(*now[product.out], back)};
  });
}

}  // namespace aclvk::ops
