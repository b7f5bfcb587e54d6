#pragma once

#include <chrono>

namespace aclvk::runtime {

class Device;

/// Waits for all work that has been submitted to the device. Returns false when a task exceeds its time limit and still
/// runs after `grace`: it may never end.
bool wait_for_work(const Device& device, std::chrono::milliseconds grace);

}  // namespace aclvk::runtime
