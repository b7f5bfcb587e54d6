#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/random/source.hpp"

namespace aclvk::ops {

/// The rows of distribution.def.
#define ROW(name, value) k##name,
enum class Distribution : std::uint32_t {
#include "ops/random/distribution.def"
};
#undef ROW

/// A parameter of a distribution: a number, or a tensor that broadcasts to the result.
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
/// The kernels of a draw. Draws in double precision when a tensor has 64-bit elements, and converts as aclnnCast does.
Kernels draw_kernels(const DrawCall& call, const Tensor& out);

/// Draws integers from [low, low + range). `range` is at least 1. Integers that `out` cannot hold wrap.
Kernels integer_kernels(const char* name, const Source& source, std::int64_t low, std::uint64_t range,
                        const Tensor& out);

// The plans of operators. `name` is the operator's C name. Unless stated otherwise the tensor is overwritten in place.

/// aclnnInplaceUniform: uniform in [from, to).
std::shared_ptr<Executor> plan_uniform(const char* name, const OutputArg& self, double from, double to,
                                       const SourceHandles& source);

/// aclnnInplaceNormal, aclnnNormalTensorFloat and their forms: mean and deviation are tensors when their handles are
/// set, else numbers.
struct NormalHandles {
  const char* name;
  bool in_place;
  OutputArg out;
  float mean;
  float deviation;
  bool has_means = false;
  bool has_deviations = false;
  InputArg means{};
  InputArg deviations{};
};
std::shared_ptr<Executor> plan_normal(const NormalHandles& handles, const SourceHandles& source);

/// aclnnBernoulli and its forms: 1 with a probability, else 0. Only the shape of `self` is used; without self that of
/// out.
struct BernoulliHandles {
  const char* name;
  bool in_place;
  InputArg self;
  InputArg probabilities;  ///< without a name the probability is the scalar
  ScalarArg probability;
  OutputArg out;
};
std::shared_ptr<Executor> plan_bernoulli(const BernoulliHandles& handles, const SourceHandles& source);

/// aclnnInplaceRandom: integers in [from, to).
std::shared_ptr<Executor> plan_random(const char* name, const OutputArg& self, std::int64_t from, std::int64_t to,
                                      const SourceHandles& source);
/// aclnnInplaceRandomWithoutFromTo: integers from 0 up to the largest n such that the dtype represents all integers up
/// to n.
std::shared_ptr<Executor> plan_random_full(const char* name, const OutputArg& self, const SourceHandles& source);

/// aclnnSimThreadExponential: fills the first `count` elements from the exponential distribution with rate `lambda`.
std::shared_ptr<Executor> plan_exponential(const OutputArg& self, std::int64_t count, double lambda,
                                           const SourceHandles& source);

/// aclnnRReluWithNoise: multiplies elements that are not positive by a random slope between lower and upper, which is
/// stored in `noise` (1 for positive elements). Without `training` the slope is the mean, and noise is not written.
struct RReluHandles {
  const char* name;
  InputArg self;
  OutputArg noise;
  ScalarArg lower;
  ScalarArg upper;
  bool training;
  bool in_place;
  OutputArg out;
};
std::shared_ptr<Executor> plan_rrelu(const RReluHandles& handles, const SourceHandles& source);

}  // namespace aclvk::ops
