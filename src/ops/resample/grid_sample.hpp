#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// torch.nn.functional.grid_sample. `interpolation`: 0 linear, 1 nearest, 2 cubic (two dims only); `padding`: 0 zeros,
/// 1 border, 2 reflection.
struct GridSample {
  const char* name;
  std::size_t dims;
  std::int64_t interpolation;
  std::int64_t padding;
  bool align_corners;
};
std::shared_ptr<Executor> plan_grid_sample(const GridSample& sample, const InputArg& input, const InputArg& grid,
                                           const OutputArg& out);

/// The gradients of the image and of the grid; the two bools of `mask` request them.
struct GridGradients {
  InputArg gradient;
  InputArg input;
  InputArg grid;
  BoolArrayArg mask;
  OutputArg input_gradient;
  OutputArg grid_gradient;
};
std::shared_ptr<Executor> plan_grid_gradients(const GridSample& sample, const GridGradients& handles);

}  // namespace aclvk::ops
