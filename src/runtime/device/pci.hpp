#pragma once

#include <cstdint>
#include <string>

namespace aclvk::runtime {

// Positions of devices on the PCI bus, where the driver reports them (VK_EXT_pci_bus_info).

/// Returns the address, as in "0000:01:00.0". Throws kInvalidDeviceId, and kFeatureNotSupported where the driver
/// reports none.
std::string pci_address(std::int32_t device_id);
/// Returns the id of the visible device with this address, written with or without its domain. Throws kParamInvalid.
std::int32_t device_at_pci_address(const std::string& address);

/// Bits of ACL_RT_DEVS_TOPOLOGY_*.
enum class Topology : std::uint64_t {
  kSame = 0,             ///< one and the same device
  kOneSwitch = 2,        ///< PIX
  kSwitches = 4,         ///< PIB
  kOneHostBridge = 8,    ///< PHB
  kThroughTheHost = 16,  ///< SYS
};

/// Returns the topology between two devices, from their folders below /sys/devices, as in
/// "/sys/devices/pci0000:00/0000:00:01.0/...".
Topology topology_between(const std::string& folder, const std::string& other);
/// Returns the topology between two visible devices; kThroughTheHost where they are not known to share a bus.
Topology topology_of(std::int32_t device_id, std::int32_t other_id);

}  // namespace aclvk::runtime
