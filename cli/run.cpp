// aclvk run: runs a program with this installation.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>

#include "commands.hpp"
#include "installation.hpp"
#include "unmet_dependencies.hpp"

namespace cli {
namespace {

struct RunOptions {
  std::map<std::string, std::string> variables;  // set by options
  bool print = false;
  bool stand_ins = false;
};

/// Adds an option that sets an environment variable of the library (docs/configuration.md).
CLI::Option* add_variable(CLI::App& command, RunOptions& options, const char* option, const char* variable,
                          const char* what) {
  return command.add_option_function<std::string>(
      option, [&options, variable](const std::string& value) { options.variables[variable] = value; }, what);
}

/// Adds an option with a path. It becomes absolute, since the program may change its working directory.
CLI::Option* add_path(CLI::App& command, RunOptions& options, const char* option, const char* variable,
                      const char* what) {
  return command.add_option_function<std::string>(
      option,
      [&options, variable](const std::string& value) {
        options.variables[variable] = std::filesystem::absolute(value).string();  // keeps the / at the end of a folder
      },
      what);
}

std::string prepend(const std::string& first, const std::string& list, char separator) {
  return list.empty() ? first : first + separator + list;
}

std::map<std::string, std::string> environment(const RunOptions& options, bool stand_ins) {
  std::map<std::string, std::string> all = options.variables;
  for (const char* name : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_INSTALL_PATH"}) all[name] = home();
  all["ASCEND_OPP_PATH"] = home() / "opp";
  all["ACL_OP_INIT_MODE"] = "2";  // as in set_env.sh, which has the reason
  all["LD_LIBRARY_PATH"] = prepend(home() / "lib64", environment_variable("LD_LIBRARY_PATH"), ':');
  all["PATH"] = prepend(home() / "bin", environment_variable("PATH"), ':');
  // Preloaded symbols are found although the program is not linked with this library.
  if (stand_ins) all["LD_PRELOAD"] = prepend(stand_ins_file(), environment_variable("LD_PRELOAD"), ' ');
  return all;
}

/// Quotes a word for a POSIX shell.
std::string shell_quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// Prints the functions and libraries that the program lacks, and returns whether the dynamic linker would refuse it
/// for that.
bool needs_stand_ins(const std::filesystem::path& program) {
  const Interface interface;
  const auto unmet = find_unmet_dependencies(interface, program);
  if (!unmet || unmet->empty()) return false;
  std::vector<std::string> missing = unmet->not_built;
  missing.insert(missing.end(), unmet->refused.begin(), unmet->refused.end());
  missing.insert(missing.end(), unmet->unknown.begin(), unmet->unknown.end());
  missing.insert(missing.end(), unmet->missing_libraries.begin(), unmet->missing_libraries.end());
  fmt::print(stderr, "aclvk: {} needs what this installation lacks: {}. \"aclvk doctor {}\" tells more.\n",
             program.filename().string(), fmt::join(missing, ", "), program.string());
  return unmet->needs_stand_ins;
}

void run(const RunOptions& options, const std::vector<std::string>& program) {
  if (program.empty()) throw std::runtime_error("No program is given: aclvk run [OPTION]... -- PROGRAM [ARGUMENT]...");
  const std::filesystem::path file = find_program(program[0]);
  if (file.empty()) throw std::runtime_error(program[0] + " is not there.");
  const bool stand_ins = needs_stand_ins(file) || options.stand_ins;
  for (const auto& [name, value] : environment(options, stand_ins)) {
    if (options.print) fmt::print("export {}={}\n", name, shell_quoted(value));
    setenv(name.c_str(), value.c_str(), 1);
  }
  if (options.print) return;
  std::vector<char*> words;
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(file.c_str(), words.data());
  throw std::runtime_error(fmt::format("{} cannot be run: {}.", file.string(), std::strerror(errno)));
}

}  // namespace

void add_run(CLI::App& app, const std::vector<std::string>& program) {
  auto* command = app.add_subcommand("run", "Runs a program with this installation: aclvk run [OPTION]... -- PROGRAM");
  auto options = std::make_shared<RunOptions>();
  add_variable(*command, *options, "--device", "ACLVK_DEVICE", "Part of the name of a Vulkan device");
  add_variable(*command, *options, "--devices", "ACLVK_DEVICES_PER_GPU", "ACL devices for each Vulkan device")
      ->check(CLI::Range(1, 64));
  add_variable(*command, *options, "--visible", "ASCEND_RT_VISIBLE_DEVICES", "Numbers of devices, with commas");
  add_variable(*command, *options, "--compatibility", "ACLVK_COMPATIBILITY", "lenient or strict")
      ->check(CLI::IsMember({"lenient", "strict"}));
  add_path(*command, *options, "--record", "ACLVK_RECORD", "Folder for the arguments and values of every operator");
  add_path(*command, *options, "--trace", "ACLVK_TRACE", "File or folder/ for a trace of calls and tasks");
  add_variable(*command, *options, "--log", "ASCEND_GLOBAL_LOG_LEVEL", "0 debug, 1 info, 2 warning, 3 error, 4 nothing")
      ->check(CLI::Range(0, 4));
  add_variable(*command, *options, "--validation", "ACLVK_VALIDATION",
               "1 logs what Vulkan's validation finds, 2 ends there")
      ->check(CLI::Range(0, 2));
  add_variable(*command, *options, "--lavapipe-threads", "ACLVK_LP_NUM_THREADS", "0 starts small kernels faster");
  command->add_flag("--stand-ins", options->stand_ins,
                    "Operators that are not built answer 207000 also to libraries that the program opens");
  command->add_flag("--print", options->print, "Print the environment for a shell instead of running the program");
  command->callback([options, program] { run(*options, program); });
}

}  // namespace cli
