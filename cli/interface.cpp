#include "interface.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>

#include "installation.hpp"
#include "spelling.hpp"

namespace cli {
namespace {

const std::string kFirstPhase = "GetWorkspaceSize";

nlohmann::json read_interface() {
  std::ifstream file(interface_file());
  if (!file) throw std::runtime_error(interface_file().string() + " cannot be read; is the installation whole?");
  return nlohmann::json::parse(file);
}

ElfFile read_library() {
  auto library = read_elf(library_file());
  if (!library) throw std::runtime_error(library_file().string() + " is no library.");
  return std::move(*library);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::string without_phase(const std::string& name) {
  const bool first = name.size() > kFirstPhase.size() &&
                     name.compare(name.size() - kFirstPhase.size(), kFirstPhase.size(), kFirstPhase) == 0;
  return first ? name.substr(0, name.size() - kFirstPhase.size()) : name;
}

Interface::Interface() : data_(read_interface()), library_(read_library()) {}

// The library exports a weak definition of each function that is not built (tools/gen_stubs.py), and none of an
// operator.
State Interface::state(const std::string& name) const {
  const nlohmann::json& known = entry(name);
  if (known.is_null()) return State::kUnknown;
  const auto symbol = library_.defined.find(is_operator(name) ? name + kFirstPhase : name);
  if (symbol == library_.defined.end() || symbol->second == Binding::kWeak) return State::kNotBuilt;
  return known.value("refused", false) ? State::kRefused : State::kBuilt;
}

const nlohmann::json& Interface::entry(const std::string& name) const {
  static const nlohmann::json none;
  if (operators().contains(name)) return operators()[name];
  return functions().contains(name) ? functions()[name] : none;
}

std::string Interface::resolve(const std::string& name) const {
  for (const std::string& tried : {name, without_phase(name), "aclnn" + name, "aclrt" + name, "acl" + name}) {
    if (!entry(tried).is_null()) return tried;
  }
  for (const auto* names : {&operators(), &functions()}) {
    for (const auto& [known, unused] : names->items()) {
      if (lower(known) == lower(name) || lower(known) == "aclnn" + lower(name)) return known;
    }
  }
  return name;
}

std::vector<std::string> Interface::suggestions(const std::string& text) const {
  std::vector<std::string> found;
  for (const auto* names : {&operators(), &functions()}) {
    for (const auto& [known, unused] : names->items()) {
      if (lower(known).find(lower(text)) != std::string::npos) found.push_back(known);
    }
  }
  if (!found.empty()) return found;
  std::vector<std::string> all;
  for (const auto* names : {&operators(), &functions()}) {
    for (const auto& [known, unused] : names->items()) all.push_back(known);
  }
  return nearest(lower(without_phase(text)), all);
}

}  // namespace cli
