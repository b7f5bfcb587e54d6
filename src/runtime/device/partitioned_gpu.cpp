#include "runtime/device/partitioned_gpu.hpp"

#include <algorithm>

#include "base/config.hpp"

namespace aclvk::runtime {
namespace {

// Device::peers_ has one bit for each partition.
constexpr long kMaxPartitions = 64;

}  // namespace

PartitionedGpu::PartitionedGpu(std::size_t index, std::size_t devices) : device(vk::Device::open(index)) {
  if (devices == 1) {
    // An aliasing shared_ptr: the memory is a member of the device, and keeps it alive.
    memories.emplace_back(device, &device->memory());
    return;
  }
  const std::uint64_t share = device->memory().total_bytes() / devices;
  for (std::size_t i = 0; i < devices; ++i) memories.push_back(device->create_memory(share));
}

std::size_t devices_per_gpu() {
  return static_cast<std::size_t>(std::clamp(config().devices_per_gpu, 1L, kMaxPartitions));
}

}  // namespace aclvk::runtime
