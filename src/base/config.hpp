#pragma once

#include <string>

namespace aclvk {

/// The settings of the process, read once from the environment; config.def lists them.
struct Config {
  using Bool = bool;
  using Int = long;
  using Text = std::string;
#define OPTION(member, type, name, fallback, sentence) type member;
#include "base/config.def"
#undef OPTION

  std::string first_error;  ///< the message about the first invalid setting; empty when all are valid

  /// Returns whether ACLVK_COMPATIBILITY is "strict".
  bool strict() const { return compatibility == "strict"; }
};

/// Returns the settings; the first call reads the environment.
const Config& config();

/// Throws kInvalidParam when a setting has an invalid value.
void check_settings();

/// Reads the environment again. For tests, which run both compatibility modes in one process.
void reload_config();

}  // namespace aclvk
