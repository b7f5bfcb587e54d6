#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/random/source.hpp"

namespace aclvk::ops {

// A mask is a row of bytes, a bit for each element, the first one lowest: 1 for an element that is kept. There are
// bytes for a multiple of 128 elements.

/// aclnnDropoutGenMask and its forms: `probability` is that of an element to be dropped, rounded to `dtype`.
struct GenMaskHandles {
  const char* name;
  const void* shape;
  double probability;
  bool has_dtype;
  int dtype;
  const void* out;
};
std::shared_ptr<Executor> plan_gen_mask(const GenMaskHandles& handles, const SourceHandles& source);

/// aclnnDropoutDoMask, aclnnDropoutBackward, aclnnDropoutV3Grad: elements that are kept times `scale`, 0 for the
/// others.
struct DoMaskHandles {
  const char* name;
  const void* self;
  const char* self_name;
  const void* mask;
  const void* out;
  const char* out_name;
};
std::shared_ptr<Executor> plan_do_mask(const DoMaskHandles& handles, double scale);
/// The same with what keeps the mean when elements are dropped with a probability.
std::shared_ptr<Executor> plan_do_mask_for(const DoMaskHandles& handles, double probability);

/// aclnnDropout, aclnnDropoutV3: both, or without `train` a copy and a mask of ones.
struct DropoutHandles {
  const char* name;
  const void* input;
  bool has_noise_shape;
  const void* noise_shape;  ///< optional
  double probability;
  bool train;
  const void* out;
  const void* mask_out;
};
std::shared_ptr<Executor> plan_dropout(const DropoutHandles& handles, const SourceHandles& source);

}  // namespace aclvk::ops
