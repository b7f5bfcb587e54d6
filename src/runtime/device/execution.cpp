#include "runtime/device/execution.hpp"

#include "base/config.hpp"
#include "runtime/current.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {

bool threads_take_turns() {
  if (!config().driver_tuning) return false;
  const auto context = find_current_context();
  return context && device_info(static_cast<std::int32_t>(context->device().id)).kind == vk::DeviceKind::kCpu;
}

}  // namespace aclvk::runtime
