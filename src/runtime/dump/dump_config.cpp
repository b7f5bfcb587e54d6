#include "runtime/dump/dump_config.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"

namespace aclvk::runtime {
namespace {

using Json = nlohmann::json;

constexpr auto kInvalid = Code::kInvalidDumpConfig;

std::optional<std::string> text_member(const Json& section, const char* name) {
  const auto found = section.find(name);
  if (found == section.end()) return std::nullopt;
  check(found->is_string(), kInvalid, "{} is {}; a string is expected.", name, found->dump());
  return found->get<std::string>();
}

/// Returns the value of a member, which must be one of the words; the first word when the member is missing.
std::string word_member(const Json& section, const char* name, std::initializer_list<std::string_view> words) {
  const auto text = text_member(section, name);
  if (!text) return std::string(*words.begin());
  const bool known = std::find(words.begin(), words.end(), *text) != words.end();
  check(known, kInvalid, "{} is \"{}\"; {} are expected.", name, *text, fmt::join(words, ", "));
  return *text;
}

bool switch_member(const Json& section, const char* name) { return word_member(section, name, {"off", "on"}) == "on"; }

std::vector<std::string> read_statistics(const Json& section) {
  const auto found = section.find("dump_stats");
  if (found == section.end()) return {};
  constexpr std::string_view kNames[] = {"Max", "Min", "Avg", "Nan", "Negative Inf", "Positive Inf", "L2norm"};
  check(found->is_array() && !found->empty(), kInvalid, "dump_stats is {}; a list of names is expected.",
        found->dump());
  std::vector<std::string> names;
  for (const Json& entry : *found) {
    const std::string name = entry.is_string() ? entry.get<std::string>() : "";
    check(std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames), kInvalid,
          "dump_stats has {}; {} are expected.", entry.dump(), fmt::join(kNames, ", "));
    names.push_back(name);
  }
  return names;
}

/// Parses dump_step, "0|3-5|10" for instance.
std::vector<std::pair<std::uint64_t, std::uint64_t>> read_steps(const Json& section) {
  const std::string text = text_member(section, "dump_step").value_or("");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;
  if (text.empty()) return steps;
  static const std::regex form("([0-9]{1,9}(-[0-9]{1,9})?)([|][0-9]{1,9}(-[0-9]{1,9})?)*");
  // libstdc++ matches a regex recursively: a long text could exhaust the stack.
  check(text.size() < 4096 && std::regex_match(text, form), kInvalid,
        "dump_step is \"{}\"; numbers and ranges with | between them are expected, as in \"0|3-5|10\".", text);
  static const std::regex part("([0-9]+)(-([0-9]+))?");
  for (std::sregex_iterator found(text.begin(), text.end(), part), end; found != end; ++found) {
    const std::uint64_t first = std::stoull((*found)[1]);
    const std::uint64_t last = (*found)[3].matched ? std::stoull((*found)[3]) : first;
    check(first <= last, kInvalid, "dump_step has the range {}-{}, which ends before it begins.", first, last);
    steps.emplace_back(first, last);
  }
  return steps;
}

void check_list(const Json& section) {
  const auto found = section.find("dump_list");
  if (found == section.end()) return;
  check(found->is_array() || found->is_object(), kInvalid, "dump_list is {}; a list is expected.", found->dump());
  if (!found->empty()) log().warn("dump_list names layers of offline models, which do not exist here; it is ignored.");
}

}  // namespace

DumpConfig read_dump_config(const Json& section) {
  check(section.is_object(), kInvalid, "The dump section is {}; an object is expected.", section.dump());
  DumpConfig config;
  config.path = text_member(section, "dump_path").value_or("");
  config.scene = word_member(section, "dump_scene",
                             {"", "aic_err_brief_dump", "lite_exception", "aic_err_norm_dump", "aic_err_detail_dump"});
  check(!config.path.empty() || !config.scene.empty(), kInvalid, "dump_path is missing; a folder is expected.");
  const std::string mode = word_member(section, "dump_mode", {"output", "input", "all"});
  const bool overflow = switch_member(section, "dump_debug");
  word_member(section, "dump_level", {"all", "op", "kernel"});  // only checked: an operator is dumped as a whole
  // A dump of overflows needs both, whatever the mode.
  config.options.inputs = mode != "output" || overflow;
  config.options.outputs = mode != "input" || overflow;
  config.options.only_overflow = overflow;
  config.options.by_device = true;
  config.options.to_listener = true;
  config.options.statistics = read_statistics(section);
  config.options.replays = read_steps(section);
  if (word_member(section, "dump_data", {"tensor", "stats"}) == "stats") {
    config.options.values = DumpOptions::Values::kStatistics;
  }
  config.operators = switch_member(section, "dump_op_switch") || overflow;
  check(!config.operators || !config.path.empty(), kInvalid, "dump_path is missing; a folder is expected.");
  check_list(section);
  return config;
}

}  // namespace aclvk::runtime
