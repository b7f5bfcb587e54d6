#pragma once

#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

namespace aclvk::test {

/// Redirects standard error until the end of the scope; the text can be read at any time.
class StandardError {
 public:
  StandardError() : file_(std::tmpfile()), terminal_(dup(STDERR_FILENO)) { dup2(fileno(file_), STDERR_FILENO); }
  ~StandardError() {
    dup2(terminal_, STDERR_FILENO);
    close(terminal_);
    std::fclose(file_);
  }
  StandardError(const StandardError&) = delete;
  StandardError& operator=(const StandardError&) = delete;

  std::string text() const {
    std::string all;
    std::array<char, 4096> part;
    while (const ssize_t bytes = pread(fileno(file_), part.data(), part.size(), static_cast<off_t>(all.size()))) {
      if (bytes < 0) break;
      all.append(part.data(), static_cast<std::size_t>(bytes));
    }
    return all;
  }

 private:
  std::FILE* file_;
  int terminal_;
};

}  // namespace aclvk::test
