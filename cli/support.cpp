// aclvk support: whether a function or an operator is implemented, and its limits.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "interface.hpp"

namespace cli {
namespace {

constexpr std::size_t kMaxListed = 40;  // fits a window of a terminal

void print_counts(const Interface& interface, const nlohmann::json& names, const char* title) {
  std::size_t built = 0;
  for (const auto& [name, unused] : names.items()) built += interface.state(name) == State::kBuilt;
  fmt::print("{} of {} {}\n", built, names.size(), title);
}

const char* state_text(State state) {
  switch (state) {
    case State::kBuilt: return "built";
    case State::kRefused: return "not on Vulkan: answers 207000";
    case State::kNotBuilt: return "not built: answers 207000";
    case State::kUnknown: break;
  }
  return "not known";
}

void print_facts(const nlohmann::json& entry) {
  const auto line = [&](const char* member, const char* title) {
    const std::string text = entry.value(member, "");
    if (!text.empty()) fmt::print("  {:<9} {}\n", title, text);
  };
  line("brief", "does");
  line("rules", "rules");
  line("vulkan", "here");
  line("header", "include");
  line("torch", "PyTorch");
  line("dtypes", "dtypes");
  line("accuracy", "accuracy");
  for (const auto& error : entry.value("errors", nlohmann::json::array())) {
    fmt::print("  {:<9} {}\n", error[0].get<int>(), error[1].get<std::string>());
  }
}

bool print_one(const Interface& interface, const std::string& asked) {
  const std::string name = interface.resolve(asked);
  const State state = interface.state(name);
  if (state != State::kUnknown) {
    const bool loader = state == State::kNotBuilt && interface.is_operator(name);
    fmt::print("{}: {}\n", name, loader ? "not built: declared, and not in the library" : state_text(state));
    print_facts(interface.entry(name));
    return state == State::kBuilt;
  }
  const std::vector<std::string> suggestions = interface.suggestions(asked);
  fmt::print("{}: no function or operator of the interface has this name.\n", asked);
  for (std::size_t i = 0; i < suggestions.size() && i < kMaxListed; ++i) {
    fmt::print("  {:<50} {}\n", suggestions[i], state_text(interface.state(suggestions[i])));
  }
  if (suggestions.size() > kMaxListed) fmt::print("  and {} others\n", suggestions.size() - kMaxListed);
  return false;
}

void show(const std::vector<std::string>& names) {
  const Interface interface;
  if (names.empty()) {
    fmt::print("aclvk {} has, of ACL {} (CANN {}):\n", ACLVK_VERSION, interface.about().value("interface", ""),
               interface.about().value("cann", ""));
    print_counts(interface, interface.functions(), "functions");
    print_counts(interface, interface.operators(), "operators");
    fmt::print("\"aclvk support NAME\" tells about one, \"aclvk support PART\" which names there are.\n");
  }
  bool all = true;
  for (const std::string& name : names) all = print_one(interface, name) && all;
  if (!all) throw CLI::RuntimeError(1);
}

}  // namespace

void add_support(CLI::App& app) {
  auto* command = app.add_subcommand("support", "Whether functions and operators are there, with which limits");
  auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("NAME", *names, "A function or an operator; \"Add\" is aclnnAdd. Exit code 1: one is not there");
  command->callback([names] { show(*names); });
}

}  // namespace cli
