#include "runtime/context/execution.hpp"

#include "runtime/context/current.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {

Execution execution() {
  const Device* device = current_device();
  return device ? device->execution : Execution{};
}

}  // namespace aclvk::runtime
