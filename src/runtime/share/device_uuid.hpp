#pragma once

#include "runtime/device/device.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

/// Memory of a device is opened on the same one by the other process: words `at` and `at` + 1 of the metadata tell
/// which.
void write_device_uuid(ShareMetadata& metadata, std::size_t at, const Device& device);
/// Throws kParamInvalid when it is another one.
void check_device_uuid(const ShareMetadata& metadata, std::size_t at, const Device& device);

}  // namespace aclvk::runtime
