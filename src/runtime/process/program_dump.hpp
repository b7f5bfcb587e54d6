#pragma once

namespace aclvk::runtime {

// aclmdl*Dump. All throw kUninitialized before aclInit.

/// Throws kDumpAlreadyRun while a dump runs.
void init_dump();
/// Starts to dump, or replaces the configuration of the running dump. Throws kDumpNotRun without init_dump().
void set_dump(const char* config_path);
/// Ends the dump. Tensors of operators that have been launched before are still written. Throws kDumpNotRun without
/// init_dump().
void finalize_dump();

}  // namespace aclvk::runtime
