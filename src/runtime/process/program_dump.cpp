#include "runtime/process/program_dump.hpp"

#include "base/error.hpp"
#include "runtime/dump/dump.hpp"
#include "runtime/process/config_file.hpp"
#include "runtime/process/init.hpp"

namespace aclvk::runtime {
namespace {

void check_initialized() { check(initialized(), Code::kUninitialized, "aclInit has not been called."); }

}  // namespace

void init_dump() {
  check_initialized();
  open_program_dump();
}

// The order of the checks is that of docs/adr/0011: aclInit, NULL, the state of the dump.
void set_dump(const char* config_path) {
  check_initialized();
  check(config_path != nullptr, Code::kInvalidParam, "dumpCfgPath is NULL.");
  check_program_dump();
  const auto config = read_config_file(config_path).dump;
  check(config.has_value(), Code::kInvalidDumpConfig, "Configuration file \"{}\" has no dump section.", config_path);
  start_program_dump(*config);
}

void finalize_dump() {
  check_initialized();
  close_program_dump();
}

}  // namespace aclvk::runtime
