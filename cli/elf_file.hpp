#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cli {

enum class Binding { kStrong, kWeak };

/// What the dynamic linker sees of a program or library of this machine's word size.
struct ElfFile {
  std::vector<std::string> needed;         ///< libraries
  std::map<std::string, Binding> defined;  ///< symbols that others can use
  std::set<std::string> undefined;         ///< symbols that others have to have; weak ones need not be found
};

/// Nothing for a file of another format, such as a script. Throws std::runtime_error for a broken or unreadable one.
std::optional<ElfFile> read_elf(const std::filesystem::path& path);

}  // namespace cli
