// aclvk/aclvk.h: functions of this library that CANN does not have.
#include "aclvk/aclvk.h"

#include <algorithm>
#include <string>

#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/base/not_supported.hpp"
#include "runtime/device/device.hpp"

using namespace aclvk;
using api::guard;
using api::require;

namespace {

template <std::size_t kSize>
void copy_text(char (&out)[kSize], const std::string& text) {
  out[text.copy(out, kSize - 1)] = '\0';
}

}  // namespace

aclError aclvkGetDeviceInfo(int32_t deviceId, aclvkDeviceInfo* info) {
  return guard(__func__, [&] {
    require(info, "info");
    const vk::DeviceInfo& device = runtime::device_info(deviceId);
    copy_text(info->name, device.name);
    copy_text(info->driver, device.driver);
    std::copy(device.uuid.begin(), device.uuid.end(), info->uuid);
    info->vulkanVersion = device.api_version;
  });
}

aclError aclvkGetStatistics(int32_t deviceId, aclvkStatistics* statistics) {
  return guard(__func__, [&] {
    require(statistics, "statistics");
    vk::Device& gpu = runtime::device(deviceId)->gpu();
    std::uint64_t submissions = 0;
    for (std::size_t i = 0; i < gpu.queue_count(); ++i) submissions += gpu.queue(i).submissions();
    *statistics = {submissions, gpu.created_objects(), gpu.compiled_pipelines()};
  });
}

aclError aclvkGetDeviceFeatures(int32_t deviceId, aclvkDeviceFeatures* features) {
  return guard(__func__, [&] {
    require(features, "features");
    const vk::DeviceInfo& device = runtime::device_info(deviceId);
    vk::Device& gpu = runtime::device(deviceId)->gpu();
    *features = {};
    features->kind = static_cast<aclvkDeviceKind>(device.kind);
    features->computeUnits = device.compute_units;
    features->memoryBytes = device.memory_bytes;
    features->threadsPerGroup = device.threads_per_group;
    features->subgroupThreads = device.subgroup_size;
    features->sharedBytes = device.shared_bytes_per_group;
    features->int64 = gpu.features().int64;
    features->float64 = gpu.features().float64;
    features->timestamps = gpu.has_timestamps();
  });
}

aclError aclvkNotBuilt(const char* function) {
  if (function == nullptr) return guard(__func__, [&] { require(function, "function"); });
  return api::not_supported(function);
}
