#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace aclvk::test {

/// The path of what the build has put into the folder of the running test, or below. No macro from CMake says it, so
/// that a compiler cache need not know where a clone lies.
inline std::string beside_tests(const std::string& name) {
  return std::filesystem::canonical("/proc/self/exe").parent_path() / name;
}

/// An empty folder of a test's own, removed at the end with all that is in it.
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
  /// The path of a file in it, with the given content.
  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(path_ + "/" + name) << content;
    return path_ + "/" + name;
  }
  /// The paths of what is in it.
  std::vector<std::string> files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) files.push_back(entry.path());
    return files;
  }
  /// The only folder below, of a dump: its name has the time in it.
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
