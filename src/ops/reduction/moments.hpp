#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// kOperator of shaders/reduction/moments.comp.
enum class Spread : std::uint32_t { kVariance = 0, kDeviation = 1 };

/// The handles of variance operators. `mean` is null for operators without that output.
struct SpreadHandles {
  InputArg self{};
  IntArrayArg dims{};
  std::int64_t correction = 0;  ///< subtracted from the number of elements (Bessel's correction)
  bool keep = false;
  OutputArg out{};
  bool has_mean = false;
  OutputArg mean{};
};

/// aclnnVar, aclnnStd and their forms.
std::shared_ptr<Executor> plan_spread(const char* name, Spread spread, const SpreadHandles& handles);

}  // namespace aclvk::ops
