#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "library.hpp"

namespace cli {

struct DeviceReport {
  int id = 0;
  std::string name;
  std::string driver;
  std::string vulkan;
  std::string kind;
  std::string bus;  ///< PCI address; empty if unknown
  std::uint64_t memory_bytes = 0;
  std::uint64_t free_bytes = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t threads_per_group = 0;
  std::uint32_t subgroup_threads = 0;
  bool int64 = false;
  bool float64 = false;
  bool timestamps = false;

  std::vector<std::string> dtypes() const;          ///< dtypes in which operators compute on this device
  std::vector<std::string> missing_dtypes() const;  ///< dtypes that need 64-bit types which the device lacks
};

/// Opens each visible device and describes it. Empty when there is none.
std::vector<DeviceReport> describe_devices(const Library& library);

}  // namespace cli
