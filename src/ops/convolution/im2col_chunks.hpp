#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "ops/tensor/shape.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// Returns the size of the workspace for columns. 4 MiB stay in a CPU's cache until the product reads
/// them; 64 MiB are enough work to occupy a GPU.
inline std::int64_t im2col_bytes(runtime::Execution execution) {
  constexpr std::int64_t kCpuBytes = std::int64_t{4} << 20;
  constexpr std::int64_t kGpuBytes = std::int64_t{64} << 20;
  return execution.is_cpu_device ? kCpuBytes : kGpuBytes;
}

/// The columns of some images, or of some output positions of one image, which are made and multiplied at a time.
struct Im2colChunk {
  Shape starts;
  Shape counts;  ///< images, then positions along each spatial dim
};

/// Returns the sizes of chunks with at most `most` positions: the outer dims are cut into single indices, the inner
/// ones stay whole.
inline Shape counts_of_chunk(const Shape& sizes, std::int64_t most) {
  Shape counts = sizes;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    const std::int64_t inner = element_count({sizes.begin() + dim + 1, sizes.end()});
    counts[dim] = std::clamp<std::int64_t>(most / inner, 1, sizes[dim]);
    if (most >= inner) break;
  }
  return counts;
}

/// Calls visit(chunk) for all chunks, in row-major order.
template <typename Visit>
void visit_chunks(const Shape& sizes, const Shape& counts, Im2colChunk chunk, Visit&& visit) {
  const std::size_t dim = chunk.starts.size();
  if (dim == sizes.size()) return visit(chunk);
  for (std::int64_t start = 0; start < sizes[dim]; start += counts[dim]) {
    Im2colChunk next = chunk;
    next.starts.push_back(start);
    next.counts.push_back(std::min(counts[dim], sizes[dim] - start));
    visit_chunks(sizes, counts, std::move(next), visit);
  }
}

}  // namespace aclvk::ops
