#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error_code.hpp"
#include "runtime/dump/dump_config.hpp"

namespace aclvk::runtime {

// The dump of operators by CANN's interface (docs/adr/0021): its folder and options come from a configuration file.
// There is one at a time: that of aclInit's configuration, or that of aclmdlInitDump.

// The dump of the program (runtime/process/program_dump.hpp).

/// Throws kDumpAlreadyRun while a dump runs.
void open_program_dump();
/// Throws kDumpNotRun without open_program_dump().
void check_program_dump();
/// Starts to dump, or replaces the configuration of the running dump. Throws kDumpNotRun.
void start_program_dump(const DumpConfig& config);
/// Ends the dump. Tensors of operators that have been launched before are still written. Throws kDumpNotRun.
void close_program_dump();

// For aclInit and aclFinalize.

void start_configured_dump(const std::optional<DumpConfig>& config);
void end_all_dumps();

// Dump of the arguments of operators, without values of tensors. Throw kInvalidParam, kDumpAlreadyRun, kDumpNotRun.

void start_argument_dump(std::uint32_t type, const char* path);
void stop_argument_dump(std::uint32_t type);

/// Values are those of acldumpType.
enum class DumpKind { kBriefException = 1, kNormalException = 2, kDetailedException = 3, kData = 4, kOverflow = 5 };

/// Returns the folder of a kind of dump, or "" when that kind is off.
std::string dump_folder(DumpKind kind);
/// Returns the folder for tensors of failed operators of a device: below dump_path if dump_scene is set, else below
/// ASCEND_WORK_PATH or the current folder.
std::string exception_folder(std::uint32_t device);

}  // namespace aclvk::runtime
