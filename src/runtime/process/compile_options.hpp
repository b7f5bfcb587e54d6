#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/mutex.hpp"

namespace aclvk::runtime {

/// The options of aclSetCompileopt, by aclCompileOpt. Only stored for queries: the library brings its shaders as
/// SPIR-V, and the driver compiles each at its first use. Thread safe.
class CompileOptions {
 public:
  static constexpr std::int32_t kJitCompile = 10;
  static constexpr std::int32_t kCount = 17;

  /// Throws kInvalidParam for an unknown option or an invalid value.
  void set(std::int32_t option, const std::string& value);
  /// Returns the value, or the default; nothing for an option that has neither. Throws kInvalidParam for an unknown
  /// option.
  std::optional<std::string> get(std::int32_t option) const;

 private:
  mutable Mutex mutex_;
  std::array<std::optional<std::string>, kCount> values_ GUARDED_BY(mutex_);
};

/// The options of the process.
CompileOptions& compile_options();

}  // namespace aclvk::runtime
