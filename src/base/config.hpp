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

  bool strict() const { return compatibility == "strict"; }
};

/// The settings; the first call reads the environment.
const Config& config();

/// Reads the environment again. For tests, which run both compatibility modes in one process.
void reload_config();

}  // namespace aclvk
