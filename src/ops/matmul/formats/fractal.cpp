#include "ops/matmul/formats/fractal.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/args/matmul.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/formats/weight_size.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::size_t kBlockDims = 4;
// A block has 16 rows of 32 bytes.
constexpr std::int64_t kBlockRowBytes = 32;
constexpr std::int64_t kMinColumns = 8;  // of blocks that GEMM kernels read in place: they load vec8s

std::int64_t block_columns(DType dtype) {
  return is_four_bit(dtype) ? 2 * kBlockRowBytes : kBlockRowBytes / static_cast<std::int64_t>(size_of(dtype));
}

/// Returns the shape of the matrix including the padding of its blocks.
Shape filled_shape(const Shape& storage) {
  const std::size_t batch = storage.size() - kBlockDims;
  Shape shape(storage.begin(), storage.begin() + batch);
  shape.push_back(storage[batch + 1] * storage[batch + 2]);
  shape.push_back(storage[batch] * storage[batch + 3]);
  return shape;
}

/// Returns a view of a padded matrix in block order: column of blocks, row of blocks, row, column.
Tensor by_blocks(const Tensor& filled, const Shape& storage) {
  const std::size_t rows = filled.shape.size() - 2;
  const Tensor split = unflattened(unflattened(filled, rows + 1, storage[rows + 3]), rows, storage[rows + 2]);
  Shape order;
  for (std::size_t dim = 0; dim < rows; ++dim) order.push_back(static_cast<std::int64_t>(dim));
  for (const std::size_t dim : {rows + 2, rows, rows + 1, rows + 3}) order.push_back(static_cast<std::int64_t>(dim));
  return permuted(split, order);
}

Tensor first_elements(const Tensor& filled, const Shape& shape) {
  const std::size_t rows = shape.size() - 2;
  return sliced(sliced(filled, rows, 0, shape[rows]), rows + 1, 0, shape[rows + 1]);
}

/// Returns whether the sizes are those of memory: no negative ones, and a product that 64 bits hold.
bool counts_elements(const Shape& storage) {
  std::int64_t left = kMaxElements;
  for (const std::int64_t size : storage) {
    if (size < 0 || size > left) return false;
    left /= std::max<std::int64_t>(size, 1);
  }
  return true;
}

/// GEMM kernels find the block of a column with a shift.
bool is_power_of_two(std::int64_t size) { return size > 0 && (size & (size - 1)) == 0; }

}  // namespace

Shape storage_of(const Tensor& tensor) {
  // A storage shape of one dim counts elements only; the blocks then follow from the matrix.
  if (tensor.storage.size() != 1) return tensor.storage;
  return fractal_storage(in_memory_order(tensor).shape, block_columns(tensor.dtype));
}

Tensor blocks_of(const Tensor& tensor) { return row_major(storage_of(tensor), tensor.dtype, tensor.address()); }

bool is_fractal(const Tensor& tensor) {
  const std::size_t rank = tensor.shape.size();
  return tensor.format == kFractalNz && rank >= 2 &&
         (tensor.storage.size() == rank + kBlockDims - 2 || tensor.storage.size() == 1);
}

void check_fractal(const Tensor& tensor, const char* name) {
  if (tensor.format != kFractalNz) return;
  bool fits = is_fractal(tensor) && counts_elements(tensor.storage);
  if (fits && tensor.storage.size() == 1) {
    fits = tensor.storage[0] >= tensor.elements();
  } else if (fits) {
    const Shape shape = in_memory_order(tensor).shape;
    const Shape filled = filled_shape(tensor.storage);
    const std::size_t rows = shape.size() - 2;
    for (std::size_t dim = 0; dim < rows; ++dim) fits = fits && filled[dim] == shape[dim];
    fits = fits && filled[rows] >= shape[rows] && filled[rows + 1] >= shape[rows + 1];
  }
  check(fits, Code::kNnInvalid,
        "{} has format FRACTAL_NZ, shape {} and storage shape {}; blocks (columns, rows, 16, c) that hold the matrix, "
        "or the number of its elements, are expected.",
        name, tensor.shape, tensor.storage);
}

void check_fractal(const char* name, const TensorParameters& tensors,
                   std::initializer_list<TensorParameters::ParamId> params) {
  tensors.for_each([&](TensorParameters::ParamId param, const Tensor& tensor) {
    const bool takes_blocks = std::find(params.begin(), params.end(), param) != params.end();
    check(takes_blocks || tensor.format != kFractalNz, Code::kNnInvalid,
          "{} has format FRACTAL_NZ; {} takes rows and columns.", tensors.name(param), name);
    if (takes_blocks) check_fractal(tensor, tensors.name(param));
  });
}

Tensor as_matrix(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  if (!is_fractal(tensor)) return tensor;
  const Shape storage = storage_of(tensor);
  const Tensor filled = staging.make(filled_shape(storage), tensor.dtype);
  append(before, copy_kernels(name, by_blocks(filled, storage), blocks_of(tensor)));
  const Tensor matrix = first_elements(filled, in_memory_order(tensor).shape);
  return is_transposed(tensor) ? with_swapped_dims(matrix) : matrix;
}

std::optional<BlockedMatrix> blocked_view(const Tensor& tensor) {
  if (!is_fractal(tensor)) return BlockedMatrix{tensor};
  const Shape storage = storage_of(tensor);
  const std::size_t rows = tensor.shape.size() - 2;
  const std::int64_t columns = storage.back();
  if (columns < kMinColumns || !is_power_of_two(columns)) return std::nullopt;
  // Consecutive rows are equally far apart across blocks of one column, so that only the columns are split.
  const std::int64_t step = storage[rows + 1] * storage[rows + 2] * columns;
  Tensor matrix = row_major(in_memory_order(tensor).shape, tensor.dtype, tensor.address());
  matrix.strides[rows + 1] = 1;
  matrix.strides[rows] = columns;
  std::int64_t stride = storage[rows] * step;
  for (std::size_t dim = rows; dim-- > 0; stride *= matrix.shape[dim]) matrix.strides[dim] = stride;
  return BlockedMatrix{is_transposed(tensor) ? with_swapped_dims(matrix) : matrix, {columns, step}};
}

BlockedMatrix as_blocked_matrix(const char* name, const Tensor& tensor, Staging& staging, Kernels& before) {
  auto as_is = blocked_view(tensor);
  return as_is ? *std::move(as_is) : BlockedMatrix{as_matrix(name, tensor, staging, before)};
}

Kernels block_kernels(const char* name, const Tensor& from, const Tensor& to, Staging& staging) {
  const Shape storage = storage_of(to);
  const Tensor filled = staging.make(filled_shape(storage), to.dtype);
  Kernels kernels;
  // The padding of blocks is 0, so that it adds nothing to a product.
  if (filled.shape != from.shape) append(kernels, fill_kernels(name, filled, {}));
  append(kernels, copy_kernels(name, first_elements(filled, from.shape), from));
  append(kernels, copy_kernels(name, blocks_of(to), by_blocks(filled, storage)));
  return kernels;
}

/// Plans aclnnNpuFormatCast, which copies src into dst's format, ND or FRACTAL_NZ. The padding of blocks is 0.
std::shared_ptr<Executor> plan(const NpuFormatCastArgs& args) {
  constexpr const char* kName = "aclnnNpuFormatCast";
  TensorParameters tensors;
  const auto src = tensors.input(args.srcTensor);
  const auto dst = tensors.output(args.dstTensor);
  check_dtype(tensors[src], "srcTensor", dtypes_of(kName).inputs);
  check_same_dtype(tensors[dst], "dstTensor", tensors[src], "srcTensor");
  tensors.check_views();
  tensors.check_shape(dst, tensors[src].shape, "srcTensor has shape");
  check_fractal(tensors[src], "srcTensor");
  check_fractal(tensors[dst], "dstTensor");
  return staged_executor({kName, kFractalNz}, tensors,
                         [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
                           check_disjoint(*bound[dst], "dstTensor", *bound[src], "srcTensor");
                           Kernels kernels;
                           const Tensor from = as_matrix(kName, *bound[src], staging, kernels);
                           append(kernels, is_fractal(*bound[dst]) ? block_kernels(kName, from, *bound[dst], staging)
                                                                   : copy_kernels(kName, *bound[dst], from));
                           return kernels;
                         });
}

}  // namespace aclvk::ops
