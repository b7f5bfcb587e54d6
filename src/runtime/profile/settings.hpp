#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace aclvk::runtime::profile {

/// The "profiler" section of aclInit's configuration.
struct Settings {
  std::string folder;
  std::uint32_t categories = 0;  ///< a sum of Category
};

/// Reads and checks the section. Returns nothing when profiling is switched off. Throws kInvalidProfilingConfig.
std::optional<Settings> read_settings(const std::string& section);

/// Parses a size such as "200MB"; MB is the only unit. Throws kInvalidParam.
std::uint64_t read_size(const std::string& text);
/// Checks the sampling frequency of memory bandwidth, which only an NPU has. Returns whether to ignore the option: true
/// in lenient mode, false in strict mode. Throws kInvalidParam for anything but a number from 1 to 100.
bool accepts_frequency(const std::string& text);

}  // namespace aclvk::runtime::profile
