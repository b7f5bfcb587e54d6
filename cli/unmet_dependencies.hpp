#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "interface.hpp"

namespace cli {

/// What a program or library wants of ACL and does not get here.
struct UnmetDependencies {
  std::size_t symbols = 0;             ///< functions of ACL that it names
  std::vector<std::string> not_built;  ///< known ones: functions that answer 207000, operators that are not exported
  std::vector<std::string> refused;    ///< known ones that no Vulkan device can have
  std::vector<std::string> unknown;    ///< in no table
  std::vector<std::string> missing_libraries;  ///< libraries of CANN that nothing stands for
  bool needs_stand_ins = false;                ///< the loader refuses it without the stand-ins

  bool empty() const { return not_built.empty() && refused.empty() && unknown.empty() && missing_libraries.empty(); }
};

/// Nothing for what is no program of this machine, such as a script.
std::optional<UnmetDependencies> find_unmet_dependencies(const Interface& interface,
                                                         const std::filesystem::path& program);

/// The file that a shell would run; empty when there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace cli
