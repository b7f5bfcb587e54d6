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

typedef enum aclvkDeviceKind {
  ACLVK_DEVICE_DISCRETE = 0,
  ACLVK_DEVICE_INTEGRATED = 1,
  ACLVK_DEVICE_VIRTUAL = 2,
  ACLVK_DEVICE_CPU = 3,
  ACLVK_DEVICE_OTHER = 4,
} aclvkDeviceKind;

/// What the Vulkan device behind an ACL device is and can.
typedef struct aclvkDeviceFeatures {
  aclvkDeviceKind kind;
  uint32_t computeUnits;      ///< workgroups that run at the same time, as far as the driver tells; else CPU cores
  uint64_t memoryBytes;       ///< of the ACL device
  uint32_t threadsPerGroup;   ///< of a workgroup, at most
  uint32_t subgroupThreads;   ///< of a subgroup
  uint64_t sharedBytes;       ///< shared memory of a workgroup
  uint8_t int64;              ///< 1: operators on INT64 and UINT64 run
  uint8_t float64;            ///< 1: operators on DOUBLE and COMPLEX128 run
  uint8_t timestamps;         ///< 1: profiles and events have times of the device
  uint8_t reserved[5];        ///< 0
} aclvkDeviceFeatures;

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

/// Tells what the device can; opens it if nobody has.
/// 100000 features is NULL; 107001 deviceId is not the number of a device.
ACL_FUNC_VISIBILITY aclError aclvkGetDeviceFeatures(int32_t deviceId, aclvkDeviceFeatures* features);

/// The answer of a function that is not built, for libraries that stand in for one: logs the sentence that names it, keeps
/// it for aclGetRecentErrMsg, and returns 207000. 100000 function is NULL.
ACL_FUNC_VISIBILITY aclError aclvkNotBuilt(const char* function);

#ifdef __cplusplus
}
#endif

#endif  // ACLVK_ACLVK_H_
