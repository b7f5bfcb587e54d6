#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "base/at_fork_lock.hpp"

namespace aclvk::comm {

/// Memory that a program has announced to a communicator. On a board that saves copies through a window; here kernels
/// and copies reach all memory, so the ranges are only kept to tell a wrong call. Thread safe.
class MemoryRanges {
 public:
  /// HCCL_E_PARA for no bytes and for a base that is set already.
  void set(std::uintptr_t base, std::uint64_t bytes);
  /// HCCL_E_PARA for a base that is not set.
  void unset(std::uintptr_t base);
  /// HCCL_E_PARA unless the bytes lie in a range that is set.
  void activate(std::uintptr_t address, std::uint64_t bytes);
  /// HCCL_E_PARA for an address that has not been activated.
  void deactivate(std::uintptr_t address);

  /// A handle for the bytes, never NULL.
  void* add_window(std::uintptr_t address, std::uint64_t bytes);
  /// HCCL_E_PARA for a handle that add_window has not given.
  void remove_window(const void* window);
  void check_window(const void* window) const;

 private:
  mutable std::mutex mutex_;
  AtForkLock held_{mutex_};
  std::map<std::uintptr_t, std::uint64_t> ranges_;
  std::map<std::uintptr_t, std::uint64_t> active_;
  std::map<std::uintptr_t, std::uint64_t> windows_;  // by handle
  std::uintptr_t next_window_ = 1;
};

}  // namespace aclvk::comm
