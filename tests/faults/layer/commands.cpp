#include "commands.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace aclvk::faults {
namespace {

struct Row {
  const char* name;
  std::vector<VkResult> results;
};

const std::array<Row, kCommands>& rows() {
  static const std::array<Row, kCommands> table{{
#define COMMAND(name, ...) {#name, {__VA_ARGS__}},
#define CREATOR COMMAND
#include "commands.def"
#undef CREATOR
#undef COMMAND
  }};
  return table;
}

const Row& row(Command command) { return rows()[static_cast<std::size_t>(command)]; }

}  // namespace

const char* name_of(Command command) { return row(command).name; }

Command find_command(std::string_view name) {
  static const auto places = [] {
    std::unordered_map<std::string_view, Command> all;
    for (std::size_t i = 0; i < kCommands; ++i) all.emplace(rows()[i].name, static_cast<Command>(i));
    return all;
  }();
  const auto place = places.find(name);
  return place == places.end() ? Command::kCount : place->second;
}

bool may_answer(Command command, VkResult result) {
  const auto& results = row(command).results;
  return std::find(results.begin(), results.end(), result) != results.end();
}

}  // namespace aclvk::faults
