#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// kOperator of shaders/reduction/moments.comp.
enum class Spread : std::uint32_t { kVariance = 0, kDeviation = 1 };

/// The handles of variance operators. `mean` is null for operators without that output.
struct SpreadHandles {
  const void* self = nullptr;
  const void* dims = nullptr;
  std::int64_t correction = 0;  ///< subtracted from the number of elements (Bessel's correction)
  bool keep = false;
  const void* out = nullptr;
  const char* out_name = "out";
  bool has_mean = false;
  const void* mean = nullptr;
};

/// aclnnVar, aclnnStd and their forms.
std::shared_ptr<Executor> plan_spread(const char* name, Spread spread, const SpreadHandles& handles);

/// aclnnLogSumExp.
std::shared_ptr<Executor> plan_log_sum_exp(const void* self, const void* dims, bool keep, const void* out);

/// aclnnTrace: the sum of a matrix' diagonal.
std::shared_ptr<Executor> plan_trace(const void* self, const void* out);

}  // namespace aclvk::ops
