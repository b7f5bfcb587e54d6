#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// How a device runs the threads of a kernel.
struct Execution {
  /// One after the other, on the cores of a CPU: such a device wants few threads that do much each. Nothing does
  /// without a device, and where drivers are not treated differently (ACLVK_DRIVER_TUNING=0).
  bool is_cpu_device = false;
  /// The threads of a subgroup, which run together and hand each other values; 1 where they cannot.
  std::uint32_t subgroup_size = 1;

  bool operator==(const Execution& other) const {
    return is_cpu_device == other.is_cpu_device && subgroup_size == other.subgroup_size;
  }
};

/// That of the calling thread's device.
Execution execution();

}  // namespace aclvk::runtime
