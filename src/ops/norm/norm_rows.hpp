#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// kFlags of shaders/norm/norm.comp, which says what each does. The flags of gamma, beta and the outputs follow from
/// the tensors.
enum NormFlag : std::uint32_t {
  kCentered = 1,
  kOnePlusGamma = 64,
  kSwish = 256,
  kVarianceOut = 512,
  kRoundSum = 1024,
  kRoundNorm = 2048,
};

/// Null for tensors that an operator does not have.
struct NormTensors {
  const Tensor* x = nullptr;
  const Tensor* addend = nullptr;  ///< added to x first; excludes beta and mean
  const Tensor* gamma = nullptr;
  const Tensor* beta = nullptr;
  const Tensor* y = nullptr;
  const Tensor* scale = nullptr;  ///< 1 / standard deviation, one element a row
  const Tensor* mean = nullptr;   ///< one element a row
  const Tensor* sum = nullptr;    ///< receives x + addend
};

struct NormCall {
  std::string_view name;  ///< the operator's C name; a string literal
  std::uint32_t flags = 0;
  double epsilon = 0;
  double swish = 1;
  runtime::Execution execution;  ///< of the device that the call is for
};

/// Normalises all dims but the first `lead`; gamma and beta have the shape of the normalised dims.
std::vector<runtime::Kernel> trailing_norm_kernels(const NormCall& call, const NormTensors& tensors, std::size_t lead,
                                                   Staging& staging);

/// Normalises groups of channels: x has shape (batch, channels, ...), gamma and beta have one element a channel, scale
/// and mean one element an image and group.
std::vector<runtime::Kernel> group_norm_kernels(const NormCall& call, const NormTensors& tensors, std::int64_t groups,
                                                Staging& staging);

/// Normalises each channel of each image, with channels in the last dim.
std::vector<runtime::Kernel> channels_last_norm_kernels(const NormCall& call, const NormTensors& tensors,
                                                        Staging& staging);

}  // namespace aclvk::ops
