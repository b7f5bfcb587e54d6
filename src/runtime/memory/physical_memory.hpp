#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/handle.hpp"
#include "base/mutex.hpp"
#include "runtime/device/device.hpp"
#include "runtime/share/sharing.hpp"
#include "vk_device/memory/backing.hpp"

namespace aclvk::runtime {

/// aclrtMemLocation, with the values of the public enumeration.
struct MemoryLocation {
  std::uint32_t id = 0;
  int type = 0;

  bool on_device() const;
};

/// aclrtPhysicalMemProp
struct PhysicalProperties {
  int handle_type = 0;
  int allocation_type = 0;
  int attribute = 0;
  MemoryLocation location;
  std::uint64_t reserve = 0;
};

/// The mutex of all physical memory.
Mutex& physical_mutex();

/// An aclrtDrvMemHandle: memory without an address (runtime-semantics 7.4). The handle is reference counted: it becomes
/// stale after as many frees as there were calls that returned it. Mappings keep the memory alive.
class PhysicalMemory {
 public:
  PhysicalMemory(PhysicalProperties properties, std::shared_ptr<const vk::Backing> backing, bool opened);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  const PhysicalProperties properties;
  const std::shared_ptr<const vk::Backing> backing;
  const bool opened;  ///< true for memory that another process has exported

  /// Null when it has been freed and only mappings keep the memory.
  void* handle GUARDED_BY(physical_mutex()) = nullptr;
  std::size_t uses GUARDED_BY(physical_mutex()) = 0;
  std::optional<ShareKey> exported GUARDED_BY(physical_mutex());
};

using PhysicalPtr = std::shared_ptr<PhysicalMemory>;
using PhysicalHandles = HandleTable<PhysicalMemory, HandleTag::kPhysicalMemory>;
PhysicalHandles& physical_handles();

/// Throws kInvalidParam for unknown or unsupported properties, kInvalidDeviceId.
void check_properties(const PhysicalProperties& properties);
/// Returns the granularity of sizes. Throws kFeatureNotSupported for a device on which addresses cannot be reserved.
std::uint64_t granularity_of(const PhysicalProperties& properties);

void* allocate_physical(std::uint64_t bytes, const PhysicalProperties& properties);
void free_physical(void* handle);
/// Returns the handle of the memory and increments its reference count. Makes a new handle after the last free.
void* retain_physical(const PhysicalPtr& memory);

/// Returns the number by which another process opens the memory. Throws kParamInvalid the second time.
std::uint64_t export_physical(PhysicalMemory& memory, bool to_all);
/// Opens memory that another process has exported. Returns its handle.
void* open_physical(std::uint64_t number, std::int32_t device);
/// Allows processes to open the memory. Throws kParamInvalid unless this process has exported it.
void allow_physical(std::uint64_t number, const std::vector<pid_t>& processes);

}  // namespace aclvk::runtime
