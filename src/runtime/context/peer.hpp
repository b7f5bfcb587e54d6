#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Peer access (runtime-semantics 2.10): tasks of one device use the memory of another. Possible between devices of one
// Vulkan device. Between Vulkan devices there are only copies, through the host.

/// Throws kInvalidParam for one and the same device, kInvalidDeviceId.
bool can_access_peer(std::int32_t device, std::int32_t peer);
// Access from the current device. Enabling twice is enabling once. Throw kContextNull, kInvalidParam for the current
// device itself, kInvalidDeviceId, kFeatureNotSupported where access is impossible.

void enable_peer_access(std::int32_t peer);
void disable_peer_access(std::int32_t peer);
bool peer_access_enabled(std::int32_t device, std::int32_t peer);

}  // namespace aclvk::runtime
