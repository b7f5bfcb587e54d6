#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// Parts of a normalisation: kFlags of shaders/norm/norm.comp, where each is told. Which of gamma, beta and the outputs
/// there are follows from the tensors.
enum NormFlag : std::uint32_t {
  kCentered = 1,
  kOnePlusGamma = 64,
  kSwish = 256,
  kVarianceOut = 512,
  kRoundSum = 1024,
  kRoundNorm = 2048,
};

/// Null for what an operator does not have.
struct NormTensors {
  const Tensor* x = nullptr;
  const Tensor* addend = nullptr;  ///< added to x before all else; then there is no beta and no mean
  const Tensor* gamma = nullptr;
  const Tensor* beta = nullptr;
  const Tensor* y = nullptr;
  const Tensor* scale = nullptr;  ///< 1 / deviation, one for each row
  const Tensor* mean = nullptr;   ///< one for each row
  const Tensor* sum = nullptr;    ///< x + addend
};

struct NormCall {
  std::string_view name;  ///< the operator's; a string literal
  std::uint32_t flags = 0;
  double epsilon = 0;
  double swish = 1;
  runtime::Execution execution;  ///< runtime::execution()
};

/// Normalises over all dims but the first `lead`; gamma and beta have the shape of those dims.
std::vector<runtime::Kernel> trailing_norm_kernels(const NormCall& call, const NormTensors& tensors, std::size_t lead,
                                                   Staging& staging);

/// Normalises groups of channels: x has shape (batch, channels, ...), gamma and beta an element for each channel, scale
/// and mean one for each group.
std::vector<runtime::Kernel> group_norm_kernels(const NormCall& call, const NormTensors& tensors, std::int64_t groups,
                                                Staging& staging);

/// The same with a channel a group and channels in the last dim.
std::vector<runtime::Kernel> channels_last_norm_kernels(const NormCall& call, const NormTensors& tensors,
                                                        Staging& staging);

}  // namespace aclvk::ops
