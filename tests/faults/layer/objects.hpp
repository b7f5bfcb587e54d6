#pragma once

#include <vulkan/vulkan_core.h>

#include <array>
#include <atomic>
#include <memory>
#include <shared_mutex>

#include "commands.hpp"

namespace aclvk::faults {

/// A VkInstance or a VkDevice: where its calls are passed on to, and whether it is lost.
struct Owner {
  VkInstance instance = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;  // null for an instance
  PFN_vkGetInstanceProcAddr get_instance_command = nullptr;
  PFN_vkGetDeviceProcAddr get_device_command = nullptr;
  std::array<PFN_vkVoidFunction, kCommands> next{};  // null: not there

  std::atomic<bool> lost{false};
  std::shared_mutex queues;  // shared: calls on queues; alone: the rest of a device that gets lost

  PFN_vkVoidFunction find(const char* name) const {
    return device ? get_device_command(device, name) : get_instance_command(instance, name);
  }
  PFN_vkVoidFunction next_of(Command command) const { return next[static_cast<std::size_t>(command)]; }
};

/// All objects of an instance, and all of a device, begin with the same pointer; that is how a layer knows whose they
/// are.
using Key = void*;
template <typename Dispatchable>
Key key_of(Dispatchable object) {
  return *reinterpret_cast<Key*>(object);
}

/// Thread safe. An owner stays where it is until it is removed.
Owner& add_owner(Key key, std::unique_ptr<Owner> owner);
Owner& owner_of(Key key);
std::unique_ptr<Owner> remove_owner(Key key);

}  // namespace aclvk::faults
