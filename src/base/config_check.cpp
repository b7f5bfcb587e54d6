#include "base/config_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace aclvk {
namespace {

/// The valid values of a setting: one of `words` or, if there are none, a number from `first` to `last`.
struct Allowed {
  const char* name;
  std::vector<const char*> words;
  long first = 0;
  long last = INT32_MAX;
};

const std::vector<Allowed>& all_allowed() {
  static const std::vector<const char*> yes_or_no{"0", "1", "false", "true", "off", "on"};
  // Leaked: destructors of the program's statics may still read settings.
  static const auto* all = new std::vector<Allowed>{
      {"ACLVK_DEVICES_PER_GPU", {}, 1, 64}, {"ACLVK_COMPATIBILITY", {"lenient", "strict"}},
      {"ACLVK_VALIDATION", {}, 0, 3},       {"ACLVK_LP_NUM_THREADS", {}, -1, 1024},
      {"ACLVK_PIPELINE_CACHE", yes_or_no},  {"ACLVK_FORCE_ADDRESSES", yes_or_no},
      {"ACLVK_DRIVER_TUNING", yes_or_no},   {"ACLVK_BATCH_SIZE", {}, 1, 16384},
      {"ACLVK_HOST_VISIBLE", yes_or_no},    {"ACLVK_RESERVED_ADDRESSES", {"auto", "host", "sparse"}},
      {"ACLVK_SHARED_MEMORY", yes_or_no},   {"ACLVK_WAIT_REPORT_MS", {}},
      {"ACLVK_SNAPSHOT_WAIT_MS", {}},       {"ACLVK_MAX_MODELS", {}},
      {"ACLVK_MAX_MODEL_TASKS", {}},        {"ACLVK_CHECK_LIFETIME", {}, -1, 1},
  };
  return *all;
}

bool is_number_of(const Allowed& allowed, const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  return end != text.c_str() && *end == '\0' && errno == 0 && value >= allowed.first && value <= allowed.last;
}

std::string expected(const Allowed& allowed) {
  if (allowed.words.empty()) return fmt::format("a number from {} to {}", allowed.first, allowed.last);
  std::string text = allowed.words.front();
  for (std::size_t i = 1; i < allowed.words.size(); ++i) {
    text += i + 1 == allowed.words.size() ? " or " : ", ";
    text += allowed.words[i];
  }
  return text;
}

}  // namespace

std::string setting_error(const std::string& name, const std::string& text) {
  const auto& all = all_allowed();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Allowed& allowed) { return allowed.name == name; });
  if (text.empty() || found == all.end()) return {};
  const auto& words = found->words;
  const bool right =
      words.empty() ? is_number_of(*found, text) : std::find(words.begin(), words.end(), text) != words.end();
  return right ? std::string() : fmt::format("{} is \"{}\"; expected {}.", name, text, expected(*found));
}

}  // namespace aclvk
