#include "fault.hpp"

#include <mutex>
#include <string>

#include "faults.h"

namespace aclvk::faults {
namespace {

struct State {
  std::mutex mutex;
  bool armed = false;
  VkResult result = VK_SUCCESS;
  std::uint64_t at = 0;
  std::uint64_t times = 0;
  std::string command;  // empty: any
  AclvkFaultReport report{};
};

// Never destroyed: threads of the library may call Vulkan to the end of the process.
State& state() {
  static State* const only = new State;
  return *only;
}

}  // namespace

VkResult next_answer(Command command) {
  State& fault = state();
  const std::lock_guard lock(fault.mutex);
  if (!fault.armed || !may_answer(command, fault.result)) return VK_SUCCESS;
  if (!fault.command.empty() && fault.command != name_of(command)) return VK_SUCCESS;
  const std::uint64_t number = ++fault.report.seen;
  if (number < fault.at || number - fault.at >= fault.times) return VK_SUCCESS;
  if (fault.report.failed++ == 0) fault.report.command = name_of(command);
  return fault.result;
}

}  // namespace aclvk::faults

extern "C" __attribute__((visibility("default"))) void aclvk_arm_fault(const AclvkFault* fault) {
  auto& state = aclvk::faults::state();
  const std::lock_guard lock(state.mutex);
  state.armed = true;
  state.result = static_cast<VkResult>(fault->result);
  state.at = fault->at;
  state.times = fault->times;
  state.command = fault->command ? fault->command : "";
  state.report = {};
}

extern "C" __attribute__((visibility("default"))) AclvkFaultReport aclvk_disarm_fault() {
  auto& state = aclvk::faults::state();
  const std::lock_guard lock(state.mutex);
  state.armed = false;
  return state.report;
}
