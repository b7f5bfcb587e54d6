#include "ops/matmul/products/split_k.hpp"

#include <algorithm>

#include "ops/create/fill.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kSweepRows = 4;        // with more rows loads of b are shared, and memory is no bottleneck
constexpr std::int64_t kWantedTiles = 256;    // workgroups that occupy a GPU
constexpr std::int64_t kTileElements = 4096;  // elements of out that a workgroup computes on a GPU, roughly
constexpr std::int64_t kMinSliceK = 256;      // a shorter slice saves less time than its partial sums cost

std::int64_t rows_of(const Tensor& matrices) { return matrices.shape[matrices.shape.size() - 2]; }
std::int64_t columns_of(const Tensor& matrices) { return matrices.shape.back(); }

/// Returns whether a product suits the sweep kernel: few rows times a row-major b, whose columns memory delivers slowly
/// (docs/adr/0024). Blocked columns are contiguous and gain nothing. Depends on strides alone, because the size of the
/// workspace may not depend on addresses.
bool suits_sweep(std::int64_t rows, const Tensor& b, const Blocks& blocks) {
  return !blocks.size && rows <= kSweepRows && columns_of(b) >= 64 && b.strides.back() == 1 &&
         b.strides[b.strides.size() - 2] % 8 == 0;
}

/// Returns the transposed product: out^T = b^T a^T.
Gemm transposed_product(const Gemm& gemm) {
  Gemm other{gemm.name,    with_swapped_dims(gemm.b),   with_swapped_dims(gemm.a),
             std::nullopt, with_swapped_dims(gemm.out), gemm.alpha,
             gemm.beta};
  if (gemm.c) other.c = with_swapped_dims(*gemm.c);
  other.blocks_of_a = gemm.blocks_of_b;
  other.blocks_of_b = gemm.blocks_of_a;
  return other;
}

/// Returns the K of a slice; all of K for a product that is not split.
std::int64_t k_per_slice(const Gemm& gemm, bool is_cpu_device) {
  const std::int64_t k = columns_of(gemm.a);
  if (is_cpu_device) {
    return suits_sweep(rows_of(gemm.a), gemm.b, gemm.blocks_of_b) && k >= 4 * kSweepK ? kSweepK : k;
  }
  const std::int64_t tiles = (gemm.out.elements() + kTileElements - 1) / kTileElements;
  // As many slices as make kWantedTiles workgroups, unless they become too short to be worth a partial sum.
  const std::int64_t slices = std::min(kWantedTiles / tiles, k / kMinSliceK);
  // A slice ends at the end of a block, so that each slice is a view.
  const std::int64_t unit = std::max({kSweepK, gemm.blocks_of_a.size, gemm.blocks_of_b.size});
  return slices < 2 ? k : (k / slices + unit - 1) / unit * unit;
}

/// Returns `count` slices of `k` along K, starting at `start`, as one more dim of the batch.
Gemm slices_of(const Gemm& gemm, std::int64_t start, std::int64_t k, std::int64_t count) {
  const std::size_t row = gemm.a.shape.size() - 2;
  const std::size_t column = row + 1;
  const auto slices = [&](const Tensor& factor, const Blocks& blocks, std::size_t dim) {
    return unflattened(sliced(factor, blocks, dim, start, k * count), blocks, dim, k);
  };
  const Tensor a = slices(gemm.a, gemm.blocks_of_a, column);
  const Tensor b = slices(gemm.b, gemm.blocks_of_b, row);
  Shape before;  // slices before rows
  for (std::size_t dim = 0; dim < a.shape.size(); ++dim) before.push_back(static_cast<std::int64_t>(dim));
  std::swap(before[row], before[column]);
  Gemm slice{gemm.name, permuted(a, before), b, std::nullopt, gemm.out};
  slice.blocks_of_a = gemm.blocks_of_a;
  slice.blocks_of_b = gemm.blocks_of_b;
  return slice;
}

Kernels slice_kernels(const Gemm& gemm, const Tensor& sums, std::int64_t k, Staging& staging,
                      runtime::Execution execution) {
  const std::int64_t whole = columns_of(gemm.a) / k;
  const std::int64_t rest = columns_of(gemm.a) % k;
  const std::size_t slices = gemm.out.shape.size() - 2;
  Gemm slice = slices_of(gemm, 0, k, whole);
  slice.out = sliced(sums, slices, 0, whole);
  Kernels kernels = gemm_kernels(slice, staging, execution);
  if (rest == 0) return kernels;
  slice = slices_of(gemm, whole * k, rest, 1);
  slice.out = sliced(sums, slices, whole, 1);
  append(kernels, gemm_kernels(slice, staging, execution));
  return kernels;
}

/// Returns the product that adds partial sums: a row of ones times the slices of each row. alpha, beta and c are
/// applied here.
Gemm slice_sum(const Gemm& gemm, const Tensor& sums, const Tensor& one) {
  const std::size_t row = gemm.out.shape.size() - 2;
  const auto as_rows = [&](const Tensor& matrices) { return unflattened(matrices, row, 1); };
  Shape rows_first;
  for (std::size_t dim = 0; dim < sums.shape.size(); ++dim) rows_first.push_back(static_cast<std::int64_t>(dim));
  std::swap(rows_first[row], rows_first[row + 1]);
  Gemm added{gemm.name, {}, permuted(sums, rows_first), std::nullopt, as_rows(gemm.out), gemm.alpha, gemm.beta};
  Shape ones = added.out.shape;
  ones.back() = sums.shape[row];
  added.a = expanded(one, ones);
  if (gemm.c) added.c = as_rows(*gemm.c);
  return added;
}

}  // namespace

Kernels product_kernels(const Gemm& as_given, Staging& staging, runtime::Execution execution) {
  if (as_given.out.empty()) return gemm_kernels(as_given, staging, execution);
  // The final addition is a product for each row of out, so the side with fewer rows is better.
  const Gemm gemm = rows_of(as_given.out) <= columns_of(as_given.out) ? as_given : transposed_product(as_given);
  const std::int64_t k = columns_of(gemm.a);
  const std::int64_t slice_k = k_per_slice(gemm, execution.is_cpu_device);
  if (slice_k >= k) return gemm_kernels(gemm, staging, execution);
  const DType dtype = sum_dtype(gemm);
  const std::int64_t slices = (k + slice_k - 1) / slice_k;
  const Tensor sums = staging.make(with(gemm.out.shape, gemm.out.shape.size() - 2, slices), dtype);
  const Tensor one = staging.make({1}, dtype);
  Kernels kernels = fill_kernels(gemm.name.data(), one, Gemm::one().to_element(dtype));
  append(kernels, slice_kernels(gemm, sums, slice_k, staging, execution));
  append(kernels, gemm_kernels(slice_sum(gemm, sums, one), staging, execution));
  return kernels;
}

}  // namespace aclvk::ops
