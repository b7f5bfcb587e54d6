#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "faults/layer/faults.h"
#include "support/folder.hpp"

namespace aclvk::test {

/// The results that a Vulkan call can be made to return.
enum class VulkanResult : std::int32_t {
  kOutOfHostMemory = -1,
  kOutOfDeviceMemory = -2,
  kInitializationFailed = -3,
  kDeviceLost = -4,  // all further calls on the VkDevice return it; a new device works
  kMemoryMapFailed = -5,
  kTooManyObjects = -10,
  kFragmentedPool = -12,
  kOutOfPoolMemory = -1000069000,
};

/// Lets Vulkan calls of the library fail, through a Vulkan layer (tests/faults/layer). Has to be constructed before the
/// first call that uses Vulkan, and once a process.
class VulkanFaults {
 public:
  static constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

  struct Report {
    std::uint64_t seen;    ///< calls that counted
    std::uint64_t failed;  ///< of these, calls that were made to fail
    std::string command;   ///< the first of them; empty: none
  };

  VulkanFaults() {
    const std::string data = beside_tests("fault_layer");
    setenv("XDG_DATA_HOME", data.c_str(), 1);  // all loaders search there; VK_ADD_LAYER_PATH needs a newer one
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_ACLVK_faults", 1);
    setenv("NODEVICE_SELECT", "1", 1);  // a layer of Mesa's that sorts devices; it crashes when a call of its own fails
    const std::string file = data + "/vulkan/explicit_layer.d/libaclvk_fault_layer.so";
    void* layer = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(layer, nullptr) << dlerror();
    if (!layer) return;
    arm_ = reinterpret_cast<AclvkArmFault>(dlsym(layer, "aclvk_arm_fault"));
    disarm_ = reinterpret_cast<AclvkDisarmFault>(dlsym(layer, "aclvk_disarm_fault"));
  }

  /// Lets calls fail: of those that may answer `result`, `times` answer it, from number `at` on (1 is the next one).
  /// With `command` ("vkQueueSubmit2") only calls of that one count.
  void arm(VulkanResult result, std::uint64_t at = 1, const char* command = nullptr, std::uint64_t times = 1) const {
    const AclvkFault fault{static_cast<std::int32_t>(result), at, times, command};
    arm_(&fault);
  }
  /// Lets all calls work again, but those on lost devices.
  Report disarm() const {
    const AclvkFaultReport report = disarm_();
    return {report.seen, report.failed, report.command ? report.command : ""};
  }

 private:
  AclvkArmFault arm_ = nullptr;
  AclvkDisarmFault disarm_ = nullptr;
};

}  // namespace aclvk::test
