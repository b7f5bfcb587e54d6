#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace aclvk::runtime::profile {

/// What the "profiler" section of aclInit's configuration asks for.
struct Settings {
  std::string folder;
  std::uint32_t categories = 0;  ///< a sum of Category
};

/// Reads and checks the section; none when it is switched off. Throws kInvalidProfilingConfig.
std::optional<Settings> read_settings(const std::string& section);

/// Bytes of a size such as "200MB", the only unit. Throws kInvalidParam.
std::uint64_t read_size(const std::string& text);
/// A frequency at which a board would sample its memory's bandwidth: in lenient mode programs go on without the
/// samples, which no trace has; false in strict mode. Throws kInvalidParam for what is no number from 1 to 100.
bool accepts_frequency(const std::string& text);

}  // namespace aclvk::runtime::profile
