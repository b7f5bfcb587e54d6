#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/random/source.hpp"

namespace aclvk::ops {

// A dropout mask is a vector of bytes with one bit per element, low bits first: 1 for elements that are kept. Its
// length is rounded up to a multiple of 128 elements.

/// aclnnDropoutGenMask and its forms. `probability` is the drop probability, rounded to `dtype`.
struct GenMaskHandles {
  const char* name;
  IntArrayArg shape;
  double probability;
  bool has_dtype;
  int dtype;
  OutputArg out;
};
std::shared_ptr<Executor> plan_gen_mask(const GenMaskHandles& handles, const SourceHandles& source);

/// aclnnDropoutDoMask, aclnnDropoutBackward, aclnnDropoutV3Grad: kept elements times `scale`, and 0 for dropped ones.
struct DoMaskHandles {
  const char* name;
  InputArg self;
  InputArg mask;
  OutputArg out;
};
std::shared_ptr<Executor> plan_do_mask(const DoMaskHandles& handles, double scale);
/// Applies a mask with the scale 1 / (1 - probability), which preserves the mean.
std::shared_ptr<Executor> plan_do_mask_for(const DoMaskHandles& handles, double probability);

/// aclnnDropout, aclnnDropoutV3: generates a mask and applies it; without `train` a copy and a mask of ones.
struct DropoutHandles {
  const char* name;
  InputArg input;
  bool has_noise_shape;
  InputArg noise_shape;  ///< optional
  double probability;
  bool train;
  OutputArg out;
  OutputArg mask_out;
};
std::shared_ptr<Executor> plan_dropout(const DropoutHandles& handles, const SourceHandles& source);

}  // namespace aclvk::ops
