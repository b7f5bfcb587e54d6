#pragma once

namespace aclvk::runtime {

// The end of the devices' work, when the process exits (runtime/device/device_process.hpp) and when a Process ends.

/// Stops the watchers of all devices and waits for what has been submitted. Returns false when a task exceeds its time
/// limit and still runs.
bool quiesce();

}  // namespace aclvk::runtime
