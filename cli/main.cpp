// aclvk: the command line tool of an installation. Under the name npu-smi it answers like that tool.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"
#include "spelling.hpp"

namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

int refuse_command(const std::vector<std::string>& commands, const std::string& given) {
  std::fprintf(stderr, "aclvk has no command \"%s\".\n", given.c_str());
  for (const std::string& name : cli::nearest(given, commands)) {
    std::fprintf(stderr, "Did you mean \"aclvk %s\"?\n", name.c_str());
  }
  std::fprintf(stderr, "There are:");
  for (const std::string& name : commands) std::fprintf(stderr, " %s", name.c_str());
  std::fprintf(stderr, ". \"aclvk --help\" tells what they do.\n");
  return 1;
}

int run(int count, char** arguments) {
  char** const end = arguments + count;
  // Arguments after "--" belong to the program to run. They are not parsed as options of aclvk.
  char** const mark = std::find(arguments, end, std::string("--"));
  const std::vector<std::string> program(std::min(mark + 1, end), end);

  CLI::App app("The AscendCL API on Vulkan: what is there, and how programs get on with it.", "aclvk");
  app.require_subcommand(1);
  app.set_version_flag("--version", "aclvk " ACLVK_VERSION);
  cli::add_info(app);
  cli::add_run(app, program);
  cli::add_doctor(app);
  cli::add_graph(app);
  cli::add_trace(app);
  cli::add_support(app);
  const int own = static_cast<int>(mark - arguments);
  const auto commands = commands_of(app);
  const std::string first = own > 1 ? arguments[1] : "-";
  const bool known = first.rfind('-', 0) == 0 || std::find(commands.begin(), commands.end(), first) != commands.end();
  if (!known) return refuse_command(commands, first);
  try {
    app.parse(own, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return 0;
}

}  // namespace

// An installation has a link npu-smi to this program.
int main(int count, char** arguments) {
  try {
    const bool stands_in = count > 0 && std::filesystem::path(arguments[0]).filename() == "npu-smi";
    return stands_in ? cli::npu_smi(count, arguments) : run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "aclvk: %s\n", error.what());
    return 1;
  }
}
