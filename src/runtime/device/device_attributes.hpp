#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Attributes of devices, by the numbers of aclrtDevAttr. An attribute that Vulkan does not report is refused with
// kFeatureNotSupported, not guessed.

constexpr std::uint32_t kLeastPriority = 7;
constexpr std::uint32_t kGreatestPriority = 0;

/// Throws kInvalidDeviceId, kParamInvalid for an unknown attribute, kFeatureNotSupported.
std::int64_t device_attribute(std::int32_t device_id, int attribute);

/// Returns 1 when the device has a feature (aclrtDevFeatureType), else 0. It can replace the kernel of a captured task.
/// It has no queue events across devices, since queues of acl_tdt lie on the host. Throws kInvalidDeviceId,
/// kParamInvalid.
std::int32_t feature_of_device(std::int32_t device_id, int feature);

/// Returns the number of cores of a kind (aclrtDevResLimitType). All kinds are the compute units of the Vulkan device.
/// Throws kInvalidDeviceId, kParamInvalid.
std::uint32_t core_count(std::int32_t device_id, int kind);

}  // namespace aclvk::runtime
