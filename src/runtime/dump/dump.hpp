#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error_code.hpp"
#include "runtime/dump/dump_config.hpp"

namespace aclvk::runtime {

// The dump of operators as programs of CANN ask for it: a recording whose folder and options come from a configuration
// file. There is one at a time: that of aclInit, or that of aclmdlInitDump.

// The functions of aclmdl*Dump throw kUninitialized before aclInit.

/// Throws kDumpAlreadyRun while there is one.
void init_dump();
/// Starts to record, or goes on as another file says. Throws kDumpNotRun without init_dump.
void set_dump(const char* config_path);
/// What was launched before is still written. Throws kDumpNotRun without init_dump.
void finalize_dump();

/// For aclInit and aclFinalize.
void start_configured_dump(const std::optional<DumpConfig>& config);
void end_all_dumps();

/// Records the arguments of operators without values. Throw kInvalidParam, kDumpAlreadyRun, kDumpNotRun.
void start_argument_dump(std::uint32_t type, const char* path);
void stop_argument_dump(std::uint32_t type);

/// Values are those of acldumpType.
enum class DumpKind { kBriefException = 1, kNormalException = 2, kDetailedException = 3, kData = 4, kOverflow = 5 };

/// The folder, or "" when this kind is not asked for.
std::string dump_folder(DumpKind kind);
/// Where tensors of failed operators of a device are kept: below dump_path if dump_scene is set, else below
/// ASCEND_WORK_PATH or the current folder.
std::string exception_folder(std::uint32_t device);

}  // namespace aclvk::runtime
