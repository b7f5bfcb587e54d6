#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnTransMatmulWeight";
constexpr std::int64_t kBlockRows = 16;
constexpr std::int64_t kBlockRowBytes = 32;
constexpr std::size_t kMaxDims = 6;

Shape blocks_for(const Shape& shape, DType dtype) {
  const auto filled = [](std::int64_t size, std::int64_t of_block) { return (size + of_block - 1) / of_block; };
  const std::int64_t columns = kBlockRowBytes / static_cast<std::int64_t>(size_of(dtype));
  Shape storage = batch_of(shape);
  storage.push_back(filled(shape.back(), columns));
  storage.push_back(filled(shape[shape.size() - 2], kBlockRows));
  storage.push_back(kBlockRows);
  storage.push_back(columns);
  return storage;
}

void check_weight(const Tensor& weight) {
  check_dtype(weight, "mmWeightRef", dtypes_of(kName).inputs);
  check_view(weight, "mmWeightRef");
  check(weight.format != kFractalNz, Code::kNnInvalid,
        "mmWeightRef has format FRACTAL_NZ; its elements lie in blocks already.");
  const std::size_t rank = weight.shape.size();
  check(rank >= 2 && rank <= kMaxDims, Code::kNnInvalid, "mmWeightRef has shape {}; 2 to {} dims are expected.",
        weight.shape, kMaxDims);
  check(is_contiguous(in_memory_order(weight)), Code::kNnInvalid,
        "mmWeightRef has shape {} and strides {}; matrices without gaps, or transposed ones, are expected.",
        weight.shape, weight.strides);
}

}  // namespace

/// Plans aclnnTransMatmulWeight, which converts matrices to FRACTAL_NZ within their own memory, which has room for the
/// blocks. The tensor of the handle has the new format from the first phase on.
std::shared_ptr<Executor> plan(const TransMatmulWeightArgs& args) {
  const TensorPtr handle = required_tensor(args.mmWeightRef);
  check_weight(*handle);
  Tensor as_blocks = *handle;
  as_blocks.format = kFractalNz;
  as_blocks.storage = blocks_for(in_memory_order(*handle).shape, handle->dtype);
  Executor::Operands operands{{}, {&as_blocks}};
  auto executor =
      staged_executor({kName, kFractalNz}, std::move(operands), [](const Executor::Operands& bound, Staging& staging) {
        const Tensor& to = bound.output(0);
        const Tensor ordered = in_memory_order(to);
        // The rows are gathered in the workspace first: blocks overwrite them.
        return block_kernels(kName, row_major(ordered.shape, to.dtype, to.address()), to, staging);
      });
  executor->will_replace(args.mmWeightRef.handle, std::make_shared<Tensor>(as_blocks));
  return executor;
}

}  // namespace aclvk::ops
