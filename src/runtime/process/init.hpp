#pragma once

#include <cstddef>
#include <cstdint>

namespace aclvk::runtime {

// aclInit and aclFinalize: a reference count, the configuration file, and callbacks of the program (runtime-semantics
// 1). Apart from these only the calls of the dump require aclInit. Thread safe.

/// Throws kRepeatInitialize after the first call, but counts the reference.
void init(const char* config_path);
/// Drops all references. Devices stay set. Throws kRepeatFinalize the second time.
void finalize();
/// Drops one reference. The last one finalizes. Stores the new count, also when it throws kRepeatFinalize.
void finalize_reference(std::uint64_t* left);

/// Returns whether a reference of aclInit is left.
bool initialized();

/// Returns the scope of aclGetRecentErrMsg: true for the process, false for the calling thread.
bool messages_per_process();

// Callbacks, by the values of aclRegisterCallbackType. They return an aclError.

using InitCallback = int (*)(const char* config, std::size_t bytes, void* user);
using FinalizeCallback = int (*)(void* user);

// Throw kInvalidParam for a null function, kInternalError for a second one of a type that takes one.

/// After aclInit, also calls the function at once.
void add_init_callback(int type, InitCallback callback, void* user);
void add_finalize_callback(int type, FinalizeCallback callback, void* user);
// Throw kInternalError for a function that is not registered.

void remove_init_callback(int type, InitCallback callback);
void remove_finalize_callback(int type, FinalizeCallback callback);

}  // namespace aclvk::runtime
