#include "vk_device/gpu/instance.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "vk_device/gpu/device_source.hpp"
#include "vk_device/gpu/physical_device.hpp"
#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

std::atomic<std::uint64_t> error_count{0};
std::atomic<std::uint32_t> layer_version{0};  // the Vulkan version of the validation layer

// For ACLVK_VALIDATION=2 and 3: tests that use the C API alone cannot count errors, so the process ends instead.
[[noreturn]] void end_process(const char* message) {
  std::fprintf(stderr, "aclvk ends the process at a message of the validation layers: %s\n", message);
  std::abort();
}

// The loader reports refusals of drivers this way. They are no errors of the library.
bool is_loader_message(const VkDebugUtilsMessengerCallbackDataEXT& message) {
  return message.pMessageIdName && std::strcmp(message.pMessageIdName, "Loader Message") == 0;
}

// The validation layer of Ubuntu 22.04 (1.3.204) compares the spans of all regions and reports interleaved columns as
// overlapping. The layer of Debian 12 (1.3.239) compares each region.
bool is_false_overlap(const VkDebugUtilsMessengerCallbackDataEXT& message) {
  constexpr std::uint32_t kFirstExactVersion = VK_MAKE_API_VERSION(0, 1, 3, 239);
  return layer_version < kFirstExactVersion && message.pMessageIdName &&
         std::strcmp(message.pMessageIdName, "VUID-vkCmdCopyBuffer-pRegions-00117") == 0;
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  const bool is_ignored = is_loader_message(*data) || is_false_overlap(*data);
  if (severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT && !is_ignored) {
    ++error_count;
    log().error("Validation: {}", data->pMessage);
    if (config().validation > 1) end_process(data->pMessage);
  } else {
    log().warn("Validation: {}", data->pMessage);
    if (config().validation > 2) end_process(data->pMessage);
  }
  return VK_FALSE;
}

bool find_validation_layer(const ::vk::raii::Context& context) {
  for (const auto& layer : context.enumerateInstanceLayerProperties()) {
    if (std::strcmp(layer.layerName, kValidationLayer) != 0) continue;
    layer_version = layer.specVersion;
    return true;
  }
  return false;
}

bool validation_wanted(const ::vk::raii::Context& context) {
  if (config().validation == 0) return false;
  if (find_validation_layer(context)) return true;
  log().error("ACLVK_VALIDATION is {}, but the layer {} is not installed; nothing is validated.", config().validation,
              kValidationLayer);
  return false;
}

// Lavapipe reads LP_NUM_THREADS when its first device is created, so this precedes the instance. A value that the
// program has set takes precedence.
void set_lavapipe_threads() {
  if (config().lavapipe_threads >= 0) setenv("LP_NUM_THREADS", std::to_string(config().lavapipe_threads).c_str(), 0);
}

// Returns true when a later call may succeed.
bool may_be_temporary(::vk::Result result) {
  using Result = ::vk::Result;
  return result != Result::eErrorIncompatibleDriver && result != Result::eErrorLayerNotPresent &&
         result != Result::eErrorExtensionNotPresent;
}

// Returns null when there is no Vulkan. Throws for failures that may be temporary.
const Instance* create() {
  set_lavapipe_threads();
  try {
    // Never destroyed: at exit, drivers and layers destroy their static objects in unspecified order, and
    // vkDestroyInstance crashes after that.
    return new Instance();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const ::vk::SystemError& error) {
    const auto result = static_cast<::vk::Result>(error.code().value());
    if (may_be_temporary(result)) fail_vulkan(result, "looking for devices");
    log().warn("There is no usable Vulkan: {}", error.what());
    return nullptr;
  } catch (const std::exception& error) {  // there is no loader, or it has no driver
    log().warn("There is no usable Vulkan: {}", error.what());
    return nullptr;
  }
}

}  // namespace

const Instance* Instance::get() {
  static const Instance* const instance = create();
  return instance;
}

Instance::Instance() {
  const std::uint32_t version = context_.enumerateInstanceVersion();
  check(version >= VK_API_VERSION_1_2, Code::kNoDevice, "The Vulkan loader has version {}.{}; 1.2 is expected.",
        VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
  const ::vk::ApplicationInfo application("aclvk", 0, "aclvk", 0, std::min<std::uint32_t>(version, VK_API_VERSION_1_3));
  const bool validation = validation_wanted(context_);
  std::vector<const char*> layers;
  std::vector<const char*> extensions;
  if (validation) {
    layers.push_back(kValidationLayer);
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  }
  instance_ = ::vk::raii::Instance(context_, ::vk::InstanceCreateInfo({}, &application, layers, extensions));
  if (validation) add_messenger();
  choose_devices();
}

void Instance::add_messenger() {
  // The C struct, because the type of the callback differs between versions of Vulkan-Hpp.
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = on_message;
  messenger_ = ::vk::raii::DebugUtilsMessengerEXT(instance_, ::vk::DebugUtilsMessengerCreateInfoEXT(info));
}

void Instance::choose_devices() {
  const ::vk::raii::PhysicalDevices all(instance_);
  std::vector<DeviceProfile> profiles;
  for (const auto& device : all) {
    profiles.push_back(profile_of(device));
    names_.push_back(profiles.back().info.name);
    const auto reason = why_unusable(profiles.back());
    if (!reason) continue;
    log().info("{}", *reason);
    last_rejection_ = *reason;
  }
  for (const std::size_t index : select_devices(profiles, config().device)) {
    devices_.emplace_back(instance_, *all[index]);
    infos_.push_back(profiles[index].info);
  }
}

const std::vector<DeviceInfo>& list_devices() {
  static const std::vector<DeviceInfo> none;
  if (const DeviceSource* source = device_source()) return source->devices();
  const Instance* instance = Instance::get();
  return instance ? instance->infos() : none;
}

std::string why_no_devices() {
  if (const DeviceSource* source = device_source()) return source->why_none();
  const Instance* instance = Instance::get();
  if (!instance) return "There is no Vulkan loader, or it finds no driver.";
  if (instance->all_device_names().empty()) return "Vulkan finds no device: no driver is installed for one.";
  if (!config().device.empty()) {
    return fmt::format("ACLVK_DEVICE is \"{}\"; Vulkan finds {}.", config().device,
                       fmt::join(instance->all_device_names(), ", "));
  }
  return instance->last_rejection();
}

std::uint64_t validation_errors() { return error_count; }

}  // namespace aclvk::vk
