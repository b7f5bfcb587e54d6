#include "runtime/context/peer.hpp"

#include "base/error.hpp"
#include "runtime/context/current.hpp"

namespace aclvk::runtime {
namespace {

void check_distinct(std::int32_t device, std::int32_t peer) {
  check(device != peer, Code::kInvalidParam, "Device {} and its peer are the same; two devices are expected.", device);
}

void check_ids(std::int32_t id, std::int32_t peer) {
  check_device_id(id);
  check_device_id(peer);
}

bool share_gpu(std::int32_t id, std::int32_t peer) {
  const auto gpu_index = [](std::int32_t of) { return logical_id(of) / static_cast<std::int32_t>(devices_per_gpu()); };
  return gpu_index(id) == gpu_index(peer);
}

// Opens the peer, because a program may enable access before it uses the peer.
void set_peer(std::int32_t peer, bool enabled) {
  const ContextPtr context = current_context();
  Device& current = context->device();
  check_distinct(static_cast<std::int32_t>(current.id), peer);
  check_device_id(peer);
  const auto peer_device = device(peer);
  check(current.shares_gpu(*peer_device), Code::kFeatureNotSupported,
        "Device {} ({}) cannot reach the memory of device {} ({}): Vulkan devices see only their own; copies between "
        "them go through the host.",
        current.id, current.gpu().info().name, peer, peer_device->gpu().info().name);
  current.set_peer(*peer_device, enabled);
}

}  // namespace

// Equal ids are refused before unknown ones (runtime-semantics 2.10).
bool can_access_peer(std::int32_t id, std::int32_t peer) {
  check_distinct(id, peer);
  check_ids(id, peer);
  return share_gpu(id, peer);
}

void enable_peer_access(std::int32_t peer) { set_peer(peer, true); }

void disable_peer_access(std::int32_t peer) { set_peer(peer, false); }

bool peer_access_enabled(std::int32_t id, std::int32_t peer) {
  check_ids(id, peer);
  if (id == peer || !share_gpu(id, peer)) return false;
  const auto from = find_open_device(id);
  const auto to = find_open_device(peer);
  return from && to && from->has_peer(*to);
}

}  // namespace aclvk::runtime
