#pragma once

#include <cstdint>
#include <map>

#include "base/at_fork_lock.hpp"
#include "base/mutex.hpp"

namespace aclvk::comm {

/// Memory that a program has registered with a communicator. Registration saves copies through a window on Ascend
/// hardware; here kernels and copies can access all memory, so the ranges serve only to detect wrong calls. Thread
/// safe.
class MemoryRanges {
 public:
  /// Registers a range. Throws HCCL_E_PARA for 0 bytes and for a base that is set already.
  void set(std::uintptr_t base, std::uint64_t bytes);
  /// Removes a range. Throws HCCL_E_PARA for a base that is not set.
  void unset(std::uintptr_t base);
  /// Throws HCCL_E_PARA unless the bytes are inside a registered range.
  void activate(std::uintptr_t address, std::uint64_t bytes);
  /// Throws HCCL_E_PARA for an address that has not been activated.
  void deactivate(std::uintptr_t address);

  /// Returns a handle for the bytes, never NULL (HcclCommRegister).
  void* add_window(std::uintptr_t address, std::uint64_t bytes);
  /// Throw HCCL_E_PARA for a handle that add_window() has not returned, or that has been removed.
  void remove_window(const void* window);
  void check_window(const void* window) const;

 private:
  mutable Mutex mutex_;
  AtForkLock held_{mutex_};
  std::map<std::uintptr_t, std::uint64_t> ranges_ GUARDED_BY(mutex_);   // bytes by base address
  std::map<std::uintptr_t, std::uint64_t> active_ GUARDED_BY(mutex_);   // bytes by address
  std::map<std::uintptr_t, std::uint64_t> windows_ GUARDED_BY(mutex_);  // bytes by handle
  std::uintptr_t next_window_ GUARDED_BY(mutex_) = 1;
};

}  // namespace aclvk::comm
