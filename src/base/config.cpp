#include "base/config.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/config_check.hpp"
#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk {
namespace {

void assign(std::string& member, const std::string& text) { member = text; }
void assign(bool& member, const std::string& text) { member = text == "1" || text == "true" || text == "on"; }

// Accepts 32-bit numbers only: arithmetic on times and counts in 64 bits cannot overflow then.
void assign(long& member, const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  const bool whole = end != text.c_str() && *end == '\0' && errno == 0;
  if (whole && value >= INT32_MIN && value <= INT32_MAX) member = value;
}

// secure_getenv ignores the environment in set-user-ID programs: some variables name files to write.
template <typename T>
void read(T& member, const char* name, const char* fallback, std::string& first_error) {
  assign(member, fallback);
  const char* text = secure_getenv(name);
  if (!text || *text == '\0') return;  // `NAME= program` in a shell is a common way to unset a variable
  if (first_error.empty()) first_error = setting_error(name, text);
  assign(member, text);
}

Config read_environment() {
  Config config;
#define OPTION(member, type, name, fallback, sentence) read(config.member, name, fallback, config.first_error);
#include "base/config.def"
#undef OPTION
  return config;
}

struct Settings {
  Config values = read_environment();
};

Config& instance() { return ProcessState<Settings, StateId::kConfig>::get().values; }

}  // namespace

const Config& config() { return instance(); }

void check_settings() {
  const std::string& first_error = config().first_error;
  check(first_error.empty(), Code::kInvalidParam, "The environment is wrong: {}", first_error);
}

void reload_config() { instance() = read_environment(); }

}  // namespace aclvk
