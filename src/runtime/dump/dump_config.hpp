#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/dump/dump_target.hpp"

namespace aclvk::runtime {

/// The "dump" section of a configuration file.
struct DumpConfig {
  std::string path;        ///< dump_path
  bool operators = false;  ///< true when dump_op_switch or dump_debug is on
  DumpOptions options;
  std::string scene;  ///< dump_scene: the kind of dump for failed operators; "" when it is missing
};

/// Throws kInvalidDumpConfig for a member with an invalid value. Ignores unknown members.
DumpConfig read_dump_config(const nlohmann::json& section);

}  // namespace aclvk::runtime
