#include "runtime/process/config_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/device/device.hpp"
#include "runtime/json_document.hpp"

namespace aclvk::runtime {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// The limit of the official runtime (runtime-semantics 1.3).
constexpr std::uintmax_t kMaxBytes = 10U << 20;

std::string read_text(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  check(!error, Code::kInvalidFile, "Configuration file \"{}\" cannot be found: {}.", path.string(), error.message());
  check(fs::is_regular_file(real, error), Code::kInvalidFile, "\"{}\" is not a regular file.", real.string());
  const std::uintmax_t bytes = fs::file_size(real, error);
  check(!error && bytes <= kMaxBytes, Code::kInvalidFile,
        "Configuration file \"{}\" has {} bytes; at most {} are read.", real.string(), bytes, kMaxBytes);
  std::ifstream file(real, std::ios::binary);
  check(file.good(), Code::kInvalidFile, "Configuration file \"{}\" cannot be read.", real.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the member, or null when the object or the member is missing.
const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

bool read_switch(const Json& value, const char* name) {
  check(value == "0" || value == "1", Code::kInvalidParam, "{} is {}; \"0\" or \"1\" is expected.", name, value.dump());
  return value == "1";
}

/// Returns the number of visible devices; 0 also when ASCEND_RT_VISIBLE_DEVICES is unusable, so that each default is
/// refused.
std::uint32_t visible_devices() {
  try {
    return device_count();
  } catch (const Error&) {
    return 0;
  }
}

std::int32_t read_default_device(const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  const bool digits = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  check(digits && (text.size() == 1 || text[0] != '0'), Code::kFailure,
        "default_device is {}; a decimal number in quotes is expected.", value.dump());
  const auto id = static_cast<std::int32_t>(std::stol(text));
  const std::uint32_t count = visible_devices();
  check(static_cast<std::uint32_t>(id) < count, Code::kFailure, "default_device is {}; {} devices are visible.", id,
        count);
  return id;
}

/// The keys of "StackSize". The index of a key is the limit (aclrtDeviceLimit) that it sets.
constexpr std::array kStackSizes = {"simt_stack_size", "simt_divergence_stack_size", "aicore_stack_size",
                                    "simd_printf_fifo_size_per_core", "simt_printf_fifo_size"};

std::vector<ConfigFile::Limit> read_stack_sizes(const Json& sizes) {
  std::vector<ConfigFile::Limit> limits;
  for (std::size_t i = 0; i < kStackSizes.size(); ++i) {
    const Json* value = member(sizes, kStackSizes.at(i));
    if (!value) continue;
    check(value->is_number_unsigned() && value->get<std::uint64_t>() <= UINT32_MAX, Code::kFailure,
          "{} is {}; a non-negative integer of 32 bits is expected.", kStackSizes.at(i), value->dump());
    limits.push_back({static_cast<int>(i), value->get<std::uint64_t>()});
  }
  return limits;
}

}  // namespace

ConfigFile read_config_file(const char* path) {
  ConfigFile config;
  if (!path || !*path) return config;
  config.text = read_text(path);
  if (config.text.empty()) return config;
  const JsonDocument document(config.text);
  const Json& root = document.root();
  if (const Json* mode = member(root, "err_msg_mode")) config.messages_per_process = read_switch(*mode, "err_msg_mode");
  if (const Json* section = member(root, "defaultDevice")) {
    if (const Json* id = member(*section, "default_device")) config.default_device = read_default_device(*id);
  }
  if (const Json* sizes = member(root, "StackSize")) config.limits = read_stack_sizes(*sizes);
  if (const Json* graph = member(root, "acl_graph")) {
    if (const Json* mode = member(*graph, "event_mode")) read_switch(*mode, "event_mode");
  }
  if (const Json* section = member(root, "dump")) config.dump = read_dump_config(*section);
  if (const Json* section = member(root, "profiler")) config.profile = profile::read_settings(section->dump());
  return config;
}

}  // namespace aclvk::runtime
