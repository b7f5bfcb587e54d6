#include "runtime/device/pci.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "runtime/device/device.hpp"

namespace aclvk::runtime {
namespace {

namespace fs = std::filesystem;

std::string normalized(std::string address) {
  std::transform(address.begin(), address.end(), address.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool has_domain = std::count(address.begin(), address.end(), ':') == 2;
  return has_domain ? address : "0000:" + address;
}

std::string folder_of(const std::string& address) {
  std::error_code error;
  const fs::path folder = fs::canonical("/sys/bus/pci/devices/" + address, error);
  return error ? "" : folder.string();
}

/// Returns the components of a sysfs path from the host bridge ("pci0000:00") on; empty for a path without one.
std::vector<std::string> bridges_of(const std::string& folder) {
  std::vector<std::string> parts;
  for (const fs::path& part : fs::path(folder)) {
    if (!parts.empty() || part.string().rfind("pci", 0) == 0) parts.push_back(part.string());
  }
  return parts;
}

}  // namespace

std::string pci_address(std::int32_t device_id) {
  const vk::DeviceInfo& info = device_info(device_id);
  check(!info.pci_address.empty(), Code::kFeatureNotSupported,
        "The driver of device {} ({}) tells no PCI address (VK_EXT_pci_bus_info).", device_id, info.name);
  return info.pci_address;
}

std::int32_t device_at_pci_address(const std::string& address) {
  const auto count = static_cast<std::int32_t>(device_count());
  for (std::int32_t id = 0; id < count; ++id) {
    const std::string& own = device_info(id).pci_address;
    if (!own.empty() && own == normalized(address)) return id;
  }
  fail(Code::kParamInvalid, "None of the {} visible devices has the PCI address \"{}\".", count, address);
}

Topology topology_between(const std::string& folder, const std::string& other) {
  const std::vector<std::string> a = bridges_of(folder);
  const std::vector<std::string> b = bridges_of(other);
  const auto split = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto shared = split.first - a.begin();
  if (shared == 0) return Topology::kThroughTheHost;  // different host bridges
  if (shared == 1) return Topology::kOneHostBridge;   // nothing in common but the host bridge
  // Below a common switch two components differ for each device: the downstream port of the switch, and the device.
  const auto longest = std::max(a.end() - split.first, b.end() - split.second);
  return longest <= 2 ? Topology::kOneSwitch : Topology::kSwitches;
}

Topology topology_of(std::int32_t device_id, std::int32_t other_id) {
  const std::string& address = device_info(device_id).pci_address;
  const std::string& other = device_info(other_id).pci_address;
  if (device_id == other_id) return Topology::kSame;
  if (address.empty() || other.empty()) return Topology::kThroughTheHost;
  return topology_between(folder_of(address), folder_of(other));
}

}  // namespace aclvk::runtime
