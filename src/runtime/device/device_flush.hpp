#pragma once

namespace aclvk::runtime {

class Device;

/// Makes all writes of the device so far visible to host and devices. Submits a full memory barrier to each queue of
/// the device and waits for them.
void flush_caches(Device& device);

}  // namespace aclvk::runtime
