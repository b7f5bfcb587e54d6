#include "ops/convolution/fractal_z.hpp"

#include "base/error.hpp"
#include "ops/args/convolution.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/shape/windows.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnTransConvolutionWeight";
constexpr std::int64_t kBlock = 16;
constexpr std::size_t kRank = 4;

std::int64_t blocks_in(std::int64_t size) { return (size + kBlock - 1) / kBlock; }

Shape storage_for(const Shape& weight) {
  return {blocks_in(weight[1]) * weight[2] * weight[3], blocks_in(weight[0]), kBlock, kBlock};
}

/// Returns the weight's shape including the padding of its blocks.
Shape filled_shape(const Shape& weight) {
  return {blocks_in(weight[0]) * kBlock, blocks_in(weight[1]) * kBlock, weight[2], weight[3]};
}

/// Returns a view in block order: block of channels, tap, block of output channels, output channel, channel.
Tensor by_blocks(const Tensor& filled) {
  return permuted(unflattened(unflattened(filled, 1, kBlock), 0, kBlock), {2, 4, 5, 0, 1, 3});
}

/// Returns the storage with those dims.
Tensor blocks_of(const Tensor& tensor) {
  const Shape& weight = tensor.shape;
  const Shape shape{blocks_in(weight[1]), weight[2], weight[3], blocks_in(weight[0]), kBlock, kBlock};
  return row_major(shape, tensor.dtype, tensor.address());
}

Tensor first_elements(const Tensor& filled, const Shape& weight) {
  return sliced(sliced(filled, 0, 0, weight[0]), 1, 0, weight[1]);
}

// By way of a padded copy in the workspace, whose blocks are all whole and thus one view.
Kernels block_kernels(const Tensor& from, const Tensor& to, Staging& staging) {
  const Tensor filled = staging.make(filled_shape(to.shape), to.dtype);
  Kernels kernels;
  if (filled.shape != from.shape) append(kernels, fill_kernels(kName, filled, {}));
  append(kernels, copy_kernels(kName, first_elements(filled, from.shape), from));
  append(kernels, copy_kernels(kName, blocks_of(to), by_blocks(filled)));
  return kernels;
}

}  // namespace

bool is_fractal_z(const Tensor& tensor) { return tensor.format == kFractalZ; }

void check_fractal_z(const Tensor& tensor, const char* name) {
  if (!is_fractal_z(tensor)) return;
  const bool fits = tensor.shape.size() == kRank && tensor.storage == storage_for(tensor.shape);
  check(fits, Code::kNnInvalid,
        "{} has format FRACTAL_Z, shape {} and storage shape {}; a weight of four dims, and blocks (channels / 16 * "
        "window, results / 16, 16, 16), are expected.",
        name, tensor.shape, tensor.storage);
}

Tensor as_weight(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (!is_fractal_z(tensor)) return tensor;
  const Tensor filled = staging.make(filled_shape(tensor.shape), tensor.dtype);
  append(before, copy_kernels(name, by_blocks(filled), blocks_of(tensor)));
  if (filled.shape == tensor.shape) return filled;
  // A weight with gaps would be copied in front of all kernels, before these have filled it.
  const Tensor weight = staging.make(tensor.shape, tensor.dtype);
  append(before, copy_kernels(name, weight, first_elements(filled, tensor.shape)));
  return weight;
}

/// Plans aclnnTransConvolutionWeight, which writes weightIn into the blocks of weightOut, whose memory has room for
/// them. The padding of blocks is 0. The tensor of weightOut has the format from the first phase on.
std::shared_ptr<Executor> plan(const TransConvolutionWeightArgs& args) {
  const bool transposed = args.transposed;
  const std::int64_t groups = args.groups;
  TensorParameters tensors;
  const auto from = tensors.input(args.weightIn);
  const TensorPtr handle = required_tensor(args.weightOut);
  Tensor blocks = *handle;
  check_dtype(tensors[from], "weightIn", dtypes_of(kName).inputs);
  check_dtype(blocks, "weightOut", dtypes_of(kName).outputs);
  tensors.check_views();
  check_view(blocks, "weightOut");
  check_channels_first(tensors[from], "weightIn");
  check(tensors[from].shape.size() == kRank, Code::kNnInvalid, "weightIn has shape {}; four dims are expected.",
        tensors[from].shape);
  check_shape(blocks, "weightOut", tensors[from].shape, "weightIn has shape");
  check(is_contiguous(blocks), Code::kNnInvalid, "weightOut has shape {} and strides {}; no gaps are expected.",
        blocks.shape, blocks.strides);
  check(!transposed && groups == 1, Code::kFeatureNotSupported,
        "transposed is {} and groups is {}; the order of channels in FRACTAL_Z is documented for false and 1 only.",
        transposed, groups);
  blocks.format = kFractalZ;
  blocks.storage = storage_for(blocks.shape);
  Executor::Operands operands{{&tensors[from]}, {&blocks}};
  auto executor =
      staged_executor({kName, kFractalZ}, std::move(operands), [](const Executor::Operands& bound, Staging& staging) {
        const Tensor& to = bound.output(0);
        check_disjoint(to, "weightOut", bound.input(0), "weightIn");
        return block_kernels(bound.input(0), to, staging);
      });
  executor->will_replace(args.weightOut.handle, std::make_shared<Tensor>(blocks));
  return executor;
}

}  // namespace aclvk::ops
