#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Sums in the gradients of operators that sample an image: the grid sampler and the deformable convolution.

/// Adds the products, (N, groups, channels, samples), to the elements of sums, (N, groups, channels, elements), in the
/// order of the samples. `elements` has the element of each sample, (N, groups, samples), which all channels of a group
/// share.
Kernels add_to_elements(const char* name, const Tensor& elements, const Tensor& products, const Tensor& sums);

/// Writes a sum over channels to `out`. part(first, count, sum) returns kernels that write the sum of `count` channels,
/// of which a thread may loop over `at_once`; the sums of more are added in `compute`.
template <typename Part>
Kernels sum_of_channels(const char* name, std::int64_t channels, std::int64_t at_once, DType compute, const Tensor& out,
                        Staging& staging, const Part& part) {
  if (channels <= at_once) return part(std::int64_t{0}, channels, out);
  const Tensor total = staging.make(out.shape, compute);
  const Tensor more = staging.make(out.shape, compute);
  Kernels kernels;
  for (std::int64_t first = 0; first < channels; first += at_once) {
    append(kernels, part(first, std::min(at_once, channels - first), first == 0 ? total : more));
    if (first > 0) append(kernels, pointwise_kernels(name, Combination::kAdd, total, more));
  }
  append(kernels, copy_kernels(name, out, total));
  return kernels;
}

}  // namespace aclvk::ops
