
#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/products/contraction.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnEinsum";
constexpr std::size_t kMaxLabels = 64;

/// The size of each label; 1 for unused ones.
using Sizes = std::array<std::int64_t, kMaxLabels>;

/// Returns the tensor with distinct labels: a repeated label is a diagonal, one dim with the sum of both strides.
Labelled with_diagonals(const Tensor& tensor, const Labels& labels) {
  Labelled result{tensor, {}};
  result.tensor.shape.clear();
  result.tensor.strides.clear();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto place = std::find(result.labels.begin(), result.labels.end(), labels[i]);
    const auto dim = static_cast<std::size_t>(place - result.labels.begin());
    if (place == result.labels.end()) {
      result.labels.push_back(labels[i]);
      result.tensor.shape.push_back(tensor.shape[i]);
      result.tensor.strides.push_back(tensor.strides[i]);
      continue;
    }
    check(result.tensor.shape[dim] == tensor.shape[i], Code::kNnInvalid,
          "a tensor has shape {}, in which {} has the sizes {} and {}; a repeated label needs equal sizes.",
          tensor.shape, label_text(labels[i]), result.tensor.shape[dim], tensor.shape[i]);
    // Element (i, i): one step moves along both dims.
    result.tensor.strides[dim] += tensor.strides[i];
  }
  return result;
}

Sizes sizes_of(const std::vector<Labelled>& operands) {
  Sizes sizes;
  sizes.fill(1);
  for (const Labelled& operand : operands) {
    for (std::size_t i = 0; i < operand.labels.size(); ++i) {
      const std::int64_t own = operand.tensor.shape[i];
      std::int64_t& size = sizes[static_cast<std::size_t>(operand.labels[i])];
      check(own == size || own == 1 || size == 1, Code::kNnInvalid,
            "{} has size {} in one tensor and {} in another; equal sizes, or 1, are expected.",
            label_text(operand.labels[i]), size, own);
      if (size == 1) size = own;
    }
  }
  return sizes;
}

/// Drops dims of one element, which broadcast.
Labelled without_ones(const Labelled& tensor) {
  Labelled rest{tensor.tensor, {}};
  rest.tensor.shape.clear();
  rest.tensor.strides.clear();
  for (std::size_t i = 0; i < tensor.labels.size(); ++i) {
    if (tensor.tensor.shape[i] == 1) continue;
    rest.labels.push_back(tensor.labels[i]);
    rest.tensor.shape.push_back(tensor.tensor.shape[i]);
    rest.tensor.strides.push_back(tensor.tensor.strides[i]);
  }
  return rest;
}

Shape shape_of(const Labels& labels, const Sizes& sizes) {
  Shape shape;
  for (const int label : labels) shape.push_back(sizes[static_cast<std::size_t>(label)]);
  return shape;
}

/// Records the contraction from left to right. A label that no later operand and no output has is summed as early as
/// possible.
void contract(Contraction& contraction, const std::vector<Labelled>& operands, const Labelled& out) {
  std::vector<LabelSet> later(operands.size() + 1, set_of(out.labels));  // labels of operand i and of all after it
  for (std::size_t i = operands.size(); i-- > 0;) later[i] = later[i + 1] | set_of(operands[i].labels);
  Labelled product = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    // Summing first makes each later product smaller.
    product = contraction.sum(product, later[i]);
    const Labelled next = contraction.sum(operands[i], later[i + 1] | set_of(product.labels));
    if (i + 1 == operands.size()) return contraction.multiply_into(out, product, next);
    product = contraction.multiply(product, next, later[i + 1]);
  }
  contraction.sum_into(out, product);
}

std::vector<Labelled> labelled(const std::vector<Tensor>& tensors, const Equation& equation) {
  std::vector<Labelled> operands;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(with_diagonals(tensors[i], equation.operands[i]));
  }
  return operands;
}

}  // namespace

/// Plans aclnnEinsum: torch.einsum, contracted from left to right. Intermediate results of FLOAT16 are kept as FLOAT.
std::shared_ptr<Executor> plan(const EinsumArgs& args) {
  const char* equation_text = args.equation.handle;
  TensorParameters tensors;
  const auto list = tensors.input_list(args.tensors);
  require(equation_text, "equation");
  const auto output = tensors.output(args.output);
  tensors.check_dtypes(dtypes_of(kName));
  const DType dtype = tensors[list].dtype;
  std::vector<std::size_t> ranks;
  for (const Tensor& member : tensors.list(list)) {
    check(member.dtype == dtype, Code::kNnInvalid, "members of tensors have dtypes {} and {}; the same is expected.",
          dtype, member.dtype);
    ranks.push_back(member.shape.size());
  }
  check_castable(dtype, tensors[output].dtype, "the result", "output");
  tensors.check_views();
  check_fractal(kName, tensors, {});
  const Equation equation = parse_equation(equation_text, ranks);
  const Sizes sizes = sizes_of(labelled(tensors.list(list), equation));
  tensors.check_shape(output, shape_of(equation.output, sizes), "the equation makes");
  const runtime::Execution execution = runtime::execution();
  const std::size_t count = ranks.size();
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor& out = *bound[output];
    std::vector<Tensor> members;
    for (std::size_t i = 0; i < count; ++i) {
      members.push_back(bound.of_list(list, i));
      check_disjoint(out, "output", members.back(), "a member of tensors");
    }
    // A launch without work still needs a kernel.
    if (out.empty()) return copy_kernels(kName, out, out);
    std::vector<Labelled> operands;
    for (const Labelled& operand : labelled(members, equation)) operands.push_back(without_ones(operand));
    Contraction contraction(kName, staging, execution);
    contract(contraction, operands, without_ones({out, equation.output}));
    return contraction.take();
  });
}

}  // namespace aclvk::ops
