#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/handle.hpp"
#include "comm/memory_ranges.hpp"
#include "comm/settings.hpp"

namespace aclvk::comm {

/// A group of ranks that exchange data; one rank so far, on the device that was current when it was made. Its
/// collectives are copies in stream order, which keep nothing of it: they complete after it has been destroyed, too.
/// Thread safe.
class Communicator {
 public:
  Communicator(Settings settings, std::string name, std::int32_t device);

  const Settings settings;
  const std::string name;
  const std::int32_t device;

  static constexpr std::uint32_t kRanks = 1;
  static constexpr std::uint32_t kRank = 0;

  std::atomic<std::int32_t> deterministic;
  std::atomic<bool> suspended{false};
  MemoryRanges ranges;
};

using CommunicatorPtr = std::shared_ptr<Communicator>;

/// Throws HCCL_E_PTR for NULL, HCCL_E_PARA for what is no live communicator.
CommunicatorPtr communicator_of(const void* handle);

/// Makes a communicator of the current device and gives its handle. A name that the settings leave empty is made of the
/// identity. Throws HCCL_E_NOT_SUPPORT for more than one rank, HCCL_E_PARA for a rank that is none of them.
void* create_communicator(std::uint32_t ranks, std::uint32_t rank, const std::string& identity, Settings settings);
/// The same on another device of the process.
void* create_communicator_on(std::int32_t device, const std::string& identity, Settings settings);
/// The sub-communicator "parent_sub_id" of the parent's one rank, unless the settings have a name.
void* create_sub_communicator(const Communicator& parent, std::uint64_t id, Settings settings);
/// Throws HCCL_E_PARA for what is no live communicator. Needs no device.
void destroy_communicator(const void* handle);

/// The communicator of HcclCommInitAll. Throws HCCL_E_PARA for no device and for a number that is none,
/// HCCL_E_NOT_SUPPORT for more than one.
void* create_on_devices(std::uint32_t count, const std::int32_t* devices);

/// Throws HCCL_E_PARA "name is ..." for a number that is no rank.
void check_rank(std::uint32_t rank, const char* name);
/// HcclCreateSubCommConfig is called by all ranks; those outside the sub-communicator pass NULL and the id 0xFFFFFFFF.
bool is_member(const std::uint32_t* ranks, std::uint64_t id);
/// Throws HCCL_E_PTR for no list, HCCL_E_PARA unless the list names the ranks of the parent, each once, and the calling
/// rank at its own index.
void check_members(std::uint32_t count, const std::uint32_t* ranks, std::uint32_t own_index);

/// The newest communicator with this name on the current device. Throws HCCL_E_NOT_FOUND when there is none.
void* handle_with_name(const std::string& name);

}  // namespace aclvk::comm
