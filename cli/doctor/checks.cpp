#include "doctor/checks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "devices.hpp"
#include "doctor/sum.hpp"
#include "installation.hpp"

namespace cli {
namespace {

const std::string kInstall = "apt-get install ";

struct SystemLibrary {
  const char* file;
  const char* package;  // the Debian 12 package
};
// The libraries that libaclvk.so is linked with. The dynamic linker's message names the missing one.
constexpr SystemLibrary kLibraries[] = {{"libspdlog", "libspdlog1.10"},
                                        {"libfmt", "libfmt9"},
                                        {"libzstd", "libzstd1"},
                                        {"libstdc++", "libstdc++6"},
                                        {"libgcc_s", "libgcc-s1"}};

std::string package_of(const std::string& sentence) {
  for (const SystemLibrary& library : kLibraries) {
    if (sentence.find(library.file) != std::string::npos) return kInstall + library.package;
  }
  return {};
}

Finding check_library() {
  try {
    const Library library;
    return {Verdict::kGood, fmt::format("The library {} opens.", library_file().string()), ""};
  } catch (const std::runtime_error& error) {
    return {Verdict::kMissing, fmt::format("The library does not open: {}.", error.what()), package_of(error.what())};
  }
}

// The library opens the loader by name, so the dynamic linker does not report that it is missing.
Finding check_loader() {
  void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (loader == nullptr) {
    return {Verdict::kMissing, "Vulkan's loader, libvulkan.so.1, is not installed.", kInstall + "libvulkan1"};
  }
  dlclose(loader);
  return {Verdict::kGood, "Vulkan's loader is installed.", ""};
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ':');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<std::string> manifests_in(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path().filename());
    }
  }
  return files;
}

Finding check_driver_list(const char* name) {
  for (const std::string& file : split(environment_variable(name))) {
    if (!std::filesystem::exists(file)) {
      return {Verdict::kMissing, fmt::format("{} names {}, which is not there.", name, file),
              fmt::format("unset {}", name)};
    }
  }
  return {Verdict::kGood, fmt::format("{} chooses the drivers: {}.", name, environment_variable(name)), ""};
}

// The loader reads VK_DRIVER_FILES, and the older VK_ICD_FILENAMES, in place of the folders of manifests.
Finding check_drivers() {
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    if (!environment_variable(name).empty()) return check_driver_list(name);
  }
  const auto drivers = manifests_in({"/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d",
                                     environment_variable("HOME") + "/.local/share/vulkan/icd.d"});
  if (drivers.empty()) {
    return {Verdict::kMissing, "There is no Vulkan driver; Mesa's also run on a CPU.",
            kInstall + "mesa-vulkan-drivers"};
  }
  return {Verdict::kGood, fmt::format("Vulkan drivers: {}.", fmt::join(drivers, ", ")), ""};
}

std::string why_no_device() {
  if (!environment_variable("ACLVK_DEVICE").empty()) {
    return fmt::format("unset ACLVK_DEVICE: only devices with \"{}\" in their name count",
                       environment_variable("ACLVK_DEVICE"));
  }
  return "ASCEND_GLOBAL_LOG_LEVEL=1 ASCEND_SLOG_PRINT_TO_STDOUT=1 aclvk info: tells what each device lacks";
}

void check_devices(std::vector<Finding>& findings) {
  try {
    const Library library;
    const auto devices = describe_devices(library);
    if (devices.empty()) {
      findings.push_back({Verdict::kMissing,
                          "No device can be used: Vulkan 1.2, timeline semaphores, buffer device addresses and "
                          "synchronization2 are needed.",
                          why_no_device()});
    }
    for (const DeviceReport& device : devices) {
      sum_on_device(library, device.id);
      findings.push_back(
          {Verdict::kGood, fmt::format("Device {} computes correctly: {}.", device.id, device.name), ""});
      if (device.kind == "CPU" && environment_variable("ACLVK_LP_NUM_THREADS").empty() &&
          environment_variable("LP_NUM_THREADS").empty()) {
        findings.push_back({Verdict::kNote, "On a CPU small kernels start faster without worker threads.",
                            "export ACLVK_LP_NUM_THREADS=0"});
      }
    }
  } catch (const std::runtime_error& error) {
    findings.push_back({Verdict::kMissing, fmt::format("The devices do not work: {}", error.what()), why_no_device()});
  }
}

Finding check_layers() {
  const auto layers = manifests_in({"/usr/share/vulkan/explicit_layer.d", "/etc/vulkan/explicit_layer.d"});
  for (const std::string& layer : layers) {
    if (layer.find("khronos_validation") != std::string::npos) {
      return {Verdict::kGood, "Vulkan's validation layers are installed.", ""};
    }
  }
  return {Verdict::kNote, "Vulkan's validation layers, for ACLVK_VALIDATION, are not installed.",
          kInstall + "vulkan-validationlayers"};
}

Finding check_cache() {
  std::filesystem::path folder = environment_variable("ACLVK_CACHE_DIR");
  if (folder.empty()) {
    const std::string user = environment_variable("XDG_CACHE_HOME");
    folder =
        (user.empty() ? std::filesystem::path(environment_variable("HOME")) / ".cache" : std::filesystem::path(user)) /
        "aclvk";
  }
  // The library creates the folder, so its nearest existing parent has to be writable.
  std::filesystem::path existing = folder;
  while (!existing.empty() && !std::filesystem::exists(existing) && existing != existing.parent_path())
    existing = existing.parent_path();
  if (access(existing.c_str(), W_OK) == 0) {
    return {Verdict::kGood,
            fmt::format("Compiled kernels are kept in {}; those of lavapipe in its own cache, and only in part.",
                        folder.string()),
            ""};
  }
  return {Verdict::kNote, fmt::format("{} cannot be written: every process compiles its kernels.", folder.string()),
          "export ACLVK_CACHE_DIR=/tmp/aclvk"};
}

/// Warns about another AscendCL that LD_LIBRARY_PATH finds first.
Finding check_path() {
  for (const std::string& folder : split(environment_variable("LD_LIBRARY_PATH"))) {
    const auto file = std::filesystem::path(folder) / "libascendcl.so";
    std::error_code error;
    if (!std::filesystem::exists(file, error)) continue;
    if (std::filesystem::equivalent(file, library_file(), error)) break;
    return {Verdict::kNote, fmt::format("Programs take {} before this library.", file.string()),
            fmt::format(". {}/set_env.sh", home().string())};
  }
  return {Verdict::kGood, "LD_LIBRARY_PATH leads to no other AscendCL.", ""};
}

Finding check_compiler() {
  for (const std::string& folder : split(environment_variable("PATH"))) {
    for (const char* name : {"g++", "c++", "clang++"}) {
      if (access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) {
        return {Verdict::kGood, "There is a compiler for C++.", ""};
      }
    }
  }
  return {Verdict::kNote, "There is no compiler for C++, to build programs.", kInstall + "g++ cmake make"};
}

}  // namespace

std::vector<Finding> examine() {
  std::vector<Finding> findings{check_library(), check_loader(), check_drivers()};
  // Without the library, a loader and a driver the reason is known, and devices would only repeat it.
  bool complete = true;
  for (const Finding& finding : findings) complete = complete && finding.verdict != Verdict::kMissing;
  if (complete) check_devices(findings);
  for (const Finding& finding : {check_path(), check_cache(), check_layers(), check_compiler()}) {
    findings.push_back(finding);
  }
  return findings;
}

}  // namespace cli
