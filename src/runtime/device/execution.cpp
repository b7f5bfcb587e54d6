#include "runtime/device/execution.hpp"

#include "base/config.hpp"
#include "runtime/current.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {

Execution execution_of(const Device& device) {
  const vk::DeviceInfo& info = device_info(static_cast<std::int32_t>(device.id));
  const bool takes_turns = config().driver_tuning && info.kind == vk::DeviceKind::kCpu;
  return {takes_turns, info.shuffles ? info.threads_per_subgroup : 1};
}

Execution execution() {
  const auto context = find_current_context();
  return context ? execution_of(context->device()) : Execution{};
}

}  // namespace aclvk::runtime
