#pragma once

#include <string>

namespace aclvk {

/// The settings of this process, read once from the environment. See config.def for names and meaning.
struct Config {
  using Bool = bool;
  using Int = long;
  using Text = std::string;
#define OPTION(member, type, name, fallback, sentence) type member;
#include "base/config.def"
#undef OPTION

  std::string first_error;  ///< the message about the first invalid setting; empty when all are valid

  bool strict() const { return compatibility == "strict"; }
};

/// The settings; the first call reads the environment.
const Config& config();

/// Throws kInvalidParam when a setting has a value that it cannot have; what it should have been is not guessed.
void check_settings();

/// Reads the environment again. For tests, which run both compatibility modes in one process.
void reload_config();

}  // namespace aclvk
