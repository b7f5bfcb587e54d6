#include "runtime/context/core_group.hpp"

#include "base/error.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"

namespace aclvk::runtime {

// Not destroyed at exit, like all handle tables.
GroupInfoHandles& group_info_handles() { return ProcessState<GroupInfoHandles, StateId::kGroupInfoHandles>::get(); }

std::vector<CoreGroup> core_groups() {
  const vk::Device& gpu = current_context()->device().gpu();
  return {{0, static_cast<std::int32_t>(gpu.info().compute_units), static_cast<std::int32_t>(gpu.queue_count())}};
}

void check_core_group(std::int32_t id) {
  const ContextPtr context = current_context();
  check(id == 0, Code::kGroupNotCreated, "Group {} does not exist; device {} has one group of cores, number 0.", id,
        context->device().id);
}

std::int32_t group_attribute(const GroupInfo& info, std::int32_t index, int attribute) {
  check(!info.groups.empty(), Code::kGroupNotSet, "The description of groups is empty; aclrtGetAllGroupInfo fills it.");
  const auto position = static_cast<std::size_t>(index);
  check(index >= 0 && position < info.groups.size(), Code::kParamInvalid, "groupIndex is {}; there are {} groups.",
        index, info.groups.size());
  const CoreGroup& group = info.groups[position];
  switch (attribute) {
    case 0:  // all cores
    case 1:  // vector cores
    case 2:  // cube cores
      return group.cores;
    case 3: return 0;  // copy engines: copies run on the cores' queues
    case 4: return group.queues;
    case 5: return group.id;
    default: fail(Code::kParamInvalid, "attr is {}; 0 to 5 is expected.", attribute);
  }
}

}  // namespace aclvk::runtime
