#include "ops/matmul/products/fused.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/elementwise/pointwise.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/matmul/products/split_k.hpp"

namespace aclvk::ops {

Epilogue epilogue_of(const char* fused_op_type) {
  require(fused_op_type, "fusedOpType");
  const std::array<Epilogue, 7> all = {{{"", std::nullopt, false},
                                        {"16cast32", std::nullopt, false},
                                        {"add", row_of(BinaryOp::kAdd), true},
                                        {"mul", row_of(BinaryOp::kMul), true},
                                        {"relu", row_of(UnaryOp::kRelu), false},
                                        {"gelu_erf", row_of(UnaryOp::kGelu), false},
                                        {"gelu_tanh", row_of(UnaryOp::kGeluTanh), false}}};
  const auto* found =
      std::find_if(all.begin(), all.end(), [&](const Epilogue& epilogue) { return epilogue.name == fused_op_type; });
  check(
      found != all.end(), Code::kNnInvalid,
      "fusedOpType is \"{}\"; expected \"\", \"16cast32\", \"add\", \"mul\", \"relu\", \"gelu_erf\" or \"gelu_tanh\".",
      fused_op_type);
  return *found;
}

Kernels epilogue_kernels(const char* name, const Epilogue& epilogue, const Tensor& product, const Tensor* operand,
                         const Tensor& out) {
  InlineVector<const Tensor*, 4> inputs{&product};
  if (epilogue.has_operand) inputs.push_back(operand);
  // Add is x + alpha * y.
  return pointwise_kernels(name, *epilogue.row, DType::kFloat, inputs, out, {{1.0}});
}

namespace {

struct ParamIds {
  TensorParameters::ParamId x1, x2, bias, x3, y;
};

/// Checks all shapes and returns that of the product.
Shape check_shapes(const TensorParameters& tensors, const ParamIds& at) {
  const Shape& x1 = tensors[at.x1].shape;
  const Shape& x2 = tensors[at.x2].shape;
  const bool have_rank = x1.size() >= 2 && x1.size() == x2.size();
  check(have_rank && std::equal(x1.begin(), x1.end() - 2, x2.begin()) && x1.back() == x2[x2.size() - 2],
        Code::kNnInvalid,
        "x1 has shape {} and x2 has shape {}; the same batch, and as many columns of x1 as rows of x2, are expected.",
        x1, x2);
  Shape shape = x1;
  shape.back() = x2.back();
  for (const auto param : {at.bias, at.x3}) {
    if (!tensors.has(param)) continue;
    check(broadcast(tensors[param].shape, shape) == shape, Code::kNnInvalid,
          "{} has shape {}; it must broadcast to {}.", tensors.name(param), tensors[param].shape, shape);
  }
  tensors.check_shape(at.y, shape, "the product has shape");
  return shape;
}

}  // namespace

/// Plans aclnnFusedMatmul: x1 x2 + bias, followed by the epilogue fusedOpType: none for "" and "16cast32", "add" and
/// "mul" with x3, "relu", "gelu_erf" or "gelu_tanh".
std::shared_ptr<Executor> plan(const FusedMatmulArgs& args) {
  const char* fused_op_type = args.fusedOpType.handle;
  const std::int8_t cube_math_type = args.cubeMathType;
  constexpr const char* kName = "aclnnFusedMatmul";
  TensorParameters tensors;
  const ParamIds at{tensors.input(args.x1), tensors.input(args.x2), tensors.optional_input(args.bias),
                    tensors.optional_input(args.x3), tensors.output(args.y)};
  const Epilogue epilogue = epilogue_of(fused_op_type);
  check(!epilogue.has_operand || tensors.has(at.x3), Code::kNnNullptr, "x3 is NULL; fusedOpType \"{}\" needs it.",
        fused_op_type);
  tensors.check_dtypes(dtypes_of(kName));
  check_same_dtype(tensors[at.x2], "x2", tensors[at.x1], "x1");
  tensors.check_views();
  check_fractal(kName, tensors, {});
  const Shape shape = check_shapes(tensors, at);
  check_cube_math_type(cube_math_type);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    for (const auto param : {at.x1, at.x2}) check_disjoint(*bound[at.y], "y", *bound[param], tensors.name(param));
    // The epilogue reads unrounded floats.
    const Tensor product = epilogue.row ? staging.make(shape, DType::kFloat) : *bound[at.y];
    Gemm gemm{kName, *bound[at.x1], *bound[at.x2], std::nullopt, product};
    if (bound[at.bias]) gemm.c = expanded(*bound[at.bias], shape);
    Kernels kernels = product_kernels(gemm, staging, runtime::execution());
    if (!epilogue.row) return kernels;
    append(kernels, epilogue_kernels(kName, epilogue, product, bound[at.x3], *bound[at.y]));
    return kernels;
  });
}

}  // namespace aclvk::ops
