#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cli {

enum class Binding { kStrong, kWeak };

/// The dynamic linking information of a 64-bit ELF program or library.
struct ElfFile {
  std::vector<std::string> needed;         ///< DT_NEEDED: names of libraries
  std::map<std::string, Binding> defined;  ///< exported symbols
  std::set<std::string> undefined;         ///< imported symbols, without weak ones, which may stay undefined
};

/// Returns nothing for a file of another format, such as a script. Throws std::runtime_error for a truncated or
/// unreadable file.
std::optional<ElfFile> read_elf(const std::filesystem::path& path);

}  // namespace cli
