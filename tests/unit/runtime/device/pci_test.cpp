#include "runtime/device/pci.hpp"

#include <gtest/gtest.h>

#include <string>

namespace aclvk::runtime {
namespace {

const std::string kRoot = "/sys/devices/pci0000:00/";

TEST(PciTopology, OfDifferentHostBridgesGoesThroughTheHost) {
  EXPECT_EQ(topology_between(kRoot + "0000:00:01.0/0000:01:00.0", "/sys/devices/pci0000:80/0000:80:01.0/0000:81:00.0"),
            Topology::kThroughTheHost);
  EXPECT_EQ(topology_between("", ""), Topology::kThroughTheHost) << "nothing is known";
  EXPECT_EQ(topology_between(kRoot + "0000:01:00.0", ""), Topology::kThroughTheHost);
}

TEST(PciTopology, OfDifferentPortsOfAHostBridge) {
  EXPECT_EQ(topology_between(kRoot + "0000:00:01.0/0000:01:00.0", kRoot + "0000:00:02.0/0000:02:00.0"),
            Topology::kOneHostBridge);
}

TEST(PciTopology, OfOneSwitch) {
  const std::string upstream = kRoot + "0000:00:01.0/0000:01:00.0/";
  EXPECT_EQ(topology_between(upstream + "0000:02:00.0/0000:03:00.0", upstream + "0000:02:01.0/0000:04:00.0"),
            Topology::kOneSwitch);
}

TEST(PciTopology, OfSwitchesBelowASwitch) {
  const std::string upstream = kRoot + "0000:00:01.0/0000:01:00.0/";
  EXPECT_EQ(topology_between(upstream + "0000:02:00.0/0000:03:00.0/0000:04:00.0/0000:05:00.0",
                             upstream + "0000:02:01.0/0000:06:00.0"),
            Topology::kSwitches);
}

}  // namespace
}  // namespace aclvk::runtime
