#include "unmet_dependencies.hpp"

#include <unistd.h>

#include <array>
#include <sstream>

#include "installation.hpp"

namespace cli {
namespace {

bool begins_with(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

/// Returns whether a symbol is of CANN's interface. Names that begin with aclvk are of this library alone.
bool is_of_acl(const std::string& symbol) {
  if (begins_with(symbol, "aclvk")) return false;
  return begins_with(symbol, "acl") || begins_with(symbol, "Acl");
}

/// Returns whether a library belongs to a family that programs for CANN link with.
bool is_of_cann(const std::string& library) {
  static const std::array<const char*, 12> families{"libascend",  "libacl",  "libopapi",   "libge_",
                                                    "libgraph",   "libhccl", "libatb",     "libdvpp",
                                                    "libmsprofi", "libnnop", "libruntime", "libmmpa"};
  for (const char* family : families) {
    if (begins_with(library, family)) return true;
  }
  return false;
}

void classify(const Interface& interface, const std::string& symbol, UnmetDependencies& unmet) {
  const std::string name = interface.entry(symbol).is_null() ? without_phase(symbol) : symbol;
  std::vector<std::string>* list = nullptr;
  switch (interface.state(name)) {
    case State::kBuilt: return;
    case State::kRefused: list = &unmet.refused; break;
    case State::kNotBuilt: list = &unmet.not_built; break;
    case State::kUnknown: list = &unmet.unknown; break;
  }
  if (!interface.exports(symbol)) unmet.needs_stand_ins = true;
  if (list->empty() || list->back() != name) list->push_back(name);  // the two phases of an operator are adjacent
}

}  // namespace

std::optional<UnmetDependencies> find_unmet_dependencies(const Interface& interface,
                                                         const std::filesystem::path& program) {
  const auto elf = read_elf(program);
  if (!elf) return std::nullopt;
  UnmetDependencies unmet;
  for (const std::string& symbol : elf->undefined) {
    if (!is_of_acl(symbol)) continue;
    ++unmet.symbols;
    classify(interface, symbol, unmet);
  }
  for (const std::string& library : elf->needed) {
    const bool here =
        std::filesystem::exists(home() / "lib64" / library) || std::filesystem::exists(program.parent_path() / library);
    if (is_of_cann(library) && !here) unmet.missing_libraries.push_back(library);
  }
  return unmet;
}

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return std::filesystem::exists(name) ? name : "";
  std::stringstream folders(environment_variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path file = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file)) return file;
  }
  return {};
}

}  // namespace cli
