#include "ops/matmul/quantised/block_scale.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/matmul/quantised/quant_common.hpp"
#include "ops/matmul/quantised/quant_word.hpp"
#include "ops/quant/quantize.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kShared = 32;  // elements that share a scale in MX formats
constexpr std::int64_t kPair = 2;

std::int64_t blocks_in(std::int64_t size, std::int64_t of_block) { return (size + of_block - 1) / of_block; }

std::size_t k_dim(std::size_t rank, Factor factor) { return rank - (factor == Factor::kFirst ? 1 : 2); }
std::size_t other_dim(std::size_t rank, Factor factor) { return rank - (factor == Factor::kFirst ? 2 : 1); }

bool is_vector(const Tensor& scale) { return scale.shape.size() <= 1; }

Shape permuted_shape(const Shape& shape, const Shape& order) {
  Shape result;
  for (const std::int64_t dim : order) result.push_back(shape[static_cast<std::size_t>(dim)]);
  return result;
}

/// Returns a scale with its leading dims permuted like its factor; trailing dims stay.
Tensor in_order(const Tensor& scale, const Shape& order) {
  Shape all = order;
  // The dim of pairs is not a dim of the factor.
  while (all.size() < scale.shape.size()) all.push_back(static_cast<std::int64_t>(all.size()));
  return permuted(scale, all);
}

/// Returns the block sizes along the last two dims of a factor. A size that is not given follows from the shape of the
/// scale.
std::pair<std::int64_t, std::int64_t> sizes_of_blocks(const Shape& shape, const Shape& scale, const BlockSizes& given,
                                                      Factor factor) {
  const bool first = factor == Factor::kFirst;
  const auto size = [&](std::size_t from_end, std::int64_t wanted) {
    const std::int64_t blocks = std::max<std::int64_t>(scale[shape.size() - from_end], 1);
    return wanted > 0 ? wanted : std::max<std::int64_t>(blocks_in(shape[shape.size() - from_end], blocks), 1);
  };
  return {size(2, first ? given.rows : given.k), size(1, first ? given.k : given.columns)};
}

/// Merges the trailing dim of pairs into `dim`: (.., pairs, .., 2) as (.., numbers, ..).
Tensor without_pairs(const char* name, const Tensor& scale, std::size_t dim, Staging& staging, Kernels& before) {
  Shape shape(scale.shape.begin(), scale.shape.end() - 1);
  shape[dim] *= kPair;
  const Tensor numbers = staging.make(shape, scale.dtype);
  Shape order;
  for (std::size_t i = 0; i + 1 < scale.shape.size(); ++i) {
    order.push_back(static_cast<std::int64_t>(i));
    if (i == dim) order.push_back(static_cast<std::int64_t>(scale.shape.size() - 1));
  }
  append(before, copy_kernels(name, unflattened(numbers, dim, kPair), permuted(scale, order)));
  return numbers;
}

/// Returns chunks of rows and columns with four dims: chunk and index within the chunk, for both.
BlockedMatrix part_of(const BlockedMatrix& factor, const Chunks& rows, const Chunks& columns) {
  const Blocks& blocks = factor.blocks;
  const std::size_t dim = factor.matrix.shape.size() - 2;
  const Tensor slice = sliced(sliced(factor.matrix, blocks, dim, rows.first, rows.count * rows.inner), blocks, dim + 1,
                              columns.first, columns.count * columns.inner);
  return {unflattened(unflattened(slice, blocks, dim + 1, columns.inner), blocks, dim, rows.inner), blocks};
}
Tensor scale_of(const Tensor& scale, const Chunks& rows, std::int64_t first_row, const Chunks& columns,
                std::int64_t first_column) {
  const std::size_t dim = scale.shape.size() - 2;
  const Tensor slice = sliced(sliced(scale, dim, first_row, rows.count), dim + 1, first_column, columns.count);
  // A scale broadcasts over the indices within its chunk of rows and of columns.
  return repeated(repeated(slice, dim + 2, 1), dim + 1, 1);
}

/// Returns the factor with permuted dims, in its own memory; a copy in the workspace if chunks of `sizes` rows and
/// columns do not end with its blocks, or blocks split a dim of the batch.
BlockedMatrix in_order(const char* name, const Tensor& elements, const Shape& order,
                       const std::pair<std::int64_t, std::int64_t>& sizes, Staging& staging, Kernels& before) {
  BlockedMatrix x = as_blocked_matrix(name, elements, staging, before);
  x.matrix = permuted(x.matrix, order);
  const std::size_t last = order.size() - 1;
  bool fits = x.blocks.fit(x.matrix, last - 1, sizes.first) && x.blocks.fit(x.matrix, last, sizes.second);
  for (std::size_t dim = 0; dim + 1 < last; ++dim) fits = fits && !x.blocks.splits(x.matrix, dim);
  return fits ? x : BlockedMatrix{permuted(as_matrix(name, elements, staging, before), order)};
}

Kernels multiply(const char* name, const BlockedMatrix& x, const Tensor* scale, const BlockedMatrix& out) {
  Kernels kernels;
  std::vector<BlockedMatrix> operands{x, out};
  if (scale) operands.push_back({*scale});
  for (const Views& views : strided_views(operands)) {
    Quantize call{&views[0], &views[1]};
    if (scale) call.scale = &views[2];
    append(kernels, quantize_kernels(name, call));
  }
  return kernels;
}

}  // namespace

BlockSizes block_sizes(std::int64_t group_size) {
  constexpr std::int64_t kMask = 0xFFFF;
  // groupSize has 16 bits each: rows, columns, K from the upper ones on.
  return {group_size >> 32 & kMask, group_size >> 16 & kMask, group_size & kMask};
}

Shape order_of_dims(std::size_t rank, bool transposes) {
  Shape order(rank, 0);
  std::iota(order.begin(), order.end(), 0);
  if (transposes) std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

Shape shape_of(const TensorParameters& tensors, const ScaledFactor& factor) {
  const Tensor& tensor = tensors[factor.tensor];
  return permuted_shape(unpacked_shape(tensors.name(factor.tensor), tensor), factor.order);
}

void check_scale(const TensorParameters& tensors, const ScaledFactor& factor) {
  if (!tensors.has(factor.scale)) return;
  const Tensor& scale = tensors[factor.scale];
  const Shape shape = shape_of(tensors, factor);
  const std::size_t rank = shape.size();
  const std::int64_t others = shape[other_dim(rank, factor.factor)];
  bool fits = scale.shape.empty() || scale.shape == Shape{1} || scale.shape == Shape{others};
  if (scale.dtype == DType::kFloat8E8M0) {
    Shape expected = shape;
    std::int64_t& k = expected[k_dim(rank, factor.factor)];
    // E8M0 scales along K are stored in pairs: (.., K / 64, 2).
    k = blocks_in(k, kShared * kPair);
    expected.push_back(kPair);
    fits = scale.shape.size() == rank + 1 && in_order(scale, factor.order).shape == expected;
    const BlockSizes& given = factor.blocks;
    check((given.k == 0 || given.k == kShared) && given.rows <= 1 && given.columns <= 1, Code::kNnInvalid,
          "groupSize makes blocks of {} rows, {} columns and {} along the depth; FLOAT8_E8M0 numbers of {} stand for "
          "{} along the depth.",
          given.rows, given.columns, given.k, tensors.name(factor.scale), kShared);
  } else if (!fits && !is_quant_word(scale.dtype) && scale.shape.size() == rank) {
    const Shape own = in_order(scale, factor.order).shape;
    const auto [rows, columns] = sizes_of_blocks(shape, own, factor.blocks, factor.factor);
    Shape expected = shape;
    expected[rank - 2] = blocks_in(shape[rank - 2], rows);
    expected[rank - 1] = blocks_in(shape[rank - 1], columns);
    fits = own == expected;
  }
  check(fits, Code::kNnInvalid,
        "{} has dtype {} and shape {}, which are no scale of {} of shape {}; one number, {} or one for each block are "
        "expected.",
        tensors.name(factor.scale), scale.dtype, scale.shape, tensors.name(factor.tensor), tensors[factor.tensor].shape,
        others);
}

BlockedMatrix scaled(const char* name, const TensorParameters::BoundTensors& bound, const ScaledFactor& factor,
                     Staging& staging, Kernels& before) {
  const Tensor elements = unpacked(name, *bound[factor.tensor], staging, before);
  const Shape shape = permuted_shape(elements.shape, factor.order);
  const std::size_t last = shape.size() - 1;
  const bool has_scale = bound[factor.scale] != nullptr;
  Tensor scale = has_scale ? float_scale(*bound[factor.scale]) : Tensor{};
  const bool in_parts = has_scale && !is_vector(scale);
  std::pair<std::int64_t, std::int64_t> sizes{1, 1};
  if (in_parts) {
    const bool shared = scale.dtype == DType::kFloat8E8M0;
    scale = in_order(scale, factor.order);
    if (shared) scale = without_pairs(name, scale, k_dim(shape.size(), factor.factor), staging, before);
    sizes = sizes_of_blocks(shape, scale.shape, shared ? BlockSizes{1, 1, kShared} : factor.blocks, factor.factor);
  } else if (has_scale && factor.factor == Factor::kFirst) {
    scale = repeated(scale, scale.shape.size(), 1);
  }
  const BlockedMatrix x = in_order(name, elements, factor.order, sizes, staging, before);
  // The GEMM reads the blocks of the second factor only.
  const bool stays = factor.factor == Factor::kSecond;
  const BlockedMatrix out = workspace_like(stays ? x : BlockedMatrix{x.matrix}, DType::kFloat, staging);
  if (!in_parts) {
    append(before, multiply(name, x, has_scale ? &scale : nullptr, out));
    return out;
  }
  // At most four kernels: whole chunks and the rest, along rows and along columns.
  for (const Chunks& down : equal_chunks(shape[last - 1], sizes.first)) {
    for (const Chunks& along : equal_chunks(shape[last], sizes.second)) {
      const Tensor slice = scale_of(scale, down, down.first / sizes.first, along, along.first / sizes.second);
      append(before, multiply(name, part_of(x, down, along), &slice, part_of(out, down, along)));
    }
  }
  return out;
}

}  // namespace aclvk::ops
