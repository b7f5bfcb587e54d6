#include "vk_device/gpu/physical_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "vk_device/gpu/memory_properties.hpp"

namespace aclvk::vk {
namespace {

using Queues = ::vk::QueueFlagBits;

// Kernels access operands through views of up to 16 bytes (shaders/common/kernel.glsl), so bindings start at multiples
// of 16 even where the device allows less.
constexpr std::uint64_t kWidestView = 16;

DeviceKind kind_of(::vk::PhysicalDeviceType type) {
  switch (type) {
    case ::vk::PhysicalDeviceType::eDiscreteGpu: return DeviceKind::kDiscrete;
    case ::vk::PhysicalDeviceType::eIntegratedGpu: return DeviceKind::kIntegrated;
    case ::vk::PhysicalDeviceType::eVirtualGpu: return DeviceKind::kVirtual;
    case ::vk::PhysicalDeviceType::eCpu: return DeviceKind::kCpu;
    default: return DeviceKind::kOther;
  }
}

std::uint64_t local_memory(const ::vk::raii::PhysicalDevice& device) {
  const auto memory = memory_of(device);
  std::uint64_t largest = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
    const auto& heap = memory.memoryHeaps[i];
    if (heap.flags & ::vk::MemoryHeapFlagBits::eDeviceLocal) largest = std::max<std::uint64_t>(largest, heap.size);
  }
  return largest;
}

// Vulkan has no core query for this. The two vendor extensions cover most discrete GPUs.
std::uint32_t compute_units(const ::vk::raii::PhysicalDevice& device) {
  using Core = ::vk::PhysicalDeviceProperties2;
  if (has_extension(device, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
    using Nvidia = ::vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV;
    return device.getProperties2<Core, Nvidia>().get<Nvidia>().shaderSMCount;
  }
  if (has_extension(device, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
    using Amd = ::vk::PhysicalDeviceShaderCorePropertiesAMD;
    const auto core = device.getProperties2<Core, Amd>().get<Amd>();
    return core.shaderEngineCount * core.shaderArraysPerEngineCount * core.computeUnitsPerShaderArray;
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

std::string pci_address(const ::vk::raii::PhysicalDevice& device) {
  if (!has_extension(device, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) return {};
  using Core = ::vk::PhysicalDeviceProperties2;
  using Bus = ::vk::PhysicalDevicePCIBusInfoPropertiesEXT;
  const auto bus = device.getProperties2<Core, Bus>().get<Bus>();
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", bus.pciDomain, bus.pciBus, bus.pciDevice, bus.pciFunction);
}

void add_group_limits(const ::vk::raii::PhysicalDevice& device, DeviceInfo& info) {
  using Core = ::vk::PhysicalDeviceProperties2;
  using Second = ::vk::PhysicalDeviceVulkan11Properties;
  const auto chain = device.getProperties2<Core, Second>();
  const auto& limits = chain.get<Core>().properties.limits;
  info.subgroup_size = chain.get<Second>().subgroupSize;
  info.subgroup_shuffle = (subgroup_operations(device) & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0;
  info.threads_per_group = limits.maxComputeWorkGroupInvocations;
  info.shared_bytes_per_group = limits.maxComputeSharedMemorySize;
  std::copy_n(limits.maxComputeWorkGroupSize.begin(), 3, info.group_size.begin());
  std::copy_n(limits.maxComputeWorkGroupCount.begin(), 3, info.group_count.begin());
}

FeatureChain all_features(const ::vk::raii::PhysicalDevice& device) {
  return device.getFeatures2<::vk::PhysicalDeviceFeatures2, ::vk::PhysicalDeviceVulkan11Features,
                             ::vk::PhysicalDeviceVulkan12Features, ::vk::PhysicalDeviceSynchronization2Features>();
}

bool has_synchronization2(const ::vk::raii::PhysicalDevice& device, const DeviceInfo& info) {
  return info.api_version >= VK_API_VERSION_1_3 || has_extension(device, VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
}

// Returns whether memory of buffers can be exported and imported without a dedicated allocation.
bool exports_buffers(const ::vk::raii::PhysicalDevice& device, ::vk::BufferCreateFlags flags) {
  using Feature = ::vk::ExternalMemoryFeatureFlagBits;
  if (!has_extension(device, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) return false;
  const ::vk::PhysicalDeviceExternalBufferInfo buffer(flags, kBufferUsage,
                                                      ::vk::ExternalMemoryHandleTypeFlagBits::eOpaqueFd);
  const auto features = device.getExternalBufferProperties(buffer).externalMemoryProperties.externalMemoryFeatures;
  return (features & Feature::eExportable) && (features & Feature::eImportable) &&
         !(features & Feature::eDedicatedOnly);
}

// Reservations are mapped in parts, so sparseResidencyBuffer is required. sparseResidencyAliased additionally allows
// mapping the same memory twice.
void add_sparse_limits(const ::vk::raii::PhysicalDevice& device, Limits& limits) {
  using Flag = ::vk::BufferCreateFlagBits;
  const auto features = device.getFeatures();
  if (!features.sparseBinding || !features.sparseResidencyBuffer || !sparse_family(device)) return;
  limits.sparse_space = device.getProperties().limits.sparseAddressSpaceSize;
  limits.sparse_flags = Flag::eSparseBinding | Flag::eSparseResidency;
  if (features.sparseResidencyAliased) limits.sparse_flags |= Flag::eSparseAliased;
  limits.exports_sparse = exports_buffers(device, limits.sparse_flags);
}

}  // namespace

bool has_extension(const ::vk::raii::PhysicalDevice& device, const char* name) {
  const auto extensions = device.enumerateDeviceExtensionProperties();
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const auto& extension) { return std::strcmp(extension.extensionName, name) == 0; });
}

DeviceProfile profile_of(const ::vk::raii::PhysicalDevice& device) {
  DeviceProfile profile;
  const auto properties = device.getProperties();
  profile.info.name = properties.deviceName.data();
  profile.info.kind = kind_of(properties.deviceType);
  profile.info.api_version = properties.apiVersion;
  if (properties.apiVersion < VK_API_VERSION_1_2) return profile;  // the queries below require Vulkan 1.2

  using Driver = ::vk::PhysicalDeviceDriverProperties;
  using Id = ::vk::PhysicalDeviceIDProperties;
  const auto details = device.getProperties2<::vk::PhysicalDeviceProperties2, Driver, Id>();
  const auto& driver = details.get<Driver>();
  profile.info.driver = fmt::format("{} {}", driver.driverName.data(), driver.driverInfo.data());
  std::copy_n(details.get<Id>().deviceUUID.begin(), profile.info.uuid.size(), profile.info.uuid.begin());
  profile.info.compute_units = compute_units(device);
  profile.info.memory_bytes = local_memory(device);
  profile.info.pci_address = pci_address(device);
  add_group_limits(device, profile.info);
  for (const auto& family : device.getQueueFamilyProperties()) {
    profile.compute_queue |= static_cast<bool>(family.queueFlags & Queues::eCompute);
  }
  const auto features = all_features(device);
  const auto& vulkan12 = features.get<::vk::PhysicalDeviceVulkan12Features>();
  profile.timeline_semaphores = vulkan12.timelineSemaphore;
  profile.buffer_device_addresses = vulkan12.bufferDeviceAddress;
  profile.synchronization2 = has_synchronization2(device, profile.info) &&
                             features.get<::vk::PhysicalDeviceSynchronization2Features>().synchronization2;
  return profile;
}

Limits limits_of(const ::vk::raii::PhysicalDevice& device) {
  using Core = ::vk::PhysicalDeviceProperties2;
  using Sizes = ::vk::PhysicalDeviceMaintenance3Properties;
  using BufferSizes = ::vk::PhysicalDeviceMaintenance4Properties;
  using Import = ::vk::PhysicalDeviceExternalMemoryHostPropertiesEXT;
  const auto chain = device.getProperties2<Core, Sizes>();
  const auto& properties = chain.get<Core>().properties;

  Limits limits;
  limits.max_storage_buffer_range = properties.limits.maxStorageBufferRange;
  limits.storage_buffer_alignment = std::max(properties.limits.minStorageBufferOffsetAlignment, kWidestView);
  limits.max_storage_buffers = properties.limits.maxPerStageDescriptorStorageBuffers;
  std::copy_n(properties.limits.maxComputeWorkGroupCount.begin(), 3, limits.max_groups);
  std::copy_n(properties.limits.maxComputeWorkGroupSize.begin(), 3, limits.max_local_size);
  limits.max_threads = properties.limits.maxComputeWorkGroupInvocations;
  limits.max_shared_bytes = properties.limits.maxComputeSharedMemorySize;
  limits.max_allocation = chain.get<Sizes>().maxMemoryAllocationSize;
  // maxBufferSize is of Vulkan 1.3 (VK_KHR_maintenance4). Without it, maxMemoryAllocationSize is the only limit.
  if (properties.apiVersion >= VK_API_VERSION_1_3) {
    limits.max_buffer = device.getProperties2<Core, BufferSizes>().get<BufferSizes>().maxBufferSize;
  }
  if (has_extension(device, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
    limits.host_import_alignment = device.getProperties2<Core, Import>().get<Import>().minImportedHostPointerAlignment;
  }
  limits.exports_buffers = exports_buffers(device, {});
  add_sparse_limits(device, limits);
  return limits;
}

void add_clock_limits(const ::vk::raii::PhysicalDevice& device, Limits& limits) {
  const auto& properties = device.getProperties();
  // Queries are reused and reset from the host, which requires hostQueryReset.
  if (!all_features(device).get<::vk::PhysicalDeviceVulkan12Features>().hostQueryReset) return;
  limits.timestamp_bits = device.getQueueFamilyProperties()[compute_family(device)].timestampValidBits;
  limits.timestamp_period = properties.limits.timestampPeriod;
  if (limits.timestamp_bits == 0 || !has_extension(device, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)) return;
  const auto domains = device.getCalibrateableTimeDomainsEXT();
  const auto has = [&](::vk::TimeDomainEXT domain) {
    return std::find(domains.begin(), domains.end(), domain) != domains.end();
  };
  // std::chrono::steady_clock is CLOCK_MONOTONIC.
  limits.calibrated_timestamps = has(::vk::TimeDomainEXT::eDevice) && has(::vk::TimeDomainEXT::eClockMonotonic);
}

FeatureChain wanted_features(const ::vk::raii::PhysicalDevice& device) {
  const auto offered = all_features(device);
  const auto& core = offered.get<::vk::PhysicalDeviceFeatures2>().features;
  const auto& vulkan11 = offered.get<::vk::PhysicalDeviceVulkan11Features>();
  const auto& vulkan12 = offered.get<::vk::PhysicalDeviceVulkan12Features>();
  FeatureChain chain;

  auto& basic = chain.get<::vk::PhysicalDeviceFeatures2>().features;
  basic.shaderInt64 = core.shaderInt64;
  basic.shaderInt16 = core.shaderInt16;
  basic.shaderFloat64 = core.shaderFloat64;
  basic.sparseBinding = core.sparseBinding;
  basic.sparseResidencyBuffer = core.sparseResidencyBuffer;
  basic.sparseResidencyAliased = core.sparseResidencyAliased;

  auto& second = chain.get<::vk::PhysicalDeviceVulkan11Features>();
  second.storageBuffer16BitAccess = vulkan11.storageBuffer16BitAccess;
  second.uniformAndStorageBuffer16BitAccess = vulkan11.uniformAndStorageBuffer16BitAccess;
  second.variablePointersStorageBuffer = vulkan11.variablePointersStorageBuffer;
  second.variablePointers = vulkan11.variablePointers;

  auto& third = chain.get<::vk::PhysicalDeviceVulkan12Features>();
  // Every usable device has these two, and synchronization2 (why_unusable()).
  third.timelineSemaphore = VK_TRUE;
  third.bufferDeviceAddress = VK_TRUE;
  third.shaderInt8 = vulkan12.shaderInt8;
  third.shaderFloat16 = vulkan12.shaderFloat16;
  third.storageBuffer8BitAccess = vulkan12.storageBuffer8BitAccess;
  third.uniformAndStorageBuffer8BitAccess = vulkan12.uniformAndStorageBuffer8BitAccess;
  third.scalarBlockLayout = vulkan12.scalarBlockLayout;
  third.hostQueryReset = vulkan12.hostQueryReset;
  third.shaderBufferInt64Atomics = vulkan12.shaderBufferInt64Atomics;
  third.shaderSubgroupExtendedTypes = vulkan12.shaderSubgroupExtendedTypes;
  third.vulkanMemoryModel = vulkan12.vulkanMemoryModel;
  third.vulkanMemoryModelDeviceScope = vulkan12.vulkanMemoryModelDeviceScope;

  chain.get<::vk::PhysicalDeviceSynchronization2Features>().synchronization2 = VK_TRUE;
  return chain;
}

Features shader_features(const FeatureChain& chain) {
  const auto& core = chain.get<::vk::PhysicalDeviceFeatures2>().features;
  const auto& vulkan11 = chain.get<::vk::PhysicalDeviceVulkan11Features>();
  const auto& vulkan12 = chain.get<::vk::PhysicalDeviceVulkan12Features>();
  Features features;
  features.int64 = core.shaderInt64;
  features.int16 = core.shaderInt16;
  features.float64 = core.shaderFloat64;
  features.int8 = vulkan12.shaderInt8;
  features.float16 = vulkan12.shaderFloat16;
  features.storage16 = vulkan11.storageBuffer16BitAccess;
  features.storage8 = vulkan12.storageBuffer8BitAccess;
  features.uniform_storage16 = vulkan11.uniformAndStorageBuffer16BitAccess;
  features.uniform_storage8 = vulkan12.uniformAndStorageBuffer8BitAccess;
  features.int64_atomics = vulkan12.shaderBufferInt64Atomics;
  features.variable_pointers_buffer = vulkan11.variablePointersStorageBuffer;
  features.variable_pointers = vulkan11.variablePointers;
  features.memory_model = vulkan12.vulkanMemoryModel;
  features.memory_model_device_scope = vulkan12.vulkanMemoryModelDeviceScope;
  features.scalar_block_layout = vulkan12.scalarBlockLayout;
  return features;
}

std::uint32_t subgroup_operations(const ::vk::raii::PhysicalDevice& device) {
  using Subgroup = ::vk::PhysicalDeviceSubgroupProperties;
  const auto subgroup = device.getProperties2<::vk::PhysicalDeviceProperties2, Subgroup>().get<Subgroup>();
  const bool in_compute = static_cast<bool>(subgroup.supportedStages & ::vk::ShaderStageFlagBits::eCompute);
  return in_compute ? static_cast<std::uint32_t>(subgroup.supportedOperations) : 0;
}

std::uint32_t compute_family(const ::vk::raii::PhysicalDevice& device) {
  const auto families = device.getQueueFamilyProperties();
  std::uint32_t best = 0;
  std::uint32_t most_queues = 0;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    if (!(families[i].queueFlags & Queues::eCompute) || families[i].queueCount <= most_queues) continue;
    best = i;
    most_queues = families[i].queueCount;
  }
  return best;
}

std::optional<std::uint32_t> sparse_family(const ::vk::raii::PhysicalDevice& device) {
  const auto families = device.getQueueFamilyProperties();
  const std::uint32_t own = compute_family(device);
  if (families[own].queueFlags & Queues::eSparseBinding) return own;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    if (families[i].queueFlags & Queues::eSparseBinding) return i;
  }
  return std::nullopt;
}

}  // namespace aclvk::vk
