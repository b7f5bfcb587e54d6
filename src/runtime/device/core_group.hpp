#pragma once

#include <cstdint>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

// Groups of cores. Vulkan does not divide a device, so each has one group, number 0, with all that it has.

struct CoreGroup {
  std::int32_t id = 0;
  std::int32_t cores = 0;
  std::int32_t queues = 0;  ///< to which work is submitted
};

/// aclrtGroupInfo: the groups of a device, once they have been read.
struct GroupInfo {
  std::vector<CoreGroup> groups;
};

using GroupInfoHandles = HandleTable<GroupInfo, HandleTag::kGroupInfo>;

GroupInfoHandles& group_info_handles();

// Of the current context's device; kContextNull.
std::vector<CoreGroup> core_groups();
/// Throws kGroupNotCreated for another one than 0.
void check_core_group(std::int32_t id);

/// A member of a group, by aclrtGroupAttr. Throws kGroupNotSet when nothing has been read, kParamInvalid for an unknown
/// place or attribute.
std::int32_t group_attribute(const GroupInfo& info, std::int32_t index, int attribute);

}  // namespace aclvk::runtime
