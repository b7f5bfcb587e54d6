#pragma once

#include <cstdint>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

// Groups of cores. Vulkan does not divide a device: each device has one group, number 0, with all its compute units.

struct CoreGroup {
  std::int32_t id = 0;
  std::int32_t cores = 0;
  std::int32_t queues = 0;  ///< VkQueues that the library submits to
};

/// aclrtGroupInfo: the groups of a device. Empty until aclrtGetAllGroupInfo has filled it.
struct GroupInfo {
  std::vector<CoreGroup> groups;
};

using GroupInfoHandles = HandleTable<GroupInfo, HandleTag::kGroupInfo>;

GroupInfoHandles& group_info_handles();

/// Returns the groups of the current context's device. Throws kContextNull.
std::vector<CoreGroup> core_groups();
/// Throws kGroupNotCreated for any id but 0.
void check_core_group(std::int32_t id);

/// Returns an attribute (aclrtGroupAttr) of a group. Throws kGroupNotSet for an empty description, kParamInvalid for an
/// unknown index or attribute.
std::int32_t group_attribute(const GroupInfo& info, std::int32_t index, int attribute);

}  // namespace aclvk::runtime
