#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/mutex.hpp"

namespace aclvk::runtime {

/// The options of aclrtCtxSetSysParamOpt for one context, or of aclrtSetSysParamOpt for the process. Thread safe.
class SysParams {
 public:
  static constexpr std::int32_t kDeterministic = 0;
  static constexpr std::int32_t kCount = 4;

  /// Throws kParamInvalid for an invalid value.
  void set(std::int32_t option, std::int64_t value);
  /// Throws kSysParamNotSet before the first set.
  std::int64_t get(std::int32_t option) const;
  /// Returns the value; 0 before the first set.
  std::int64_t get_or_zero(std::int32_t option) const;

 private:
  mutable Mutex mutex_;
  std::array<std::optional<std::int64_t>, kCount> values_ GUARDED_BY(mutex_);
};

/// Returns the options of the process.
SysParams& process_params();

}  // namespace aclvk::runtime
