#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace aclvk::test {

/// Returns the path of a file below the folder of the running test binary. No macro of CMake has it, so that compiler
/// caches are shared by clones in different folders.
inline std::string beside_tests(const std::string& name) {
  return std::filesystem::canonical("/proc/self/exe").parent_path() / name;
}

/// An empty folder, removed with its content at the end of the scope.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = testing::TempDir() + "aclvk_" + std::to_string(getpid()) + "_" + std::to_string(count++);
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  /// Writes a file with the given content; returns its path.
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ + "/" + name) << content;
    return path_ + "/" + name;
  }
  /// Returns the paths of its entries.
  std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) files.push_back(entry.path());
    return files;
  }
  /// Returns the only folder in it: that of a dump, whose name contains the time.
  std::string only_folder() const {
    std::vector<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.is_directory()) folders.push_back(entry.path().string());
    }
    EXPECT_EQ(folders.size(), 1U);
    return folders.empty() ? "" : folders[0];
  }

 private:
  std::string path_;
};

}  // namespace aclvk::test
