// What aclvk tells beyond AscendCL: which Vulkan device is behind an ACL device, and what has been done with it.
// Programs that use it no longer build against CANN; benchmarks and tools do.
#ifndef ACLVK_ACLVK_H_
#define ACLVK_ACLVK_H_

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The Vulkan device behind an ACL device.
typedef struct aclvkDeviceInfo {
  char name[256];          ///< VkPhysicalDeviceProperties::deviceName, UTF-8
  char driver[256];        ///< VkPhysicalDeviceDriverProperties::driverName and driverInfo
  uint8_t uuid[16];        ///< VkPhysicalDeviceIDProperties::deviceUUID
  uint32_t vulkanVersion;  ///< VkPhysicalDeviceProperties::apiVersion
} aclvkDeviceInfo;

/// Counts since the device was opened, by all threads and streams. They never go down.
typedef struct aclvkStatistics {
  uint64_t submissions;     ///< calls of vkQueueSubmit2
  uint64_t objectsCreated;  ///< command pools, descriptor pools, buffers and semaphores; stands still while work repeats
  uint64_t pipelines;       ///< compute pipelines that have been compiled
} aclvkStatistics;

/// Describes the device without opening it.
/// 100000 info is NULL; 107001 deviceId is not the number of a device.
ACL_FUNC_VISIBILITY aclError aclvkGetDeviceInfo(int32_t deviceId, aclvkDeviceInfo* info);

/// Reads the counts; opens the device if nobody has.
/// 100000 statistics is NULL; 107001 deviceId is not the number of a device.
ACL_FUNC_VISIBILITY aclError aclvkGetStatistics(int32_t deviceId, aclvkStatistics* statistics);

#ifdef __cplusplus
}
#endif

#endif  // ACLVK_ACLVK_H_
