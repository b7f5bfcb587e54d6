#include "base/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"

namespace aclvk {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kGroupOrOtherWritable = S_IWGRP | S_IWOTH;

// Returns the text of errno. A check() has it among its arguments, whose order of evaluation is unspecified, so the
// failed call precedes the check as a statement of its own.
std::string last_error() { return std::generic_category().message(errno); }

// Threads of one process may write the same file at the same time, each under a temporary name of its own.
std::string temporary_name(const std::string& name) {
  return name + "." + std::to_string(getpid()) + "." + std::to_string(syscall(SYS_gettid));
}

void check_private(const File& file, const fs::path& path, mode_t kind, const char* expected) {
  struct stat status {};
  const bool known = fstat(file.fd(), &status) == 0;
  check(known, Code::kFailure, "The owner and mode of {} cannot be read: {}.", path.string(), last_error());
  check((status.st_mode & S_IFMT) == kind, Code::kNoPermission, "{} is no {}.", path.string(), expected);
  check(status.st_uid == geteuid(), Code::kNoPermission, "{} belongs to user {}; this process runs as user {}.",
        path.string(), status.st_uid, geteuid());
  check((status.st_mode & kGroupOrOtherWritable) == 0, Code::kNoPermission,
        "{} has mode {:o}; it can be written by other users than {}.", path.string(), status.st_mode & 07777U,
        geteuid());
}

// All accesses go through the open folder, so that no process can replace it after the check.
File open_folder(const fs::path& path) {
  File folder(uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (folder.open()) check_private(folder, path, S_IFDIR, "folder");
  return folder;
}

std::vector<std::byte> read_all(const File& file, const fs::path& path) {
  std::vector<std::byte> bytes;
  constexpr std::size_t kBlockBytes = 1 << 16;  // of one read(2)
  for (ssize_t got = 1; got > 0;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kBlockBytes);
    got = uninterrupted([&] { return read(file.fd(), &bytes[before], kBlockBytes); });
    check(got >= 0, Code::kFailure, "{} cannot be read: {}.", path.string(), last_error());
    bytes.resize(before + static_cast<std::size_t>(got));
  }
  return bytes;
}

void write_all(const File& file, const std::vector<std::byte>& bytes, const fs::path& path) {
  for (std::size_t written = 0; written < bytes.size();) {
    const ssize_t put = uninterrupted([&] { return write(file.fd(), &bytes[written], bytes.size() - written); });
    check(put >= 0, Code::kFailure, "{} cannot be written: {}.", path.string(), last_error());
    written += static_cast<std::size_t>(put);
  }
}

// Not std::filesystem::create_directories, which creates folders for all users, as far as umask permits.
void make_folders(const fs::path& path) {
  if (path.empty() || access(path.c_str(), F_OK) == 0) return;
  make_folders(path.parent_path());
  const bool made = mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST;
  check(made, Code::kFailure, "The folder {} cannot be made: {}.", path.string(), last_error());
}

}  // namespace

std::optional<std::vector<std::byte>> read_private_file(const fs::path& path) {
  const File folder = open_folder(path.parent_path());
  if (!folder.open()) return std::nullopt;
  // O_NONBLOCK: the path may name a FIFO, and opening one would block.
  const File file(uninterrupted(
      [&] { return openat(folder.fd(), path.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); }));
  if (!file.open() && errno == ENOENT) return std::nullopt;
  check(file.open(), Code::kNoPermission, "{} cannot be opened: {}.", path.string(), last_error());
  check_private(file, path, S_IFREG, "plain file");
  return read_all(file, path);
}

void write_private_file(const fs::path& path, const std::vector<std::byte>& bytes) {
  make_folders(path.parent_path());
  const File folder = open_folder(path.parent_path());
  check(folder.open(), Code::kFailure, "{} cannot be opened: {}.", path.parent_path().string(), last_error());
  const std::string name = path.filename().string();
  const std::string temporary = temporary_name(name);
  // The bytes are written next to the file, which rename() then replaces atomically.
  unlinkat(folder.fd(), temporary.c_str(), 0);  // left by a killed process whose numbers this thread has
  const File file(uninterrupted([&] {
    return openat(folder.fd(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  }));
  check(file.open(), Code::kFailure, "{} cannot be made: {}.", temporary, last_error());
  try {
    write_all(file, bytes, path);
    const bool renamed = renameat(folder.fd(), temporary.c_str(), folder.fd(), name.c_str()) == 0;
    check(renamed, Code::kFailure, "{} cannot be renamed to {}: {}.", temporary, path.string(), last_error());
  } catch (...) {
    unlinkat(folder.fd(), temporary.c_str(), 0);
    throw;
  }
}

}  // namespace aclvk
