#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/handle.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::runtime {

/// An aclrtArgsHandle: the arguments of a kernel, given one by one. Thread safe.
class ArgumentList : public std::enable_shared_from_this<ArgumentList> {
 public:
  static constexpr std::size_t kMaxParameters = 128;

  /// At most so many bytes of arguments and placeholder buffers, in memory of the program; without it in our own.
  explicit ArgumentList(std::byte* memory = nullptr, std::size_t bytes = SIZE_MAX)
      : memory_(memory), capacity_(bytes) {}
  ~ArgumentList();
  ArgumentList(const ArgumentList&) = delete;
  ArgumentList& operator=(const ArgumentList&) = delete;

  /// Makes it empty and open again; the handles of its parameters are stale then.
  void restart();

  /// Both return the parameter's handle. kFeatureNotSupported once the list is final or has a placeholder buffer.
  void* append(const void* value, std::size_t bytes);
  void* append_placeholder();
  /// Host memory that is copied at each launch; the placeholder becomes its device address.
  void* placeholder_buffer(std::size_t index, std::size_t bytes);
  /// kParamInvalid when the size differs. finalize() has to follow.
  void update(std::size_t index, const void* value, std::size_t bytes);
  void finalize();

  /// As the kernel takes them: parameter i at its place, what is more than it knows in slots of 8 bytes behind, the
  /// buffers of placeholders at the end. kParamInvalid when the list is not final or does not fit the kernel.
  KernelArguments arguments_for(const Function& function) const;

 private:
  struct Entry {
    std::byte* value = nullptr;  // of a placeholder: its buffer, null before it is asked for
    std::size_t bytes = 0;
    bool placeholder = false;
    void* handle = nullptr;
  };

  void clear();
  void check_open(const char* what) const;
  void* add(Entry entry);
  std::byte* allocate(std::size_t bytes);
  Entry& entry_at(std::size_t index);

  mutable std::mutex mutex_;
  std::byte* const memory_;
  const std::size_t capacity_;
  std::size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> own_;
  std::vector<Entry> entries_;
  bool has_buffer_ = false;
  bool closed_ = false;  // has been final once
  bool final_ = false;
};

/// An aclrtParamHandle.
struct ArgumentParameter {
  std::weak_ptr<ArgumentList> list;
  std::size_t index = 0;
};

using ArgumentListPtr = std::shared_ptr<ArgumentList>;
using ArgumentListHandles = HandleTable<ArgumentList, HandleTag::kKernelArguments>;
using ArgumentParameterHandles = HandleTable<const ArgumentParameter, HandleTag::kKernelParameter>;
ArgumentParameterHandles& argument_parameter_handles();

/// The handle of the calling thread's list, which is empty then.
void* start_argument_list();
/// A list whose handle is memory of the program, and which keeps its arguments in other memory of the program.
void start_argument_list(void* handle, void* memory, std::size_t bytes);
/// What the two numbers of bytes of a program's memory are.
std::size_t argument_handle_bytes();
std::size_t argument_memory_bytes(std::size_t arguments);
/// The list of a handle, or null.
ArgumentListPtr find_argument_list(const void* handle);

}  // namespace aclvk::runtime
