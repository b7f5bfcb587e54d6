#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// aclrtDeviceTaskAbort: drops all tasks of the device's streams that have not been submitted, and waits for the
/// others, which a GPU cannot be told to stop. Synchronisations of streams with dropped tasks end with
/// kDeviceTaskAbort. The device can be used again. 0 ms is for ever. Throws kInvalidDeviceId, kTaskTimeout,
/// kRuntimeInternal when a listener refuses.
void abort_tasks(std::int32_t device_id, std::uint32_t timeout_ms);

}  // namespace aclvk::runtime
