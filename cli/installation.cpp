#include "installation.hpp"

#include <cstdlib>

namespace cli {

const std::filesystem::path& home() {
  static const std::filesystem::path home = std::filesystem::canonical("/proc/self/exe").parent_path().parent_path();
  return home;
}

std::filesystem::path library_file() { return home() / "lib64" / "libaclvk.so"; }
std::filesystem::path stand_ins_file() { return home() / "lib64" / "libaclvk_stand_ins.so"; }
std::filesystem::path interface_file() { return home() / "share" / "aclvk" / "interface.json"; }

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace cli
