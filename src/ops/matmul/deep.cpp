#include "ops/matmul/deep.hpp"

#include <algorithm>

#include "ops/create/fill.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kSweptRows = 4;        // more of them share what they read of b, so that memory matters less
constexpr std::int64_t kWantedTiles = 256;    // of a device whose groups do not take turns
constexpr std::int64_t kTileElements = 4096;  // of a result that a group makes there, about
constexpr std::int64_t kShortestPart = 256;

std::int64_t rows_of(const Tensor& matrices) { return matrices.shape[matrices.shape.size() - 2]; }
std::int64_t columns_of(const Tensor& matrices) { return matrices.shape.back(); }

/// One row, or two, and a matrix whose rows lie in memory: memory is slow to give it by columns. Blocks are columns in
/// memory already. By strides alone, because the workspace may not depend on addresses.
bool is_swept(std::int64_t rows, const Tensor& b, const Blocks& blocks) {
  return !blocks.size && rows <= kSweptRows && columns_of(b) >= 64 && b.strides.back() == 1 &&
         b.strides[b.strides.size() - 2] % 8 == 0;
}

/// The same product the other way round.
Gemm turned(const Gemm& gemm) {
  Gemm other{gemm.name,    with_swapped_dims(gemm.b),   with_swapped_dims(gemm.a),
             std::nullopt, with_swapped_dims(gemm.out), gemm.alpha,
             gemm.beta};
  if (gemm.summand) other.summand = with_swapped_dims(*gemm.summand);
  other.blocks_of_a = gemm.blocks_of_b;
  other.blocks_of_b = gemm.blocks_of_a;
  return other;
}

/// The depth of a part; all of it for a product that stays whole.
std::int64_t part_depth(const Gemm& gemm, bool takes_turns) {
  const std::int64_t depth = columns_of(gemm.a);
  if (takes_turns) {
    return is_swept(rows_of(gemm.a), gemm.b, gemm.blocks_of_b) && depth >= 4 * kSweptDepth ? kSweptDepth : depth;
  }
  const std::int64_t tiles = (gemm.out.elements() + kTileElements - 1) / kTileElements;
  const std::int64_t parts = std::min(kWantedTiles / tiles, depth / kShortestPart);
  const std::int64_t unit = std::max({kSweptDepth, gemm.blocks_of_a.size, gemm.blocks_of_b.size});
  return parts < 2 ? depth : (depth / parts + unit - 1) / unit * unit;
}

/// Columns of a and rows of b, `count` parts of `depth` from `start` on, as one more dim of the batch.
Gemm parts_of(const Gemm& gemm, std::int64_t start, std::int64_t depth, std::int64_t count) {
  const std::size_t row = gemm.a.shape.size() - 2;
  const std::size_t column = row + 1;
  const auto parts = [&](const Tensor& factor, const Blocks& blocks, std::size_t dim) {
    return unflattened(sliced(factor, blocks, dim, start, depth * count), blocks, dim, depth);
  };
  const Tensor a = parts(gemm.a, gemm.blocks_of_a, column);
  const Tensor b = parts(gemm.b, gemm.blocks_of_b, row);
  Shape before;  // the parts before the rows
  for (std::size_t dim = 0; dim < a.shape.size(); ++dim) before.push_back(static_cast<std::int64_t>(dim));
  std::swap(before[row], before[column]);
  Gemm part{gemm.name, permuted(a, before), b, std::nullopt, gemm.out};
  part.blocks_of_a = gemm.blocks_of_a;
  part.blocks_of_b = gemm.blocks_of_b;
  return part;
}

Kernels part_kernels(const Gemm& gemm, const Tensor& sums, std::int64_t depth, Staging& staging,
                     runtime::Execution execution) {
  const std::int64_t whole = columns_of(gemm.a) / depth;
  const std::int64_t rest = columns_of(gemm.a) % depth;
  const std::size_t parts = gemm.out.shape.size() - 2;
  Gemm part = parts_of(gemm, 0, depth, whole);
  part.out = sliced(sums, parts, 0, whole);
  Kernels kernels = gemm_kernels(part, staging, execution);
  if (rest == 0) return kernels;
  part = parts_of(gemm, whole * depth, rest, 1);
  part.out = sliced(sums, parts, whole, 1);
  append(kernels, gemm_kernels(part, staging, execution));
  return kernels;
}

/// A row of ones times the parts of each row.
Gemm addition(const Gemm& gemm, const Tensor& sums, const Tensor& one) {
  const std::size_t row = gemm.out.shape.size() - 2;
  const auto as_rows = [&](const Tensor& matrices) { return unflattened(matrices, row, 1); };
  Shape rows_first;
  for (std::size_t dim = 0; dim < sums.shape.size(); ++dim) rows_first.push_back(static_cast<std::int64_t>(dim));
  std::swap(rows_first[row], rows_first[row + 1]);
  Gemm added{gemm.name, {}, permuted(sums, rows_first), std::nullopt, as_rows(gemm.out), gemm.alpha, gemm.beta};
  Shape ones = added.out.shape;
  ones.back() = sums.shape[row];
  added.a = expanded(one, ones);
  if (gemm.summand) added.summand = as_rows(*gemm.summand);
  return added;
}

}  // namespace

Kernels product_kernels(const Gemm& as_given, Staging& staging, runtime::Execution execution) {
  if (as_given.out.empty()) return gemm_kernels(as_given, staging, execution);
  // Parts are added up row by row, so there should be few rows.
  const Gemm gemm = rows_of(as_given.out) <= columns_of(as_given.out) ? as_given : turned(as_given);
  const std::int64_t depth = columns_of(gemm.a);
  const std::int64_t of_part = part_depth(gemm, execution.takes_turns);
  if (of_part >= depth) return gemm_kernels(gemm, staging, execution);
  const DType dtype = sum_dtype(gemm);
  const std::int64_t parts = (depth + of_part - 1) / of_part;
  const Tensor sums = staging.make(with(gemm.out.shape, gemm.out.shape.size() - 2, parts), dtype);
  const Tensor one = staging.make({1}, dtype);
  Kernels kernels = fill_kernels(gemm.name.data(), one, Gemm::one().to_element(dtype));
  append(kernels, part_kernels(gemm, sums, of_part, staging, execution));
  append(kernels, gemm_kernels(addition(gemm, sums, one), staging, execution));
  return kernels;
}

}  // namespace aclvk::ops
