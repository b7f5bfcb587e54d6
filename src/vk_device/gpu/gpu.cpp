#include "vk_device/gpu/gpu.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <bitset>

#include "base/error.hpp"
#include "base/log.hpp"
#include "vk_device/gpu/instance.hpp"
#include "vk_device/gpu/memory_properties.hpp"
#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

// Streams share queues. More than this cost memory and gain nothing: devices run fewer compute submissions
// concurrently.
constexpr std::uint32_t kMaxQueues = 8;

// Protected memory and AMD's device-coherent memory require features that the library does not enable. Lazily allocated
// memory is for attachments of images.
constexpr auto kSpecialMemory = ::vk::MemoryPropertyFlagBits::eProtected |
                                ::vk::MemoryPropertyFlagBits::eLazilyAllocated |
                                ::vk::MemoryPropertyFlagBits::eDeviceCoherentAMD;

const ::vk::raii::PhysicalDevice& physical_at(std::size_t index) {
  const std::size_t count = list_devices().size();
  check(index < count, Code::kNoDevice, "device {} does not exist; {} Vulkan devices are usable.", index, count);
  return Instance::get()->devices()[index];
}

// Queries CPUID: __builtin_cpu_supports("f16c") needs clang 16. "avx" also says that the operating system saves the
// registers.
bool host_converts_halves() {
#ifdef __x86_64__
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  const bool has_leaf = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0;
  return has_leaf && (ecx & bit_F16C) != 0 && __builtin_cpu_supports("avx") != 0;
#else
  return false;
#endif
}

Quirks quirks_of(const ::vk::raii::PhysicalDevice& physical) {
  using Driver = ::vk::DriverId;
  using Properties = ::vk::PhysicalDeviceDriverProperties;
  const auto driver = physical.getProperties2<::vk::PhysicalDeviceProperties2, Properties>().get<Properties>().driverID;
  Quirks quirks;
#define QUIRK(member, applies, reason) quirks.member = applies;
#include "vk_device/gpu/quirks.def"
#undef QUIRK
  return quirks;
}

std::vector<const char*> wanted_extensions(const ::vk::raii::PhysicalDevice& physical, const DeviceInfo& info,
                                           const Limits& limits) {
  std::vector<const char*> names;
  if (info.api_version < VK_API_VERSION_1_3) names.push_back(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
  if (has_extension(physical, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
    names.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  }
  if (limits.calibrated_timestamps) names.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  if (has_extension(physical, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) {
    names.push_back(VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME);
  }
  return names;
}

}  // namespace

Gpu::Gpu(std::size_t index) : physical_(physical_at(index)), info_(list_devices()[index]) {
  limits_ = limits_of(physical_);
  add_clock_limits(physical_, limits_);
  quirks_ = quirks_of(physical_);
  if (quirks_.private_sparse_memory) limits_.exports_sparse = false;
  memory_ = memory_of(physical_);
  queue_family_ = compute_family(physical_);
  queue_count_ = std::min(kMaxQueues, physical_.getQueueFamilyProperties()[queue_family_].queueCount);
  const auto features = wanted_features(physical_);
  features_ = shader_features(features);
  features_.subgroup_operations = subgroup_operations(physical_);

  // pQueuePriorities is required; equal values state no preference.
  const std::vector<float> priorities(queue_count_, 1.0F);
  std::vector<::vk::DeviceQueueCreateInfo> queues{{{}, queue_family_, priorities}};
  if (limits_.sparse_space > 0) sparse_family_ = vk::sparse_family(physical_);
  const float priority = 1.0F;
  if (sparse_family_ && *sparse_family_ != queue_family_) queues.push_back({{}, *sparse_family_, 1, &priority});
  const auto extensions = wanted_extensions(physical_, info_, limits_);
  ::vk::DeviceCreateInfo create({}, queues, {}, extensions);
  // The chained VkPhysicalDeviceFeatures2 replaces pEnabledFeatures.
  create.pNext = &features.get<::vk::PhysicalDeviceFeatures2>();
  device_ = guarded([&] { return ::vk::raii::Device(physical_, create); }, "opening {}", info_.name);
}

// vkDestroyDevice requires idle queues. After its last signal a queue may still be busy for a moment.
Gpu::~Gpu() { wait_idle(); }

void Gpu::wait_idle() const noexcept {
  try {
    device_.waitIdle();
  } catch (const ::vk::SystemError&) {
    // A lost device counts as idle.
  }
}

void Gpu::expect(::vk::Result result, const char* doing) const {
  mark_lost_if(result);
  vk::expect(result, doing);
}

void Gpu::mark_lost_if(::vk::Result result) const {
  if (result != ::vk::Result::eErrorDeviceLost || lost_.exchange(true)) return;
  log().error("Vulkan device {} is lost: its driver has given it up.", info_.name);
}

void Gpu::check_not_lost() const { check(!lost(), Code::kDriverError, "Vulkan device {} is lost.", info_.name); }

std::optional<std::uint32_t> Gpu::find_memory_type(std::uint32_t bits, ::vk::MemoryPropertyFlags required,
                                                   ::vk::MemoryPropertyFlags preferred) const {
  std::optional<std::uint32_t> best;
  std::size_t best_score = 0;
  for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i) {
    const auto flags = memory_.memoryTypes[i].propertyFlags;
    if (!(bits & 1U << i) || (flags & required) != required || (flags & kSpecialMemory)) continue;
    const std::size_t score = std::bitset<32>(static_cast<std::uint32_t>(flags & preferred)).count();
    if (best && score <= best_score) continue;
    best = i;
    best_score = score;
  }
  return best;
}

std::uint64_t Gpu::heap_bytes(std::uint32_t memory_type) const {
  return memory_.memoryHeaps[memory_.memoryTypes[memory_type].heapIndex].size;
}

}  // namespace aclvk::vk
