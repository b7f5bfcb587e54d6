#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/dump/dump_config.hpp"
#include "runtime/profile/settings.hpp"

namespace aclvk::runtime {

/// The members of aclInit's configuration file that the library uses (runtime-semantics 1.3 and 1.4).
struct ConfigFile {
  std::string text;                  ///< the whole file; empty without one
  std::int32_t default_device = -1;  ///< negative: none
  bool messages_per_process = false;
  std::optional<DumpConfig> dump;
  std::optional<profile::Settings> profile;  ///< the "profiler" section, if it is switched on

  /// A limit of devices (runtime/device/device_limits.hpp) from the section "StackSize".
  struct Limit {
    int limit;
    std::uint64_t value;
  };
  std::vector<Limit> limits;
};

/// Reads and checks the file. Returns defaults for null and "". Throws kInvalidFile, kParseFile, kInvalidParam,
/// kInvalidDumpConfig, kInvalidProfilingConfig, kFailure.
ConfigFile read_config_file(const char* path);

}  // namespace aclvk::runtime
