#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

/// The inclusive running sums of self along a dim, in the dtype of out. Shapes are equal.
Kernels running_sum_kernels(const char* name, const Tensor& self, const Tensor& out, std::size_t dim, Staging& staging);

/// kOperator of shaders/scan/sum.comp.
enum class Cumulative : std::uint32_t { kSum = 0, kProduct = 1 };

/// The handles of a cumulative operator. Names are those of its parameters.
struct CumulativeHandles {
  InputArg self{};
  OutputArg out{};  ///< self for an in-place operator
  bool has_dtype = false;
  int dtype = 0;
  bool exclusive = false;
  bool reverse = false;
};

/// aclnnCumsum, aclnnCumsumV2.
std::shared_ptr<Executor> plan_cumulative(const char* name, Cumulative kind, const CumulativeHandles& handles,
                                          std::int64_t dim);
/// aclnnCumprod, aclnnInplaceCumprod: the dim is an aclScalar.
std::shared_ptr<Executor> plan_cumulative_product(const char* name, const CumulativeHandles& handles,
                                                  const ScalarArg& dim);

/// aclnnCummax (highest) and aclnnCummin.
std::shared_ptr<Executor> plan_cumulative_extreme(const char* name, bool highest, const InputArg& self,
                                                  std::int64_t dim, const OutputArg& values_out,
                                                  const OutputArg& indices_out);

}  // namespace aclvk::ops
