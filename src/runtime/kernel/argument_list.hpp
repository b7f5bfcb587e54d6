#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/handle.hpp"
#include "base/mutex.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::runtime {

/// An aclrtArgsHandle: the arguments of a kernel, which a program appends one by one. Owns copies of their bytes.
/// Thread safe.
class ArgumentList : public std::enable_shared_from_this<ArgumentList> {
 public:
  static constexpr std::size_t kMaxParameters = 128;

  /// Keeps arguments and placeholder buffers in `bytes` bytes of the program's `memory`. Allocates by itself where
  /// `memory` is null.
  explicit ArgumentList(std::byte* memory = nullptr, std::size_t bytes = SIZE_MAX)
      : memory_(memory), capacity_(bytes) {}
  ~ArgumentList();
  ArgumentList(const ArgumentList&) = delete;
  ArgumentList& operator=(const ArgumentList&) = delete;

  /// Empties and reopens the list. Handles of its parameters become stale.
  void restart();

  // Both return the handle of the new parameter. Throw kFeatureNotSupported once the list has been finalised or has a
  // placeholder buffer.

  void* append(const void* value, std::size_t bytes);
  void* append_placeholder();
  /// Returns host memory for the program to fill. Each launch copies it, and the placeholder becomes the device address
  /// of the copy.
  void* placeholder_buffer(std::size_t index, std::size_t bytes);
  /// Replaces an argument. Throws kParamInvalid for another size. Requires finalize() before the next launch.
  void update(std::size_t index, const void* value, std::size_t bytes);
  void finalize();

  /// Lays the arguments out as the kernel takes them: parameter i at its offset, surplus arguments in 8-byte slots
  /// after the last parameter, placeholder buffers at the end. Throws kParamInvalid when the list is not final or does
  /// not fit the kernel.
  KernelArguments arguments_for(const Function& function) const;

 private:
  struct Entry {
    std::byte* value = nullptr;  // the buffer of a placeholder; null until the program asks for it
    std::size_t bytes = 0;
    bool placeholder = false;
    void* handle = nullptr;
  };

  void clear() REQUIRES(mutex_);
  void check_open(const char* what) const REQUIRES(mutex_);
  void* add(Entry entry) REQUIRES(mutex_);
  std::byte* allocate(std::size_t bytes) REQUIRES(mutex_);
  Entry& entry_at(std::size_t index) REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::byte* const memory_;
  const std::size_t capacity_;
  std::size_t used_ GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<std::byte[]>> own_ GUARDED_BY(mutex_);
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  bool has_buffer_ GUARDED_BY(mutex_) = false;
  bool closed_ GUARDED_BY(mutex_) = false;  // true from the first finalize() on
  bool final_ GUARDED_BY(mutex_) = false;
};

/// An aclrtParamHandle: a position in a list.
struct ArgumentParameter {
  std::weak_ptr<ArgumentList> list;
  std::size_t index = 0;
};

using ArgumentListPtr = std::shared_ptr<ArgumentList>;
using ArgumentListHandles = HandleTable<ArgumentList, HandleTag::kKernelArguments>;
using ArgumentParameterHandles = HandleTable<const ArgumentParameter, HandleTag::kKernelParameter>;
ArgumentParameterHandles& argument_parameter_handles();

/// Empties the calling thread's list and returns its handle.
void* start_argument_list();
/// Starts a list whose handle is an address of the program, and which keeps its arguments in the program's `memory`.
void start_argument_list(void* handle, void* memory, std::size_t bytes);
// Sizes that aclrtKernelArgsGetHandleMemSize and aclrtKernelArgsGetMemSize report for these two memories.

std::size_t argument_handle_bytes();
std::size_t argument_memory_bytes(std::size_t arguments);
/// Returns the list of a handle, or null.
ArgumentListPtr find_argument_list(const void* handle);

}  // namespace aclvk::runtime
