#include "raw/device.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace raw {
namespace {

vk::raii::PhysicalDevice find(const vk::raii::Instance& instance, const aclvkDeviceInfo& wanted) {
  for (auto& device : vk::raii::PhysicalDevices(instance)) {
    using Id = vk::PhysicalDeviceIDProperties;
    const auto properties = device.getProperties2<vk::PhysicalDeviceProperties2, Id>();
    const auto& uuid = properties.get<Id>().deviceUUID;
    const std::string name = properties.get<vk::PhysicalDeviceProperties2>().properties.deviceName.data();
    if (name == wanted.name && std::equal(uuid.begin(), uuid.end(), wanted.uuid)) return device;
  }
  throw std::runtime_error(std::string("Vulkan shows no device ") + wanted.name + " any more.");
}

// The compute family with the most queues, as the library selects it.
std::uint32_t compute_family(const vk::raii::PhysicalDevice& device) {
  const auto families = device.getQueueFamilyProperties();
  std::uint32_t best = 0;
  std::uint32_t most_queues = 0;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    if (!(families[i].queueFlags & vk::QueueFlagBits::eCompute) || families[i].queueCount <= most_queues) continue;
    best = i;
    most_queues = families[i].queueCount;
  }
  return best;
}

std::uint32_t memory_type(const Device& device, std::uint32_t bits) {
  const auto memory = device.physical().getMemoryProperties();
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const bool local =
        static_cast<bool>(memory.memoryTypes[i].propertyFlags & vk::MemoryPropertyFlagBits::eDeviceLocal);
    if ((bits & 1U << i) != 0 && local) return i;
  }
  throw std::runtime_error("The device has no local memory for a storage buffer.");
}

}  // namespace

Device::Device(const aclvkDeviceInfo& wanted) {
  const vk::ApplicationInfo application("aclvk-bench", 0, "", 0, VK_API_VERSION_1_3);
  instance_ = vk::raii::Instance(context_, vk::InstanceCreateInfo({}, &application));
  physical_ = find(instance_, wanted);
  family_ = compute_family(physical_);

  const auto offered = physical_.getFeatures2<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                                              vk::PhysicalDeviceVulkan12Features>();
  int64_ = offered.get<vk::PhysicalDeviceFeatures2>().features.shaderInt64;
  using Driver = vk::PhysicalDeviceDriverProperties;
  using Subgroup = vk::PhysicalDeviceSubgroupProperties;
  const auto about = physical_.getProperties2<vk::PhysicalDeviceProperties2, Driver, Subgroup>();
  cpu_ = about.get<vk::PhysicalDeviceProperties2>().properties.deviceType == vk::PhysicalDeviceType::eCpu;
  const auto& subgroup = about.get<Subgroup>();
  shuffles_eight_lanes_ = subgroup.subgroupSize >= 8 &&
                          (subgroup.supportedOperations & vk::SubgroupFeatureFlagBits::eShuffle) &&
                          (subgroup.supportedStages & vk::ShaderStageFlagBits::eCompute);
  lavapipe_ = about.get<Driver>().driverID == vk::DriverId::eMesaLlvmpipe;
  vk::StructureChain<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                     vk::PhysicalDeviceVulkan12Features, vk::PhysicalDeviceSynchronization2Features>
      features;
  // Only the features that the raw kernels use.
  features.get<vk::PhysicalDeviceFeatures2>().features.shaderInt64 = int64_;
  features.get<vk::PhysicalDeviceVulkan12Features>().timelineSemaphore = VK_TRUE;
  features.get<vk::PhysicalDeviceVulkan12Features>().bufferDeviceAddress = VK_TRUE;
  features.get<vk::PhysicalDeviceSynchronization2Features>().synchronization2 = VK_TRUE;

  const float priority = 1;
  const vk::DeviceQueueCreateInfo queues({}, family_, 1, &priority);
  std::vector<const char*> extensions;
  if (wanted.vulkanVersion < VK_API_VERSION_1_3) extensions.push_back(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
  vk::DeviceCreateInfo info({}, queues, {}, extensions);
  info.pNext = &features.get<vk::PhysicalDeviceFeatures2>();
  device_ = vk::raii::Device(physical_, info);
  queue_ = device_.getQueue(family_, 0);
  const vk::SemaphoreTypeCreateInfo type(vk::SemaphoreType::eTimeline, 0);
  vk::SemaphoreCreateInfo semaphore;
  semaphore.pNext = &type;
  timeline_ = vk::raii::Semaphore(device_, semaphore);
}

void Device::submit(vk::CommandBuffer commands) {
  const vk::CommandBufferSubmitInfo buffer(commands);
  const vk::SemaphoreSubmitInfo signal(*timeline_, ++submitted_, vk::PipelineStageFlagBits2::eAllCommands);
  const vk::SubmitInfo2 info({}, {}, buffer, signal);
  check_result((*queue_).submit2(1, &info, nullptr, functions()), "vkQueueSubmit2");
}

void Device::wait() {
  const vk::Semaphore semaphore = *timeline_;
  const vk::SemaphoreWaitInfo info({}, semaphore, submitted_);
  check_result((*device_).waitSemaphores(&info, UINT64_MAX, functions()), "vkWaitSemaphores");
}

Buffer::Buffer(Device& device, std::uint64_t bytes, float word) : bytes_(bytes) {
  using Usage = vk::BufferUsageFlagBits;
  const vk::BufferCreateInfo info(
      {}, bytes, Usage::eStorageBuffer | Usage::eTransferSrc | Usage::eTransferDst | Usage::eShaderDeviceAddress);
  buffer_ = vk::raii::Buffer(device.get(), info);
  const auto needed = buffer_.getMemoryRequirements();
  const vk::MemoryAllocateFlagsInfo flags(vk::MemoryAllocateFlagBits::eDeviceAddress);
  vk::MemoryAllocateInfo allocate(needed.size, memory_type(device, needed.memoryTypeBits));
  allocate.pNext = &flags;
  memory_ = vk::raii::DeviceMemory(device.get(), allocate);
  buffer_.bindMemory(*memory_, 0);
  address_ = device.get().getBufferAddress(*buffer_);
  fill(device, word);
}

void Buffer::fill(Device& device, float word) const {
  const vk::raii::CommandPool pool(device.get(), vk::CommandPoolCreateInfo({}, device.family()));
  const vk::CommandBufferAllocateInfo info(*pool, vk::CommandBufferLevel::ePrimary, 1);
  const auto commands = std::move(vk::raii::CommandBuffers(device.get(), info).front());
  std::uint32_t bits = 0;
  std::memcpy(&bits, &word, sizeof(bits));
  commands.begin(vk::CommandBufferBeginInfo());
  commands.fillBuffer(*buffer_, 0, VK_WHOLE_SIZE, bits);
  commands.end();
  device.submit(*commands);
  device.wait();
}

Pipeline::Pipeline(const Device& device, const std::uint32_t* words, std::size_t count,
                   const std::vector<std::uint32_t>& constants, std::uint32_t buffers) {
  std::vector<vk::DescriptorSetLayoutBinding> bindings;
  for (std::uint32_t i = 0; i < buffers; ++i) {
    bindings.emplace_back(i, vk::DescriptorType::eStorageBuffer, 1, vk::ShaderStageFlagBits::eCompute);
  }
  std::vector<vk::SpecializationMapEntry> entries;
  for (std::uint32_t i = 0; i < constants.size(); ++i) entries.emplace_back(i, i * 4, 4);
  const vk::SpecializationInfo specialization(static_cast<std::uint32_t>(entries.size()), entries.data(),
                                              constants.size() * 4, constants.data());
  const vk::PushConstantRange push(vk::ShaderStageFlagBits::eCompute, 0, 128);
  set_ = vk::raii::DescriptorSetLayout(device.get(), vk::DescriptorSetLayoutCreateInfo({}, bindings));
  layout_ = vk::raii::PipelineLayout(device.get(), vk::PipelineLayoutCreateInfo({}, *set_, push));
  const vk::raii::ShaderModule module(device.get(), vk::ShaderModuleCreateInfo({}, count * 4, words));
  const vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module, "main",
                                                &specialization);
  pipeline_ = vk::raii::Pipeline(device.get(), nullptr, vk::ComputePipelineCreateInfo({}, stage, *layout_));
}

}  // namespace raw
