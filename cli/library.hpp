#pragma once

#include <stdexcept>
#include <string>

namespace cli {

/// libaclvk.so, opened when it is asked for: this program also has to tell why it cannot be opened. Devices are used
/// through its C interface, as any program does.
class Library {
 public:
  /// Throws std::runtime_error with the sentence of the loader.
  Library();

  template <typename Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(address(name));
  }

  /// Throws std::runtime_error with the library's sentence when the code is none of success.
  void check(int code, const char* what) const;

 private:
  void* address(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace cli

/// A function of the interface, with its public prototype: CLI_FIND(library, aclrtSetDevice)(0).
#define CLI_FIND(library, function) (library).find<decltype(function)>(#function)
/// Calls it, and throws when it fails: CLI_CHECK(library, aclrtSetDevice, 0).
#define CLI_CHECK(library, function, ...) (library).check(CLI_FIND(library, function)(__VA_ARGS__), #function)
