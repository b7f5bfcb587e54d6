#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/handle.hpp"
#include "comm/memory_ranges.hpp"
#include "comm/settings.hpp"

namespace aclvk::comm {

/// An HcclComm: a group of ranks that exchange data; so far one rank, on the device that was current at its creation.
/// Its collectives are copies in stream order that do not refer to it, so they complete even after its destruction.
/// Owned by the handle table. Thread safe.
class Communicator {
 public:
  Communicator(Settings settings, std::string name, std::int32_t device);

  const Settings settings;
  const std::string name;
  const std::int32_t device;

  static constexpr std::uint32_t kRanks = 1;
  static constexpr std::uint32_t kRank = 0;

  std::atomic<std::int32_t> deterministic;  ///< level 0 to 2; stored only, results are always deterministic
  std::atomic<bool> suspended{false};       ///< collectives are refused (HcclCommSuspend)
  MemoryRanges ranges;
};

using CommunicatorPtr = std::shared_ptr<Communicator>;

/// Returns the communicator of a handle. Throws HCCL_E_PTR for NULL, HCCL_E_PARA for a handle that is not live.
CommunicatorPtr communicator_of(const void* handle);

/// Creates a communicator on the current device and returns its handle. If the settings have no name, the name is
/// derived from `identity`. Throws HCCL_E_NOT_SUPPORT for more than one rank, HCCL_E_PARA for an invalid rank.
void* create_communicator(std::uint32_t ranks, std::uint32_t rank, const std::string& identity, Settings settings);
/// Creates a communicator of one rank on the given device.
void* create_communicator_on(std::int32_t device, const std::string& identity, Settings settings);
/// Creates a sub-communicator of the parent's rank. If the settings have no name, its name is "<parent>_sub_<id>".
void* create_sub_communicator(const Communicator& parent, std::uint64_t id, Settings settings);
/// Destroys a communicator; needs no current device. Throws HCCL_E_PARA for a handle that is not live.
void destroy_communicator(const void* handle);

/// Creates the communicator of HcclCommInitAll. Throws HCCL_E_PARA for a count of 0 and for an invalid device,
/// HCCL_E_NOT_SUPPORT for more than one device.
void* create_on_devices(std::uint32_t count, const std::int32_t* devices);

/// Throws HCCL_E_PARA "<name> is ..." for an invalid rank.
void check_rank(std::uint32_t rank, const char* name);
/// Returns whether the calling rank of HcclCreateSubCommConfig is in the sub-communicator. All ranks of the parent call
/// the function; the ones outside pass NULL and the id 0xFFFFFFFF.
bool is_member(const std::uint32_t* ranks, std::uint64_t id);
/// Checks the ranks of a sub-communicator. Throws HCCL_E_PTR for a null list, HCCL_E_PARA unless it has the parent's
/// one rank and `own_index` is an index of the list.
void check_members(std::uint32_t count, const std::uint32_t* ranks, std::uint32_t own_index);

/// Returns the newest communicator with this name on the current device. Throws HCCL_E_NOT_FOUND when there is none.
void* handle_with_name(const std::string& name);

}  // namespace aclvk::comm
