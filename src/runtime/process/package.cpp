#include "runtime/process/package.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

struct Package {
  std::string_view name;
  bool provided;
};

// In the order of aclCANNPackageName.
constexpr std::array<Package, 8> kPackages = {{{"cann", true},
                                               {"runtime", true},
                                               {"compiler", false},
                                               {"hccl", false},
                                               {"toolkit", false},
                                               {"opp", true},
                                               {"opp_kernel", true},
                                               {"driver", false}}};

// Packages of operators in newer toolkits. They have no aclCANNPackageName.
constexpr std::array<Package, 5> kOperatorPackages = {
    {{"ops_math", true}, {"ops_nn", true}, {"ops_cv", true}, {"ops_transformer", true}, {"ops_legacy", true}}};

std::optional<std::int32_t> number_in(std::string_view text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

std::string small_letters(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Returns the offset of a pre-release part, "RC1" for instance, from its release; 0 for another part.
std::int32_t offset_of(const std::string& part) {
  struct Stage {
    std::string_view name;
    std::int32_t below;
  };
  // Numbers sort like versions: alpha before beta before rc before the release.
  constexpr std::array<Stage, 3> kStages = {{{"rc", 100}, {"beta", 200}, {"alpha", 300}}};
  const std::string text = small_letters(part);
  for (const Stage& stage : kStages) {
    if (text.rfind(stage.name, 0) != 0) continue;
    const std::int32_t number = number_in(std::string_view(text).substr(stage.name.size())).value_or(0);
    check(number < 100, Code::kFailure, "A version has the part \"{}\"; at most 99 is expected in it.", part);
    return number - stage.below;
  }
  return 0;
}

Version version_of(const Package& package) {
  check(package.provided, Code::kFeatureNotSupported, "Package {} is not one of those that aclvk replaces.",
        package.name);
  return parse_version(config().cann_version);
}

}  // namespace

std::int32_t Version::number() const {
  const auto high = number_in(major);
  const auto low = number_in(minor);
  const std::int32_t last = number_in(release).value_or(0);
  check(high && low && *high <= 200 && *low < 100 && last < 100, Code::kFailure,
        "Version \"{}\" does not begin with two numbers, or one of its numbers is too large.", text);
  return *high * 10000000 + *low * 100000 + last * 1000 + offset_of(release) + offset_of(patch);
}

Version parse_version(const std::string& text) {
  std::array<std::string, 4> parts;
  std::size_t part = 0;
  for (const char c : text) {
    if (c == '.' && part + 1 < parts.size()) {
      ++part;
    } else {
      parts.at(part) += c;
    }
  }
  return {text, parts[0], parts[1], parts[2], parts[3]};
}

Version version_of_package(int package) {
  check(package >= 0 && package < static_cast<int>(kPackages.size()), Code::kInvalidParam,
        "Package {} does not exist; 0 to {} is expected.", package, kPackages.size() - 1);
  return version_of(kPackages.at(static_cast<std::size_t>(package)));
}

Version version_of_package(std::string_view name) {
  const std::string wanted = small_letters(name);
  const auto has_name = [&](const Package& package) { return package.name == wanted; };
  const auto* found = std::find_if(kPackages.begin(), kPackages.end(), has_name);
  if (found != kPackages.end()) return version_of(*found);
  const auto* part = std::find_if(kOperatorPackages.begin(), kOperatorPackages.end(), has_name);
  check(part != kOperatorPackages.end(), Code::kInvalidParam, "Package \"{}\" does not exist.", name);
  return version_of(*part);
}

}  // namespace aclvk::runtime
