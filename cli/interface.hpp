#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elf_file.hpp"

namespace cli {

enum class State {
  kBuilt,
  kRefused,   ///< exported; returns 207000, because no Vulkan device supports it
  kNotBuilt,  ///< returns 207000: exported if it is a function, only declared if it is an operator
  kUnknown,   ///< not part of the interface
};

/// The functions and operators of ACL, and which of them the library beside this program implements.
class Interface {
 public:
  /// Throws std::runtime_error when interface.json or the library cannot be read.
  Interface();

  State state(const std::string& name) const;
  /// Returns the entry of a function or an operator in interface.json; null for an unknown one.
  const nlohmann::json& entry(const std::string& name) const;
  const nlohmann::json& functions() const { return data_["functions"]; }
  const nlohmann::json& operators() const { return data_["operators"]; }
  const nlohmann::json& about() const { return data_["about"]; }
  bool is_operator(const std::string& name) const { return operators().contains(name); }
  bool exports(const std::string& symbol) const { return library_.defined.count(symbol) > 0; }

  /// Returns the full name for a user's abbreviation: aclnnAdd for "Add" and "aclnnAddGetWorkspaceSize".
  std::string resolve(const std::string& name) const;
  /// Returns the names that contain the text, ignoring case. If there are none, returns similar names (spelling.hpp).
  std::vector<std::string> suggestions(const std::string& text) const;

 private:
  nlohmann::json data_;
  ElfFile library_;
};

/// Returns an operator's name without the suffix "GetWorkspaceSize".
std::string without_phase(const std::string& name);

}  // namespace cli
