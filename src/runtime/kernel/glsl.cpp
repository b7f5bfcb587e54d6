#include "runtime/kernel/glsl.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"

extern char** environ;

namespace aclvk::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCompiler = "glslangValidator";
// SPIR-V 1.5, which every device that the library accepts supports.
constexpr const char* kEnvironment = "vulkan1.2";

/// A temporary folder for the files of one compilation, which the destructor removes.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "aclvk-XXXXXX").string();
    const bool made = mkdtemp(pattern.data()) != nullptr;  // a statement of its own: errno is read after it
    check(made, Code::kRuntimeInternal, "Cannot make a folder for the compiler like {}: {}.", pattern,
          std::strerror(errno));
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

  void write(const std::string& name, const std::string& text) const {
    const fs::path relative(name);
    const bool inside = relative.is_relative() && relative.lexically_normal().native().rfind("..", 0) != 0;
    check(inside && relative.has_filename(), Code::kParamInvalid,
          "\"{}\" is no name of a file below the source; #include takes those.", name);
    fs::create_directories((path_ / relative).parent_path());
    std::ofstream file(path_ / relative, std::ios::binary);
    file << text;
    check(static_cast<bool>(file.flush()), Code::kRuntimeInternal, "Cannot write {} for the compiler.",
          (path_ / relative).string());
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  fs::path path_;
};

/// Runs a program from PATH to its end, with its output in a file. Throws when it cannot be started.
void run(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  check(error == 0, Code::kFeatureNotSupported,
        "{} cannot be started ({}); GLSL needs it in PATH (Debian package glslang-tools). Kernels in SPIR-V need no "
        "compiler.",
        command[0], std::strerror(error));
  // In a process that ignores SIGCHLD waitpid() waits for the child and fails with ECHILD. The exit status is not
  // needed: the output file shows whether there is a result.
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string base_name(const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  return file.empty() || file == "." || file == ".." ? "kernel.comp" : file;
}

// Some options, -E for instance, make the compiler write other output than a module.
std::vector<std::uint32_t> words_of(const std::string& bytes) {
  constexpr std::uint32_t kSpirvMagic = 0x07230203;
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  if (!words.empty() && words[0] != kSpirvMagic) words.clear();
  return words;
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

void check_options(const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    check(option.rfind("-o", 0) != 0, Code::kParamInvalid,
          "Option {} names a file for the module; aclrtcGetBinData gives it.", option);
  }
}

}  // namespace

bool looks_like_glsl(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at);
      if (end == std::string_view::npos) return false;
      at = end + 2;
    } else {
      return text.substr(at, 8) == "#version";
    }
  }
  return false;
}

GlslResult compile_glsl(const GlslSource& source) {
  check_options(source.options);
  const Folder folder;
  const std::string name = base_name(source.name);
  const std::string path = folder.path().string();
  for (const auto& [header, text] : source.headers) folder.write(header, text);
  folder.write(name, source.text);
  std::vector<std::string> command{kCompiler, "--target-env", kEnvironment, "-S", "comp", "-I" + path};
  command.insert(command.end(), source.options.begin(), source.options.end());
  const std::string module = path + "/.module.spv";
  command.insert(command.end(), {"-o", module, path + "/" + name});
  run(command, path + "/.log");
  return {words_of(folder.read(".module.spv")), without(folder.read(".log"), path + "/")};
}

}  // namespace aclvk::runtime
