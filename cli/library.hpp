#pragma once

#include <stdexcept>
#include <string>

namespace cli {

/// libaclvk.so, loaded at run time: this program also diagnoses why it cannot be loaded. Calls go through the C
/// interface, as in any program.
class Library {
 public:
  /// Throws std::runtime_error with the dynamic linker's message.
  Library();

  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }

  /// Throws std::runtime_error with the library's message unless the code is ACL_SUCCESS.
  void check(int code, const char* what) const;

 private:
  void* address(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace cli

/// Looks up a function with its public prototype: CLI_FIND(library, aclrtSetDevice)(0).
#define CLI_FIND(library, function) (library).find<decltype(function)>(#function)
/// Calls a function and throws when it fails: CLI_CHECK(library, aclrtSetDevice, 0).
#define CLI_CHECK(library, function, ...) (library).check(CLI_FIND(library, function)(__VA_ARGS__), #function)
