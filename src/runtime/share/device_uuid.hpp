#pragma once

#include "runtime/device/device.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

/// Writes the UUID of the device to the words `at` and `at` + 1. Another process can open memory of a device only on
/// the same device.
void write_device_uuid(ShareMetadata& metadata, std::size_t at, const Device& device);
/// Throws kParamInvalid when the words hold the UUID of another device.
void check_device_uuid(const ShareMetadata& metadata, std::size_t at, const Device& device);

}  // namespace aclvk::runtime
