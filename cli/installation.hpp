#pragma once

#include <filesystem>
#include <string>

namespace cli {

/// Returns the installation of this program, or the build folder: the parent folder of its bin/.
const std::filesystem::path& home();

std::filesystem::path library_file();
/// Returns the library with the operators that libaclvk.so does not have, for programs that call them
/// (cli/CMakeLists.txt).
std::filesystem::path stand_ins_file();
/// Returns the description of the interface, written by tools/gen_interface.py.
std::filesystem::path interface_file();

/// Returns an environment variable; empty when it is not set.
std::string environment_variable(const char* name);

}  // namespace cli
