#pragma once

#include <cstddef>
#include <cstdint>

namespace aclvk::runtime {

// aclInit and aclFinalize: a reference count, the configuration file and the functions that want to hear of both
// (runtime-semantics 1). Of all other calls only those of the dump ask whether aclInit ran.

/// Throws kRepeatInitialize when initialised already, and counts all the same.
void init(const char* config_path);
/// Ends all references at once; devices stay set. Throws kRepeatFinalize the second time.
void finalize();
/// Drops one reference, and finalizes with the last. Stores the new count, also when it throws kRepeatFinalize.
void finalize_reference(std::uint64_t* left);

/// aclInit has been called, and not taken back.
bool initialized();

/// The scope of aclGetRecentErrMsg: the process, or the calling thread.
bool messages_per_process();

// Public types: the values of aclRegisterCallbackType, and functions that return an aclError.

using InitCallback = int (*)(const char* config, std::size_t bytes, void* user);
using FinalizeCallback = int (*)(void* user);

/// Throw kInvalidParam for a null function, kInternalError for a second one of a type that takes one. A function
/// registered after aclInit is called at once.
void add_init_callback(int type, InitCallback callback, void* user);
void add_finalize_callback(int type, FinalizeCallback callback, void* user);
/// Throw kInternalError for an unknown one.
void remove_init_callback(int type, InitCallback callback);
void remove_finalize_callback(int type, FinalizeCallback callback);

}  // namespace aclvk::runtime
