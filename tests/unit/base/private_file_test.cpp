#include "base/private_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "support/folder.hpp"

namespace aclvk {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PrivateFile : public ::testing::Test {
 protected:
  static std::vector<std::byte> bytes_of(const std::string& text) {
    std::vector<std::byte> bytes;
    for (const char letter : text) bytes.push_back(static_cast<std::byte>(letter));
    return bytes;
  }

  static unsigned mode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777U;
  }

  static std::string failure_of_write(const fs::path& path, const std::vector<std::byte>& bytes) {
    try {
      write_private_file(path, bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kFailure);
      return error.sentence();
    }
    return "it is written";
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(file_.parent_path())) names.push_back(entry.path().filename());
    return names;
  }

  static std::string refusal(const fs::path& path) {
    try {
      read_private_file(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kNoPermission);
      return error.sentence();
    }
    return "it is read";
  }

  const test::Folder folder_;
  const fs::path place_ = fs::path(folder_.path()) / "cache";
  const fs::path file_ = place_ / "deep" / "file";
};

TEST_F(PrivateFile, IsReadAsItWasWritten) {
  EXPECT_EQ(read_private_file(file_), std::nullopt);
  write_private_file(file_, bytes_of("first"));
  EXPECT_EQ(read_private_file(file_), bytes_of("first"));
  write_private_file(file_, bytes_of(std::string(200'000, 'x')));
  EXPECT_EQ(read_private_file(file_), bytes_of(std::string(200'000, 'x')));
  write_private_file(file_, {});
  EXPECT_EQ(read_private_file(file_), bytes_of(""));
}

TEST_F(PrivateFile, IsForThisUserAlone) {
  const mode_t mask = umask(0);
  write_private_file(file_, bytes_of("mine"));
  umask(mask);
  EXPECT_EQ(mode_of(file_), 0600U);
  EXPECT_EQ(mode_of(file_.parent_path()), 0700U);
  EXPECT_EQ(mode_of(place_), 0700U);
}

TEST_F(PrivateFile, LeavesNoOtherFile) {
  write_private_file(file_, bytes_of("first"));
  write_private_file(file_, bytes_of("second"));
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(PrivateFile, IsWholeWhenThreadsWriteItTogether) {
  constexpr std::size_t kBytes = 200'000;
  constexpr std::size_t kWrites = 30;
  const auto write_letters = [&](char letter) {
    for (std::size_t i = 0; i < kWrites; ++i) {
      EXPECT_NO_THROW(write_private_file(file_, bytes_of(std::string(kBytes, letter))));
      const auto read = read_private_file(file_);
      if (read && !read->empty() && *read == std::vector<std::byte>(kBytes, read->front())) continue;
      ADD_FAILURE() << "the file has bytes of two writers, or not all of one";
    }
  };
  std::thread other([&] { write_letters('a'); });
  write_letters('b');
  other.join();
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(PrivateFile, NamesTheErrorOfAWrite) {
  write_private_file(file_, bytes_of("old"));
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1000, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // else it ends the process
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string sentence = failure_of_write(file_, bytes_of(std::string(2000, 'x')));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(sentence, HasSubstr("cannot be written: File too large"));
  EXPECT_EQ(read_private_file(file_), bytes_of("old"));
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(PrivateFile, NamesTheErrorOfARename) {
  fs::create_directories(file_);
  fs::permissions(file_.parent_path(), fs::perms::owner_all);
  EXPECT_THAT(failure_of_write(file_, bytes_of("text")), HasSubstr("file: Is a directory"));
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(PrivateFile, IsNotReadWhenOthersCanWriteIt) {
  write_private_file(file_, bytes_of("mine"));
  chmod(file_.c_str(), 0622);
  EXPECT_THAT(refusal(file_), HasSubstr("has mode 622; it can be written by other users"));
  chmod(file_.c_str(), 0644);
  EXPECT_EQ(read_private_file(file_), bytes_of("mine"));
  chmod(file_.parent_path().c_str(), 0777);
  EXPECT_THAT(refusal(file_), HasSubstr("deep has mode 777"));
}

TEST_F(PrivateFile, IsNotReadThroughALink) {
  write_private_file(place_ / "elsewhere", bytes_of("theirs"));
  fs::create_directory(file_.parent_path());
  chmod(file_.parent_path().c_str(), 0700);
  fs::create_symlink(place_ / "elsewhere", file_);
  EXPECT_THAT(refusal(file_), HasSubstr("cannot be opened"));
  write_private_file(file_, bytes_of("mine"));
  EXPECT_FALSE(fs::is_symlink(file_));
  EXPECT_EQ(read_private_file(place_ / "elsewhere"), bytes_of("theirs")) << "the link's target is left alone";
}

TEST_F(PrivateFile, IsNotAPipe) {
  write_private_file(place_ / "other", {});
  fs::create_directory(file_.parent_path());
  chmod(file_.parent_path().c_str(), 0700);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_THAT(refusal(file_), HasSubstr("is no plain file"));
}

TEST_F(PrivateFile, IsNotReadWhenItBelongsToAnother) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  write_private_file(file_, bytes_of("mine"));
  ASSERT_EQ(chown(file_.c_str(), 12345, 12345), 0);
  EXPECT_THAT(refusal(file_), HasSubstr("belongs to user 12345"));
}

TEST_F(PrivateFile, IsNotWrittenWhereOthersCanPutSomethingElse) {
  write_private_file(file_, bytes_of("mine"));
  chmod(file_.parent_path().c_str(), 0777);
  EXPECT_THROW(write_private_file(file_, bytes_of("new")), Error);
  chmod(file_.parent_path().c_str(), 0700);
  EXPECT_EQ(read_private_file(file_), bytes_of("mine"));
}

}  // namespace
}  // namespace aclvk
