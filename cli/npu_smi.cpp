// A replacement of npu-smi, with the queries that scripts use to learn the number, names and memory of devices. Each
// device appears as an NPU with one chip. Values that only a board can provide are "-" or 0.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "commands.hpp"
#include "devices.hpp"

namespace cli {
namespace {

constexpr std::uint64_t kMiB = 1024 * 1024;
// Columns and words are those of npu-smi, since scripts search the output for them.
const std::string kRule = "+" + std::string(27, '-') + "+" + std::string(17, '-') + "+" + std::string(54, '-') + "+\n";

void print_usage() {
  fmt::print(
      "Usage: npu-smi info       a table of the devices\n"
      "       npu-smi info -l    their numbers\n"
      "       npu-smi info -m    which chip has which number\n"
      "aclvk answers in place of an NPU's tool; \"aclvk info\" tells more about Vulkan devices.\n");
}

void print_table(const std::vector<DeviceReport>& devices) {
  const auto row = [](const std::string& a, const std::string& b, const std::string& c) {
    fmt::print("| {:<25.25} | {:<15.15} | {:<52.52} |\n", a, b, c);
  };
  fmt::print("{0}| {1:<98} |\n{0}", kRule, "npu-smi of aclvk " ACLVK_VERSION "    Version: " ACLVK_VERSION);
  row("NPU     Name", "Health", "Power(W)     Temp(C)           Hugepages-Usage(page)");
  row("Chip", "Bus-Id", "AICore(%)    Memory-Usage(MB)  HBM-Usage(MB)");
  fmt::print("{}", kRule);
  for (const DeviceReport& device : devices) {
    const std::uint64_t total = device.memory_bytes / kMiB;
    const std::uint64_t used = total - device.free_bytes / kMiB;
    row(fmt::format("{:<7} {}", device.id, device.name), "OK", "-            -                 0    / 0");
    row("0", device.bus.empty() ? "NA" : device.bus, fmt::format("{:<12} {:<17} {}/ {}", 0, "0    / 0", used, total));
    fmt::print("{}", kRule);
  }
}

void print_list(const std::vector<DeviceReport>& devices) {
  fmt::print("        Total Count                    : {}\n", devices.size());
  for (const DeviceReport& device : devices) {
    fmt::print("\n        NPU ID                         : {}\n", device.id);
    fmt::print("        Chip Count                     : 1\n");
  }
}

void print_mapping(const std::vector<DeviceReport>& devices) {
  fmt::print("        {:<30} {:<30} {:<30} {}\n", "NPU ID", "Chip ID", "Chip Logic ID", "Chip Name");
  for (const DeviceReport& device : devices) {
    fmt::print("        {:<30} {:<30} {:<30} {}\n", device.id, 0, device.id, device.name);
  }
}

}  // namespace

int npu_smi(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const bool short_question = words.size() == 1 || (words.size() == 2 && (words[1] == "-l" || words[1] == "-m"));
  if (words.empty() || words[0] == "-h" || words[0] == "--help") return print_usage(), words.empty() ? 1 : 0;
  if (words[0] == "-v") return fmt::print("npu-smi version: {}\n", ACLVK_VERSION), 0;
  if (words[0] != "info" || !short_question) {
    fmt::print(stderr, "npu-smi: aclvk does not know \"{}\"; it stands in for \"info\", \"info -l\" and \"info -m\".\n",
               fmt::join(words, " "));
    return 1;
  }
  const Library library;
  const std::vector<DeviceReport> devices = describe_devices(library);
  words.size() == 1 ? print_table(devices) : words[1] == "-l" ? print_list(devices) : print_mapping(devices);
  return 0;
}

}  // namespace cli
