#pragma once

namespace aclvk::runtime {

class Device;

/// Makes all that the device has written so far visible to everybody: a full memory barrier on each of its queues,
/// which is waited for.
void flush_caches(Device& device);

}  // namespace aclvk::runtime
