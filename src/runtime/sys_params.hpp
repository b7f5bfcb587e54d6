#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

namespace aclvk::runtime {

/// The switches of aclrtCtxSetSysParamOpt and aclrtSetSysParamOpt, of one context or of the process. Thread safe.
class SysParams {
 public:
  static constexpr std::int32_t kDeterministic = 0;
  static constexpr std::int32_t kCount = 4;

  /// Throws kParamInvalid for a value that the option does not know.
  void set(std::int32_t option, std::int64_t value);
  /// Throws kSysParamNotSet before the first set.
  std::int64_t get(std::int32_t option) const;
  /// What was set, or else 0.
  std::int64_t get_or_zero(std::int32_t option) const;

 private:
  mutable std::mutex mutex_;
  std::array<std::optional<std::int64_t>, kCount> values_;
};

/// The switches of the process.
SysParams& process_params();

}  // namespace aclvk::runtime
