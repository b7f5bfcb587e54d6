#pragma once

#include <memory>

namespace aclvk::runtime {

class Device;
class Watcher;

// What a device needs from folders above runtime/device when it is opened. These folders define the functions.

/// Starts the Watcher of a device. Defined in runtime/stream/watcher.cpp.
std::shared_ptr<Watcher> start_watcher(const Device& device);

/// Registers an exit handler that waits until the devices are idle. Exit handlers run in reverse order of registration,
/// so that it precedes those which drivers and layers have registered by now. They register some at their first
/// submission: the library calls this when a device is opened, and again after the first submission. Defined in
/// runtime/process/exit.cpp.
void quiesce_before_exit();

}  // namespace aclvk::runtime
