#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/random/source.hpp"

namespace aclvk::ops {

/// The rows of distribution.def.
#define ROW(name, value) k##name,
enum class Distribution : std::uint32_t {
#include "ops/random/distribution.def"
};
#undef ROW

/// A parameter of a distribution: a number, or a tensor with one for each element, to which it broadcasts.
struct DrawParameter {
  double number = 0;
  const Tensor* tensor = nullptr;
};

struct DrawCall {
  const char* name = nullptr;
  Distribution distribution = Distribution::kUniform;
  Source source;
  DrawParameter first;
  DrawParameter second;
  double third = 0;
};
/// Drawn in double precision where a tensor has 64 bits; cast to the dtype of out as aclnnCast does.
Kernels draw_kernels(const DrawCall& call, const Tensor& out);

/// The integers from `low` on, `range` of them (at least one). Those that `out` cannot hold wrap.
Kernels integer_kernels(const char* name, const Source& source, std::int64_t low, std::uint64_t range,
                        const Tensor& out);

// The first phases of the operators. `name` is the operator's C name; tensors without further words are overwritten in
// place.

/// aclnnInplaceUniform: from `from` on, less than `to`.
std::shared_ptr<Executor> plan_uniform(const char* name, const void* self, double from, double to,
                                       const SourceHandles& source);

/// aclnnInplaceNormal, aclnnNormalTensorFloat and their forms: mean and deviation are numbers, or tensors where a
/// handle is said.
struct NormalHandles {
  const char* name;
  bool in_place;
  const void* out;
  float mean;
  float deviation;
  bool has_means = false;
  bool has_deviations = false;
  const void* means = nullptr;
  const void* deviations = nullptr;
};
std::shared_ptr<Executor> plan_normal(const NormalHandles& handles, const SourceHandles& source);

/// aclnnBernoulli and its forms: 1 with a probability, else 0. `self` only has the shape; without it out does.
struct BernoulliHandles {
  const char* name;
  bool in_place;
  const void* self;
  bool has_tensor;  ///< the probabilities are a tensor, else a scalar
  const void* probability;
  const void* out;
};
std::shared_ptr<Executor> plan_bernoulli(const BernoulliHandles& handles, const SourceHandles& source);

/// aclnnInplaceRandom: from `from` on, less than `to`.
std::shared_ptr<Executor> plan_random(const char* name, const void* self, std::int64_t from, std::int64_t to,
                                      const SourceHandles& source);
/// aclnnInplaceRandomWithoutFromTo: all integers from 0 on that the dtype holds one by one.
std::shared_ptr<Executor> plan_random_full(const char* name, const void* self, const SourceHandles& source);

/// aclnnSimThreadExponential: the first `count` elements become exponential with rate `lambda`.
std::shared_ptr<Executor> plan_exponential(const void* self, std::int64_t count, double lambda,
                                           const SourceHandles& source);

/// aclnnRReluWithNoise: what is not positive is multiplied by a slope between lower and upper, which goes to `noise`
/// (1 for the others); without `training` by their mean, and noise stays.
struct RReluHandles {
  const char* name;
  const void* self;
  const void* noise;
  const void* lower;
  const void* upper;
  bool training;
  bool in_place;
  const void* out;
};
std::shared_ptr<Executor> plan_rrelu(const RReluHandles& handles, const SourceHandles& source);

}  // namespace aclvk::ops
