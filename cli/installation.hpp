#pragma once

#include <filesystem>
#include <string>

namespace cli {

/// The installation that this program belongs to, or the build folder: what is above its bin/.
const std::filesystem::path& home();

std::filesystem::path library_file();
/// Operators that the library does not have, for programs that call them (cli/CMakeLists.txt).
std::filesystem::path stand_ins_file();
/// The interface and what is known about it, made by tools/gen_interface.py.
std::filesystem::path interface_file();

/// An environment variable; empty when it is not set.
std::string environment_variable(const char* name);

}  // namespace cli
