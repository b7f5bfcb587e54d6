#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// Properties of a device that operators choose launch dimensions and kernel variants by.
struct Execution {
  /// True for a CPU driver, which runs workgroups one after the other on the cores: kernels then use few invocations
  /// that do more work each. False without a device, and with ACLVK_DRIVER_TUNING=0.
  bool is_cpu_device = false;
  /// The subgroup size; 1 where the device has no subgroup shuffles.
  std::uint32_t subgroup_size = 1;

  bool operator==(const Execution& other) const {
    return is_cpu_device == other.is_cpu_device && subgroup_size == other.subgroup_size;
  }
};

}  // namespace aclvk::runtime
