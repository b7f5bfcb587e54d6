#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/handle.hpp"
#include "base/mutex.hpp"
#include "runtime/device/device.hpp"
#include "vk_device/pipelines/custom_kernel.hpp"

namespace aclvk::runtime {

struct FailedTask;
using KernelFailureListener = void (*)(FailedTask* task, void* user);

/// An aclrtBinHandle: the kernels of a SPIR-V module, loaded on a device. Owns the handles of its functions. Thread
/// safe.
class Binary {
 public:
  Binary(std::vector<std::shared_ptr<const vk::CustomKernel>> kernels, std::shared_ptr<Device> device)
      : kernels_(std::move(kernels)), device_(std::move(device)) {}

  /// The public handle; null until load_binary() has registered the binary.
  void* handle = nullptr;

  /// Returns the handle of the function of this name, which does not change. Throws kParamInvalid for an unknown name.
  void* function(const std::string& name);
  /// Returns the handle of the kernel whose name ends with "_<number>", else of the kernel at this index of the module.
  void* function(std::uint64_t number);
  /// Replaces the function that is called when one of its kernels fails.
  void set_failure_listener(KernelFailureListener listener, void* user);
  /// Calls the failure listener, without any lock held.
  void notify_failure(FailedTask& failed);
  /// Makes the handles of its functions stale. Tasks that have been launched with them still run.
  void retire();

 private:
  void* handle_of(std::size_t index);

  const std::vector<std::shared_ptr<const vk::CustomKernel>> kernels_;
  const std::shared_ptr<Device> device_;
  Mutex mutex_;
  bool retired_ GUARDED_BY(mutex_) = false;
  std::map<std::size_t, void*> functions_ GUARDED_BY(mutex_);
  KernelFailureListener failure_listener_ GUARDED_BY(mutex_) = nullptr;
  void* failure_user_ GUARDED_BY(mutex_) = nullptr;
};

using BinaryPtr = std::shared_ptr<Binary>;
using BinaryHandles = HandleTable<Binary, HandleTag::kBinary>;
BinaryHandles& binary_handles();
/// Returns the live binary of an aclrtFuncHandle; null for a stale handle and for kernels of the library.
BinaryPtr binary_of_function(const void* function);
/// Returns whether any binary has ever had a failure listener.
bool binaries_have_failure_listener();

/// aclrtBinary: a reference to bytes that the program owns.
struct BinaryBytes {
  const void* data = nullptr;
  std::size_t size = 0;
};
using BinaryBytesHandles = HandleTable<const BinaryBytes, HandleTag::kBinaryBytes>;
BinaryBytesHandles& binary_bytes_handles();

/// aclrtBinaryLoadOption, reduced to the first word of its value.
struct BinaryOption {
  int type = 0;
  std::uint32_t value = 0;
};
/// Throws kParamInvalid for an unknown option or value, kFeatureNotSupported for kernels that run on the NPU's own CPU.
void check_options(const std::vector<BinaryOption>& options);

/// Throws kInvalidHandle for a handle that is not live.
void unload_binary(const void* handle);

}  // namespace aclvk::runtime
