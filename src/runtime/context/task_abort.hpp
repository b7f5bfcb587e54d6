#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// aclrtDeviceTaskAbort: drops the tasks of the device's streams that have not been submitted, and waits for those that
/// have, because Vulkan cannot cancel them. Synchronisations of streams with dropped tasks return kDeviceTaskAbort. The
/// device stays usable. A timeout of 0 ms waits for ever. Throws kInvalidDeviceId, kTaskTimeout, kRuntimeInternal when
/// a listener refuses.
void abort_tasks(std::int32_t device_id, std::uint32_t timeout_ms);

}  // namespace aclvk::runtime
