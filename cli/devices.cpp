#include "devices.hpp"

#include <fmt/format.h>

#include "acl/acl.h"
#include "aclvk/aclvk.h"

namespace cli {
namespace {

const char* kind_name(aclvkDeviceKind kind) {
  switch (kind) {
    case ACLVK_DEVICE_DISCRETE: return "discrete GPU";
    case ACLVK_DEVICE_INTEGRATED: return "integrated GPU";
    case ACLVK_DEVICE_VIRTUAL: return "virtual GPU";
    case ACLVK_DEVICE_CPU: return "CPU";
    case ACLVK_DEVICE_OTHER: break;
  }
  return "other";
}

// Drivers without VK_EXT_pci_bus_info report no address.
std::string bus_of(const Library& library, int id) {
  char address[32] = {};
  const bool known = CLI_FIND(library, aclrtDeviceGetPCIBusId)(id, address, sizeof(address)) == ACL_SUCCESS;
  return known ? address : "";
}

DeviceReport describe(const Library& library, int id) {
  aclvkDeviceInfo info{};
  aclvkDeviceFeatures features{};
  CLI_CHECK(library, aclvkGetDeviceInfo, id, &info);
  CLI_CHECK(library, aclvkGetDeviceFeatures, id, &features);
  CLI_CHECK(library, aclrtSetDevice, id);
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  CLI_CHECK(library, aclrtGetMemInfo, ACL_HBM_MEM, &free_bytes, &total);

  DeviceReport report;
  report.id = id;
  report.name = info.name;
  report.driver = info.driver;
  // A Vulkan version has 10 bits of minor and 12 bits of patch version below the major one (VK_MAKE_API_VERSION).
  report.vulkan =
      fmt::format("{}.{}.{}", info.vulkanVersion >> 22, info.vulkanVersion >> 12 & 0x3FF, info.vulkanVersion & 0xFFF);
  report.kind = kind_name(features.kind);
  report.bus = bus_of(library, id);
  report.memory_bytes = total;
  report.free_bytes = free_bytes;
  report.compute_units = features.computeUnits;
  report.threads_per_group = features.threadsPerGroup;
  report.subgroup_threads = features.subgroupThreads;
  report.int64 = features.int64 != 0;
  report.float64 = features.float64 != 0;
  report.timestamps = features.timestamps != 0;
  CLI_CHECK(library, aclrtResetDevice, id);
  return report;
}

}  // namespace

std::vector<std::string> DeviceReport::dtypes() const {
  std::vector<std::string> names{"FLOAT", "FLOAT16", "BF16",   "INT8", "INT16",     "INT32",
                                 "UINT8", "UINT16",  "UINT32", "BOOL", "COMPLEX32", "COMPLEX64"};
  if (int64) names.insert(names.end(), {"INT64", "UINT64"});
  if (float64) names.insert(names.end(), {"DOUBLE", "COMPLEX128"});
  return names;
}

std::vector<std::string> DeviceReport::missing_dtypes() const {
  std::vector<std::string> names;
  if (!int64) names.insert(names.end(), {"INT64", "UINT64"});
  if (!float64) names.insert(names.end(), {"DOUBLE", "COMPLEX128"});
  return names;
}

std::vector<DeviceReport> describe_devices(const Library& library) {
  CLI_CHECK(library, aclInit, nullptr);
  std::uint32_t count = 0;
  CLI_CHECK(library, aclrtGetDeviceCount, &count);
  std::vector<DeviceReport> reports;
  for (std::uint32_t id = 0; id < count; ++id) reports.push_back(describe(library, static_cast<int>(id)));
  CLI_FIND(library, aclFinalize)();
  return reports;
}

}  // namespace cli
