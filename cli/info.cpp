// aclvk info: describes the devices.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "devices.hpp"
#include "installation.hpp"

namespace cli {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

std::string device_text(const DeviceReport& device) {
  std::string text = fmt::format("Device {}: {}\n", device.id, device.name);
  const auto line = [&](const char* title, const std::string& value) {
    text += fmt::format("  {:<10} {}\n", title, value);
  };
  line("kind", device.bus.empty() ? device.kind : device.kind + " at " + device.bus);
  line("driver", device.driver);
  line("Vulkan", device.vulkan);
  line("memory", fmt::format("{:.1f} GiB, {:.1f} GiB free", static_cast<double>(device.memory_bytes) / kGiB,
                             static_cast<double>(device.free_bytes) / kGiB));
  line("compute", fmt::format("{} units; {} threads in a group, {} in a subgroup", device.compute_units,
                              device.threads_per_group, device.subgroup_threads));
  line("dtypes", fmt::format("{}", fmt::join(device.dtypes(), " ")));
  if (!device.missing_dtypes().empty()) {
    line("not", fmt::format("{}: the device has no such 64-bit types", fmt::join(device.missing_dtypes(), " ")));
  }
  line("times", device.timestamps ? "of the device" : "of the host only");
  return text;
}

nlohmann::ordered_json device_json(const DeviceReport& device) {
  return {{"id", device.id},
          {"name", device.name},
          {"kind", device.kind},
          {"bus", device.bus},
          {"driver", device.driver},
          {"vulkan", device.vulkan},
          {"memory_bytes", device.memory_bytes},
          {"free_bytes", device.free_bytes},
          {"compute_units", device.compute_units},
          {"threads_per_group", device.threads_per_group},
          {"subgroup_threads", device.subgroup_threads},
          {"dtypes", device.dtypes()},
          {"timestamps", device.timestamps}};
}

void show(bool json) {
  const Library library;
  const std::vector<DeviceReport> devices = describe_devices(library);
  if (json) {
    auto list = nlohmann::ordered_json::array();
    for (const DeviceReport& device : devices) list.push_back(device_json(device));
    const nlohmann::ordered_json report{{"version", ACLVK_VERSION}, {"home", home().string()}, {"devices", list}};
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("aclvk {} in {}\n", ACLVK_VERSION, home().string());
    for (const DeviceReport& device : devices) fmt::print("\n{}", device_text(device));
  }
  if (devices.empty()) {
    throw std::runtime_error("There is no device that can be used; \"aclvk doctor\" finds out what is missing.");
  }
}

}  // namespace

void add_info(CLI::App& app) {
  auto* command = app.add_subcommand("info", "Devices, drivers, memory, and the dtypes that run");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "As JSON");
  command->callback([json] { show(*json); });
}

}  // namespace cli
