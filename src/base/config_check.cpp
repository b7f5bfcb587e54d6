#include "base/config_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace aclvk {
namespace {

using Words = std::array<const char*, 6>;  // as many as there are; null for the rest

/// The valid values of a setting: one of `words` or, if there are none, a number from `first` to `last`.
struct Allowed {
  const char* name;
  Words words;
  long first = 0;
  long last = INT32_MAX;

  bool has_words() const { return words.front() != nullptr; }
  bool has_word(std::string_view text) const {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return word && word == text; });
  }
};

constexpr Words kYesOrNo = {"0", "1", "false", "true", "off", "on"};

// Settings without a row take any text.
constexpr Allowed kAllowed[] = {
    {"ACLVK_DEVICES_PER_GPU", {}, 1, 64}, {"ACLVK_COMPATIBILITY", {"lenient", "strict"}},
    {"ACLVK_VALIDATION", {}, 0, 3},       {"ACLVK_LP_NUM_THREADS", {}, -1, 1024},
    {"ACLVK_PIPELINE_CACHE", kYesOrNo},   {"ACLVK_FORCE_ADDRESSES", kYesOrNo},
    {"ACLVK_DRIVER_TUNING", kYesOrNo},    {"ACLVK_BATCH_SIZE", {}, 1, 16384},
    {"ACLVK_HOST_VISIBLE", kYesOrNo},     {"ACLVK_RESERVED_ADDRESSES", {"auto", "host", "sparse"}},
    {"ACLVK_SHARED_MEMORY", kYesOrNo},    {"ACLVK_WAIT_REPORT_MS", {}},
    {"ACLVK_SNAPSHOT_WAIT_MS", {}},       {"ACLVK_MAX_MODELS", {}},
    {"ACLVK_MAX_MODEL_TASKS", {}},        {"ACLVK_CHECK_LIFETIME", {}, -1, 1},
};

bool is_number_of(const Allowed& allowed, const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  return end != text.c_str() && *end == '\0' && errno == 0 && value >= allowed.first && value <= allowed.last;
}

std::string expected(const Allowed& allowed) {
  if (!allowed.has_words()) return fmt::format("a number from {} to {}", allowed.first, allowed.last);
  std::string text = allowed.words.front();
  const auto end = std::find(allowed.words.begin(), allowed.words.end(), nullptr);
  for (auto word = std::next(allowed.words.begin()); word != end; ++word) {
    text += std::next(word) == end ? " or " : ", ";
    text += *word;
  }
  return text;
}

}  // namespace

std::string setting_error(const std::string& name, const std::string& text) {
  const auto* found = std::find_if(std::begin(kAllowed), std::end(kAllowed),
                                   [&](const Allowed& allowed) { return allowed.name == name; });
  if (text.empty() || found == std::end(kAllowed)) return {};
  const bool right = found->has_words() ? found->has_word(text) : is_number_of(*found, text);
  return right ? std::string() : fmt::format("{} is \"{}\"; expected {}.", name, text, expected(*found));
}

}  // namespace aclvk
