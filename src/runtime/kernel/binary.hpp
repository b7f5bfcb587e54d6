#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/handle.hpp"
#include "runtime/context.hpp"
#include "vk_device/custom_kernel.hpp"

namespace aclvk::runtime {

struct FailedTask;
using KernelFailureListener = void (*)(FailedTask* task, void* user);

/// An aclrtBinHandle: the kernels of a SPIR-V module, loaded on a device. Thread safe.
class Binary {
 public:
  Binary(std::vector<std::shared_ptr<const vk::CustomKernel>> kernels, std::shared_ptr<Device> device)
      : kernels_(std::move(kernels)), device_(std::move(device)) {}

  /// The public handle, once registered.
  void* handle = nullptr;

  /// The handle of the function of this name; the same each time. kParamInvalid.
  void* function(const std::string& name);
  /// The same by number: of the kernel whose name ends with "_<number>", else of the one at this place of the module.
  void* function(std::uint64_t number);
  /// Who is told about failures of its kernels, in place of who was before.
  void set_failure_listener(KernelFailureListener listener, void* user);
  void notify_failure(FailedTask& failed);
  /// Its functions have no handles from now on. Tasks that were launched with them go on.
  void retire();

 private:
  void* handle_of(std::size_t index);

  const std::vector<std::shared_ptr<const vk::CustomKernel>> kernels_;
  const std::shared_ptr<Device> device_;
  std::mutex mutex_;
  bool retired_ = false;
  std::map<std::size_t, void*> functions_;
  KernelFailureListener failure_listener_ = nullptr;
  void* failure_user_ = nullptr;
};

using BinaryPtr = std::shared_ptr<Binary>;
using BinaryHandles = HandleTable<Binary, HandleTag::kBinary>;
BinaryHandles& binary_handles();
/// The live binary of an aclrtFuncHandle; null for a stale handle and for kernels of the library.
BinaryPtr binary_of_function(const void* function);
/// Whether any binary ever had a listener.
bool binaries_have_failure_listener();

/// aclrtBinary: bytes of a program, which it keeps.
struct BinaryBytes {
  const void* data = nullptr;
  std::size_t size = 0;
};
using BinaryBytesHandles = HandleTable<const BinaryBytes, HandleTag::kBinaryBytes>;
BinaryBytesHandles& binary_bytes_handles();

/// aclrtBinaryLoadOption, with the first word of its value.
struct BinaryOption {
  int type = 0;
  std::uint32_t value = 0;
};
/// Throws kParamInvalid for an unknown option or value, kFeatureNotSupported for kernels of the device's processor.
void check_options(const std::vector<BinaryOption>& options);

/// Loads SPIR-V, or GLSL, which is compiled, in the current context. Throws kParamInvalid for anything else.
void* load_binary(const void* data, std::size_t size, const std::string& name);
void* load_binary_file(const std::string& path);
/// Throws kInvalidHandle.
void unload_binary(const void* handle);

}  // namespace aclvk::runtime
