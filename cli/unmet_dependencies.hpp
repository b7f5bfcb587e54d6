#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "interface.hpp"

namespace cli {

/// The parts of ACL that a program or a library needs and this installation does not provide.
struct UnmetDependencies {
  std::size_t symbols = 0;                     ///< functions of ACL that it imports
  std::vector<std::string> not_built;          ///< known functions and operators that are not implemented
  std::vector<std::string> refused;            ///< known ones that no Vulkan device supports
  std::vector<std::string> unknown;            ///< not part of the interface
  std::vector<std::string> missing_libraries;  ///< libraries of CANN without a replacement here
  bool needs_stand_ins = false;                ///< the dynamic linker refuses it without libaclvk_stand_ins.so

  bool empty() const { return not_built.empty() && refused.empty() && unknown.empty() && missing_libraries.empty(); }
};

/// Returns nothing for a file that is no ELF program or library, such as a script.
std::optional<UnmetDependencies> find_unmet_dependencies(const Interface& interface,
                                                         const std::filesystem::path& program);

/// Returns the file that a shell would run; empty when there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace cli
