#include "ops/matmul/formats/blocks.hpp"

#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Returns the dim that blocks split into several parts; the rank if strides describe the matrix.
std::size_t split_dim(const BlockedMatrix& factor) {
  const Shape& shape = factor.matrix.shape;
  for (std::size_t dim = shape.size(); dim-- > 0;) {
    if (factor.blocks.splits(factor.matrix, dim) && shape[dim] > factor.blocks.size) return dim;
  }
  return shape.size();
}

/// Returns chunks of a dim, counted from the last, as two dims. A dim of size 1 broadcasts over chunks.
Tensor parted(const BlockedMatrix& each, std::size_t from_last, const Chunks& parts) {
  const auto& [matrix, blocks] = each;
  if (from_last >= matrix.shape.size()) return matrix;
  const std::size_t dim = matrix.shape.size() - 1 - from_last;
  if (matrix.shape[dim] == 1) return unflattened(matrix, dim, 1);
  return unflattened(sliced(matrix, blocks, dim, parts.first, parts.count * parts.inner), blocks, dim, parts.inner);
}

}  // namespace

Tensor sliced(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t start, std::int64_t count) {
  Tensor view = sliced(factor, dim, start, count);
  // Callers slice at whole blocks, so the offset counts blocks.
  if (blocks.splits(factor, dim)) view.offset = factor.offset + start / blocks.size * blocks.stride;
  return view;
}

Tensor unflattened(const Tensor& factor, const Blocks& blocks, std::size_t dim, std::int64_t inner) {
  Tensor view = unflattened(factor, dim, inner);
  if (blocks.splits(factor, dim) && inner > 1) view.strides[dim] = inner / blocks.size * blocks.stride;
  return view;
}

std::vector<Chunks> equal_chunks(std::int64_t size, std::int64_t of_part) {
  const std::int64_t whole = size / of_part;
  const std::int64_t rest = size - whole * of_part;
  std::vector<Chunks> all;
  if (whole > 0) all.push_back({0, whole, of_part});
  if (rest > 0) all.push_back({whole * of_part, 1, rest});
  return all;
}

std::vector<Views> strided_views(const std::vector<BlockedMatrix>& matrices) {
  const BlockedMatrix& first = matrices.front();
  // The first matrix decides for all: scales and results are cut where its blocks end.
  const Shape& shape = first.matrix.shape;
  const std::size_t dim = split_dim(first);
  std::vector<Views> all;
  if (dim == shape.size()) {
    Views& whole = all.emplace_back();
    for (const BlockedMatrix& each : matrices) whole.push_back(each.matrix);
    return all;
  }
  for (const Chunks& parts : equal_chunks(shape[dim], first.blocks.size)) {
    Views& views = all.emplace_back();
    for (const BlockedMatrix& each : matrices) views.push_back(parted(each, shape.size() - 1 - dim, parts));
  }
  return all;
}

}  // namespace aclvk::ops
