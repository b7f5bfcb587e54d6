#pragma once

#include <memory>

#include "support/null_device/null_devices.hpp"

namespace aclvk {

/// Returns the null device that the library has opened as device 0.
std::shared_ptr<NullDevice> opened_null_device();

}  // namespace aclvk
