#include "runtime/profile/settings.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/json_document.hpp"
#include "runtime/profile/active.hpp"

namespace aclvk::runtime::profile {
namespace {

using Json = nlohmann::json;

// The switches of the section that have an effect, with their defaults.
constexpr struct {
  const char* name;
  Category category;
  bool preset;
} kSwitches[] = {
    {"task_time", kTasks, true},    {"task_trace", kTasks, true}, {"ascendcl", kCalls, true},
    {"runtime_api", kCalls, false}, {"msproftx", kRanges, true},
};

// Levels such as "l0" and "l1" count as "on".
bool read_switch(const char* name, const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  const bool known =
      text == "on" || text == "off" || (text.size() == 2 && text[0] == 'l' && std::isdigit(text[1]) != 0);
  check(known, Code::kInvalidProfilingConfig, "\"{}\" of the profiler is {}; \"on\" or \"off\" is expected.", name,
        value.dump());
  return text != "off";
}

std::string read_folder(const Json& section) {
  const auto found = section.find("output");
  if (found == section.end()) return ".";
  check(found->is_string() && !found->get<std::string>().empty(), Code::kInvalidProfilingConfig,
        "\"output\" of the profiler is {}; a folder is expected.", found->dump());
  return found->get<std::string>();
}

}  // namespace

std::optional<Settings> read_settings(const std::string& section) {
  const JsonDocument document(section);
  const Json& json = document.root();
  check(json.is_object(), Code::kInvalidProfilingConfig, "The profiler's configuration is {}; an object is expected.",
        section);
  const auto main = json.find("switch");
  check(main != json.end(), Code::kInvalidProfilingConfig, "The profiler's configuration has no \"switch\".");
  Settings settings{read_folder(json), 0};
  bool tasks = true;  // "task_time" and "task_trace" are one switch, which is off when either is
  for (const auto& [name, category, preset] : kSwitches) {
    const auto found = json.find(name);
    const bool chosen = found == json.end() ? preset : read_switch(name, *found);
    if (category == kTasks) {
      tasks = tasks && chosen;
    } else if (chosen) {
      settings.categories |= category;
    }
  }
  if (tasks) settings.categories |= kTasks;
  return read_switch("switch", *main) ? std::optional(std::move(settings)) : std::nullopt;
}

std::uint64_t read_size(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool size = digits > 0 && digits < 10 && text.substr(digits) == "MB" && text[0] != '0';
  check(size, Code::kInvalidParam, "A size is \"{}\"; a number with MB, as in 200MB, is expected.", text);
  return std::stoull(text.substr(0, digits)) << 20;
}

bool accepts_frequency(const std::string& text) {
  const bool number = !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
  const int frequency = number ? std::stoi(text) : 0;
  check(frequency >= 1 && frequency <= 100, Code::kInvalidParam, "The frequency is \"{}\"; 1 to 100 is expected.",
        text);
  if (config().strict()) return false;
  log().warn("Vulkan has no counters of a device's memory: profiles have no samples of its bandwidth.");
  return true;
}

}  // namespace aclvk::runtime::profile
