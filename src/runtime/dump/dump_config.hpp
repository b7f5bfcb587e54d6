#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/dump/dump_target.hpp"

namespace aclvk::runtime {

/// The "dump" section of a configuration file.
struct DumpConfig {
  std::string path;        ///< dump_path
  bool operators = false;  ///< something is recorded: dump_op_switch or dump_debug is on
  DumpOptions options;
  std::string scene;  ///< dump_scene: what is kept of failed operators; "" when nothing is said
};

/// Throws kInvalidDumpConfig for a member that is not what it can be. Unknown members are ignored.
DumpConfig read_dump_config(const nlohmann::json& section);

}  // namespace aclvk::runtime
