#pragma once

#include <cstdint>
#include <string>

namespace aclvk::runtime {

// Where devices sit on the PCI bus, as far as their drivers tell (VK_EXT_pci_bus_info).

/// "0000:01:00.0". Throws kInvalidDeviceId, and kFeatureNotSupported where the driver tells no address.
std::string pci_address(std::int32_t device_id);
/// The visible device with this address, written with or without its domain. Throws kParamInvalid.
std::int32_t device_at_pci_address(const std::string& address);

/// Bits of ACL_RT_DEVS_TOPOLOGY_*.
enum class Topology : std::uint64_t {
  kSame = 0,             ///< a device and itself
  kOneSwitch = 2,        ///< PIX
  kSwitches = 4,         ///< PIB
  kOneHostBridge = 8,    ///< PHB
  kThroughTheHost = 16,  ///< SYS
};

/// The way between two devices, by their folders below /sys/devices: "/sys/devices/pci0000:00/0000:00:01.0/...".
Topology topology_between(const std::string& folder, const std::string& other);
/// The way between two visible devices. What is not known to share a bus goes through the host.
Topology topology_of(std::int32_t device_id, std::int32_t other_id);

}  // namespace aclvk::runtime
