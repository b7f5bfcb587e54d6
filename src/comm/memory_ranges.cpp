#include "comm/memory_ranges.hpp"

#include "comm/comm_error.hpp"

namespace aclvk::comm {

void MemoryRanges::set(std::uintptr_t base, std::uint64_t bytes) {
  check(bytes > 0, HCCL_E_PARA, "The range at {:#x} has 0 bytes; at least one is expected.", base);
  const LockGuard lock(mutex_);
  check(ranges_.emplace(base, bytes).second, HCCL_E_PARA, "The range at {:#x} is set already.", base);
}

void MemoryRanges::unset(std::uintptr_t base) {
  const LockGuard lock(mutex_);
  check(ranges_.erase(base) == 1, HCCL_E_PARA, "No range at {:#x} is set.", base);
}

void MemoryRanges::activate(std::uintptr_t address, std::uint64_t bytes) {
  check(bytes > 0, HCCL_E_PARA, "The memory at {:#x} has 0 bytes; at least one is expected.", address);
  const LockGuard lock(mutex_);
  // The last range that begins at or before the address. The differences cannot overflow; a sum could.
  auto range = ranges_.upper_bound(address);
  const bool inside = range != ranges_.begin() && (--range, address - range->first <= range->second) &&
                      bytes <= range->second - (address - range->first);
  check(inside, HCCL_E_PARA, "{} bytes at {:#x} are in no range of HcclCommSetMemoryRange.", bytes, address);
  active_[address] = bytes;
}

void MemoryRanges::deactivate(std::uintptr_t address) {
  const LockGuard lock(mutex_);
  check(active_.erase(address) == 1, HCCL_E_PARA, "The memory at {:#x} is not active.", address);
}

// The handle is a number that is never used again, so that a stale one is refused.
void* MemoryRanges::add_window(std::uintptr_t address, std::uint64_t bytes) {
  check(bytes > 0, HCCL_E_PARA, "The memory at {:#x} has 0 bytes; at least one is expected.", address);
  const LockGuard lock(mutex_);
  windows_[next_window_] = bytes;
  return reinterpret_cast<void*>(next_window_++);
}

void MemoryRanges::remove_window(const void* window) {
  const LockGuard lock(mutex_);
  check(windows_.erase(reinterpret_cast<std::uintptr_t>(window)) == 1, HCCL_E_PARA,
        "handle ({}) is none that HcclCommRegister gave for this communicator.", window);
}

void MemoryRanges::check_window(const void* window) const {
  const LockGuard lock(mutex_);
  check(windows_.count(reinterpret_cast<std::uintptr_t>(window)) == 1, HCCL_E_PARA,
        "windowHandle ({}) is none that HcclCommRegister gave for this communicator.", window);
}

}  // namespace aclvk::comm
