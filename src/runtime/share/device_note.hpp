#pragma once

#include "runtime/device/device.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

/// Memory of a device is opened on the same one by the other process: words `at` and `at` + 1 of the note tell which.
void note_device(ShareNote& note, std::size_t at, const Device& device);
/// Throws kParamInvalid when it is another one.
void check_noted_device(const ShareNote& note, std::size_t at, const Device& device);

}  // namespace aclvk::runtime
