#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "elf_file.hpp"

namespace cli {

enum class State {
  kBuilt,
  kRefused,   ///< exported; answers 207000 because no Vulkan device can have it
  kNotBuilt,  ///< exported, or declared if it is an operator; answers 207000
  kUnknown,   ///< in no table of the interface
};

/// The functions and operators of ACL, and which of them the library beside this program has.
class Interface {
 public:
  /// Throws std::runtime_error when the file or the library cannot be read.
  Interface();

  State state(const std::string& name) const;
  /// What is known about a function or operator; null for an unknown one.
  const nlohmann::json& entry(const std::string& name) const;
  const nlohmann::json& functions() const { return data_["functions"]; }
  const nlohmann::json& operators() const { return data_["operators"]; }
  const nlohmann::json& about() const { return data_["about"]; }
  bool is_operator(const std::string& name) const { return operators().contains(name); }
  bool exports(const std::string& symbol) const { return library_.defined.count(symbol) > 0; }

  /// The name of the interface that a user means: "Add" and "aclnnAddGetWorkspaceSize" are aclnnAdd.
  std::string resolve(const std::string& name) const;
  /// Names that contain the text, in any case; where there are none, those that differ from it by a slip or two.
  std::vector<std::string> suggestions(const std::string& text) const;

 private:
  nlohmann::json data_;
  ElfFile library_;
};

/// The name of an operator without the ending of its first phase.
std::string without_phase(const std::string& name);

}  // namespace cli
