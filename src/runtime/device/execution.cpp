#include "runtime/device/execution.hpp"

#include "base/config.hpp"
#include "runtime/current.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {

Execution execution() {
  const auto context = config().driver_tuning ? find_current_context() : nullptr;
  if (!context) return {};
  const vk::DeviceInfo& info = device_info(static_cast<std::int32_t>(context->device().id));
  if (info.kind != vk::DeviceKind::kCpu) return {};
  return {true, info.shuffles ? info.threads_per_subgroup : 1};
}

}  // namespace aclvk::runtime
