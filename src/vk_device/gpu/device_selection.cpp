#include "vk_device/gpu/device_selection.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aclvk::vk {
namespace {

constexpr std::uint32_t kVersion12 = 1U << 22 | 2U << 12;  // VK_API_VERSION_1_2, without Vulkan's header

}  // namespace

std::optional<std::string> why_unusable(const DeviceProfile& profile) {
  const std::string& name = profile.info.name;
  const std::uint32_t version = profile.info.api_version;
  if (version < kVersion12) {
    return fmt::format("{} offers Vulkan {}.{}; 1.2 is needed.", name, version >> 22, version >> 12 & 0x3FF);
  }
  if (!profile.compute_queue) return fmt::format("{} has no compute queue.", name);
  if (!profile.timeline_semaphores) return fmt::format("{} has no timeline semaphores.", name);
  if (!profile.buffer_device_addresses) return fmt::format("{} has no buffer device addresses.", name);
  if (!profile.synchronization2) return fmt::format("{} has no synchronization2.", name);
  return std::nullopt;
}

std::vector<std::size_t> select_devices(const std::vector<DeviceProfile>& profiles, std::string_view filter) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const bool named = profiles[i].info.name.find(filter) != std::string::npos;
    if (named && !why_unusable(profiles[i])) indices.push_back(i);
  }
  // DeviceKind is declared best first. A stable sort keeps the driver's order within a kind.
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::size_t a, std::size_t b) { return profiles[a].info.kind < profiles[b].info.kind; });
  return indices;
}

}  // namespace aclvk::vk
