#pragma once

#include <cstdint>

namespace aclvk::runtime {

// What programs ask about a device. Numbers of attributes are those of aclrtDevAttr. Where Vulkan does not tell, the
// answer is kFeatureNotSupported and not a guess.

constexpr std::uint32_t kLeastPriority = 7;
constexpr std::uint32_t kGreatestPriority = 0;

/// Throws kInvalidDeviceId, kParamInvalid for an unknown attribute, kFeatureNotSupported.
std::int64_t device_attribute(std::int32_t device_id, int attribute);

/// Whether the device has a feature (aclrtDevFeatureType): kernels of captured tasks can be replaced; queues lie on the
/// host, so no device hears of those of another. Throws kInvalidDeviceId, kParamInvalid.
std::int32_t feature_of_device(std::int32_t device_id, int feature);

/// Cores of a kind (aclrtDevResLimitType). Vulkan has one kind. Throws kInvalidDeviceId, kParamInvalid.
std::uint32_t core_count(std::int32_t device_id, int kind);

}  // namespace aclvk::runtime
