#include "runtime/kernel/binary.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/kernel/custom_function.hpp"

namespace aclvk::runtime {
namespace {

// Stays true; while it is false, failures need no look-up of their binary.
using AnyListener = ProcessValue<bool, false, StateId::kBinaryListener>;

bool ends_with_number(const std::string& name, std::uint64_t number) {
  const std::string suffix = "_" + std::to_string(number);
  return name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace

// Makes the function at the first request for its handle.
void* Binary::handle_of(std::size_t index) {
  const LockGuard lock(mutex_);
  check(!retired_, Code::kInvalidHandle, "Binary ({}) is being unloaded.", handle);
  void*& known = functions_[index];
  if (!known) {
    const auto made = std::make_shared<CustomFunction>(kernels_[index], *device_, handle);
    known = function_handles().insert(made);
    made->handle = known;
  }
  return known;
}

void* Binary::function(const std::string& name) {
  std::string names;
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const std::string& own = kernels_[i]->interface().name;
    if (own == name) return handle_of(i);
    names += (names.empty() ? "" : ", ") + own;
  }
  fail(Code::kParamInvalid, "The binary has no kernel {}; it has {}.", name, names);
}

void* Binary::function(std::uint64_t number) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (ends_with_number(kernels_[i]->interface().name, number)) return handle_of(i);
  }
  check(number < kernels_.size(), Code::kParamInvalid,
        "The binary has no kernel whose name ends with _{}, and {} kernels, so none at that place.", number,
        kernels_.size());
  return handle_of(number);
}

void Binary::retire() {
  const LockGuard lock(mutex_);
  retired_ = true;
  for (const auto& [index, function] : functions_) function_handles().remove(function);
  functions_.clear();
}

void Binary::set_failure_listener(KernelFailureListener listener, void* user) {
  const LockGuard lock(mutex_);
  failure_listener_ = listener;
  failure_user_ = user;
  AnyListener::set(true);
}

// Runs without the lock, because the listener may set another one.
void Binary::notify_failure(FailedTask& failed) {
  UniqueLock lock(mutex_);
  const auto listener = failure_listener_;
  void* const user = failure_user_;
  lock.unlock();
  if (listener) listener(&failed, user);
}

bool binaries_have_failure_listener() { return AnyListener::get(); }

BinaryPtr binary_of_function(const void* function) {
  const auto found = function ? function_handles().find(function) : nullptr;
  const auto* custom = dynamic_cast<const CustomFunction*>(found.get());
  return custom ? binary_handles().find(custom->binary) : nullptr;
}

BinaryHandles& binary_handles() { return ProcessState<BinaryHandles, StateId::kBinaryHandles>::get(); }

BinaryBytesHandles& binary_bytes_handles() {
  return ProcessState<BinaryBytesHandles, StateId::kBinaryBytesHandles>::get();
}

void check_options(const std::vector<BinaryOption>& options) {
  enum Type { kLazy = 1, kMagic = 2, kProcessorMode = 3 };
  constexpr std::uint32_t kMagics[] = {1129660997, 1094799942, 1095320387};  // ACL_RT_BINARY_MAGIC_*
  for (const BinaryOption& option : options) {
    switch (option.type) {
      case kLazy:
        check(option.value <= 1, Code::kParamInvalid, "Load option LAZY_LOAD is {}; expected 0 or 1.", option.value);
        break;
      case kMagic:
        check(std::find(std::begin(kMagics), std::end(kMagics), option.value) != std::end(kMagics), Code::kParamInvalid,
              "Load option MAGIC is {}; {}, {} or {} is expected.", option.value, kMagics[0], kMagics[1], kMagics[2]);
        break;
      case kProcessorMode:
        check(option.value <= 2, Code::kParamInvalid, "Load option CPU_KERNEL_MODE is {}; expected 0 to 2.",
              option.value);
        fail(Code::kFeatureNotSupported,
             "Load option CPU_KERNEL_MODE asks for kernels of the device's own processor; a Vulkan device has none.");
      default: fail(Code::kParamInvalid, "Load option {} is unknown; expected 1 to 3.", option.type);
    }
  }
}

void unload_binary(const void* handle) {
  const BinaryPtr binary = binary_handles().remove(handle);
  check(binary != nullptr, Code::kInvalidHandle, "binHandle ({}) is not a live binary.", handle);
  binary->retire();
}

}  // namespace aclvk::runtime
