// VK_LAYER_ACLVK_faults, for tests: any Vulkan call can be made to fail. It stands before the validation layers, so
// that these see a call that fails as one that was never made.
#include <vulkan/vk_layer.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <type_traits>
#include <utility>

#include "fault.hpp"
#include "objects.hpp"

namespace aclvk::faults {
namespace {

// A lost device answers so for good; a new VkDevice is another one. What it was given comes to rest first: objects are
// destroyed afterwards, and the device that stands in for the lost one may still be at work. Only then other threads
// may hear of it.
void lose(Owner& device) {
  const std::unique_lock lock(device.queues);
  if (device.lost) return;
  reinterpret_cast<PFN_vkDeviceWaitIdle>(device.next_of(Command::vkDeviceWaitIdle))(device.device);
  device.lost = true;
}

VkResult answer(Command command, Owner& owner) {
  const auto lost = [&] { return owner.lost && may_answer(command, VK_ERROR_DEVICE_LOST); };
  if (lost()) return VK_ERROR_DEVICE_LOST;
  const VkResult result = next_answer(command);
  if (result == VK_ERROR_DEVICE_LOST && owner.device) lose(owner);
  return result;
}

template <Command kCommand, typename Object, typename... Rest>
VKAPI_ATTR VkResult VKAPI_CALL call(Object object, Rest... rest) {
  Owner& owner = owner_of(key_of(object));
  if (const VkResult failed = answer(kCommand, owner); failed != VK_SUCCESS) return failed;
  std::shared_lock<std::shared_mutex> lock(owner.queues, std::defer_lock);
  if constexpr (std::is_same_v<Object, VkQueue>) {
    lock.lock();
    if (owner.lost && may_answer(kCommand, VK_ERROR_DEVICE_LOST)) return VK_ERROR_DEVICE_LOST;
  }
  return reinterpret_cast<VkResult(VKAPI_PTR*)(Object, Rest...)>(owner.next_of(kCommand))(object, rest...);
}

template <Command kCommand, typename Object, typename... Rest>
PFN_vkVoidFunction pointer_to(VkResult(VKAPI_PTR*)(Object, Rest...)) {
  return reinterpret_cast<PFN_vkVoidFunction>(&call<kCommand, Object, Rest...>);
}

// What stands in the chain for the command.
PFN_vkVoidFunction wrapper_of(Command command) {
  switch (command) {
#define COMMAND(name, ...) \
  case Command::name:      \
    return pointer_to<Command::name>(PFN_##name{});
#define CREATOR(...)
#include "commands.def"
#undef CREATOR
#undef COMMAND
    default: return nullptr;
  }
}

// The loader's entry in the chain of structures: what comes after this layer.
template <typename Link>
Link* find_link(const void* chain, VkStructureType type) {
  for (auto* entry = static_cast<const VkBaseInStructure*>(chain); entry; entry = entry->pNext) {
    auto* link = reinterpret_cast<Link*>(const_cast<VkBaseInStructure*>(entry));
    if (entry->sType == type && link->function == VK_LAYER_LINK_INFO) return link;
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* memory,
                                               VkInstance* out) {
  auto* link = find_link<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  if (const VkResult failed = next_answer(Command::vkCreateInstance); failed != VK_SUCCESS) return failed;
  auto owner = std::make_unique<Owner>();
  owner->get_instance_command = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto next = reinterpret_cast<PFN_vkCreateInstance>(owner->get_instance_command(nullptr, "vkCreateInstance"));
  const VkResult result = next(info, memory, out);
  if (result != VK_SUCCESS) return result;
  owner->instance = *out;
  add_owner(key_of(*out), std::move(owner));
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* memory, VkDevice* out) {
  const Owner& instance = owner_of(key_of(physical));
  auto* link = find_link<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  if (const VkResult failed = next_answer(Command::vkCreateDevice); failed != VK_SUCCESS) return failed;
  auto owner = std::make_unique<Owner>();
  owner->get_device_command = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto get_command = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto next = reinterpret_cast<PFN_vkCreateDevice>(get_command(instance.instance, "vkCreateDevice"));
  const VkResult result = next(physical, info, memory, out);
  if (result != VK_SUCCESS) return result;
  owner->device = *out;
  add_owner(key_of(*out), std::move(owner));
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks* memory) {
  if (!instance) return;
  const auto owner = remove_owner(key_of(instance));
  reinterpret_cast<PFN_vkDestroyInstance>(owner->find("vkDestroyInstance"))(instance, memory);
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* memory) {
  if (!device) return;
  const auto owner = remove_owner(key_of(device));
  reinterpret_cast<PFN_vkDestroyDevice>(owner->find("vkDestroyDevice"))(device, memory);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_command(VkDevice device, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_command(VkInstance instance, const char* name);

template <typename Function>
PFN_vkVoidFunction plain(Function* function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

// The layer's own function of that name, but for those that are the same for all commands.
PFN_vkVoidFunction own_command(const char* name) {
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("vkGetInstanceProcAddr")) return plain(get_instance_command);
  if (is("vkGetDeviceProcAddr")) return plain(get_device_command);
  if (is("vkCreateInstance")) return plain(create_instance);
  if (is("vkDestroyInstance")) return plain(destroy_instance);
  if (is("vkCreateDevice")) return plain(create_device);
  if (is("vkDestroyDevice")) return plain(destroy_device);
  return nullptr;
}

PFN_vkVoidFunction wrapped(PFN_vkVoidFunction next, const char* name) {
  const Command command = find_command(name);
  return next && command != Command::kCount ? wrapper_of(command) : next;
}

PFN_vkVoidFunction VKAPI_CALL get_device_command(VkDevice device, const char* name) {
  if (auto* own = own_command(name)) return own;
  return wrapped(owner_of(key_of(device)).find(name), name);
}

PFN_vkVoidFunction VKAPI_CALL get_instance_command(VkInstance instance, const char* name) {
  if (auto* own = own_command(name)) return own;
  return instance ? wrapped(owner_of(key_of(instance)).find(name), name) : nullptr;
}

}  // namespace
}  // namespace aclvk::faults

extern "C" __attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface* interface) {
  if (interface->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = aclvk::faults::get_instance_command;
  interface->pfnGetDeviceProcAddr = aclvk::faults::get_device_command;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
