// Settings: the file of aclInit, the environment, and the small languages in both (versions, sizes). Wrong ones are
// refused with the code of their section; right ones hold what their text says.
#include "base/config.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "bytes.hpp"
#include "finding.hpp"
#include "runtime/process/config_file.hpp"
#include "runtime/process/package.hpp"
#include "runtime/profile/settings.hpp"

namespace aclvk::fuzz {
namespace {

constexpr int kMaxNesting = 10;

/// A file of this process alone, gone at the end.
class TextFile {
 public:
  TextFile() : path_(std::filesystem::temp_directory_path() / ("aclvk_fuzz_config_" + std::to_string(getpid()))) {}
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  const char* write(const std::string& text) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
    return path_.c_str();
  }

 private:
  const std::filesystem::path path_;
};

/// How deep brackets of one kind stand inside each other; those in strings do not count.
int depth_of(const std::string& text, char opening, char closing) {
  int depth = 0;
  int deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == opening) {
      deepest = std::max(deepest, ++depth);
    } else if (!quoted && text[i] == closing) {
      --depth;
    }
  }
  return deepest;
}

bool parses(const std::string& text) {
  return nlohmann::json::accept(text) && text.find('\0') == std::string::npos &&
         depth_of(text, '{', '}') <= kMaxNesting && depth_of(text, '[', ']') <= kMaxNesting;
}

bool is_code_of_a_section(Code code) {
  return code == Code::kInvalidParam || code == Code::kFailure || code == Code::kInvalidDumpConfig ||
         code == Code::kInvalidProfilingConfig;
}

void check_content(const runtime::ConfigFile& config) {
  expect(config.default_device >= -1, "The default device is {}.", config.default_device);
  for (const auto& [limit, value] : config.limits) {
    expect(limit >= 0 && limit < 5 && value <= UINT32_MAX, "Limit {} is set to {}.", limit, value);
  }
  if (!config.dump) return;
  for (const auto& [first, last] : config.dump->options.replays) {
    expect(first <= last, "The dump has the steps {} to {}.", first, last);
  }
  expect(!config.dump->operators || !config.dump->path.empty(), "Operators are dumped to nowhere.");
}

void read_file(Bytes& bytes) {
  static TextFile file;
  const std::string text = bytes.rest();
  const bool well_formed = text.empty() || parses(text);
  try {
    check_content(runtime::read_config_file(file.write(text)));
    expect(well_formed, "A file is read that is no JSON, or nests deeper than {}.", kMaxNesting);
  } catch (const Error& error) {
    const bool fits = well_formed ? is_code_of_a_section(error.code()) : error.code() == Code::kParseFile;
    expect(fits, "A file is refused with {}: {}", static_cast<int>(error.code()), error.sentence());
  }
}

struct Option {
  const char* name;
  long Config::*number;
  const char* preset;
};

template <typename T>
constexpr Option option(const char* name, T Config::*member, const char* preset) {
  if constexpr (std::is_same_v<T, long>) {
    return {name, member, preset};
  } else {
    return {name, nullptr, preset};
  }
}

constexpr Option kOptions[] = {
#define OPTION(member, type, name, preset, sentence) option(name, &Config::member, preset),
#include "base/config.def"
#undef OPTION
};

/// What a setting is with this text: a whole number that 32 bits hold, or as if it were not there.
long expected_number(const std::string& text, const char* preset) {
  const long otherwise = std::strtol(preset, nullptr, 10);
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  const bool whole = end != text.c_str() && *end == '\0' && errno == 0;
  return whole && value >= INT32_MIN && value <= INT32_MAX ? value : otherwise;
}

void read_environment(Bytes& bytes) {
  const Option& option = kOptions[bytes.pick(std::size(kOptions))];
  std::string text = bytes.rest();
  text.resize(std::min(text.size(), text.find('\0')));
  setenv(option.name, text.c_str(), 1);
  reload_config();
  if (option.number) {
    const long expected = expected_number(text, option.preset);
    expect(config().*option.number == expected, "{} is \"{}\", which is taken as {} instead of {}.", option.name, text,
           config().*option.number, expected);
  }
  unsetenv(option.name);
  reload_config();
}

void read_version(Bytes& bytes) {
  const std::string text = bytes.rest();
  try {
    const std::int32_t number = runtime::parse_version(text).number();
    expect(number > -1000 && number <= 2'010'000'000, "Version \"{}\" has the number {}.", text, number);
  } catch (const Error& error) {
    expect(error.code() == Code::kFailure, "Version \"{}\": {}", text, error.sentence());
  }
}

void read_size(Bytes& bytes) {
  const std::string text = bytes.rest();
  try {
    const std::uint64_t size = runtime::profile::read_size(text);
    expect(std::to_string(size >> 20) + "MB" == text, "The size \"{}\" is taken as {} bytes.", text, size);
  } catch (const Error& error) {
    expect(error.code() == Code::kInvalidParam, "The size \"{}\": {}", text, error.sentence());
  }
}

}  // namespace
}  // namespace aclvk::fuzz

// The first byte says what the others are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace aclvk::fuzz;
  Bytes bytes(data, size);
  switch (bytes.byte()) {
    case 'e': read_environment(bytes); break;
    case 'v': read_version(bytes); break;
    case 's': read_size(bytes); break;
    default: read_file(bytes); break;
  }
  return 0;
}
