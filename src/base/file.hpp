#pragma once

#include <unistd.h>

#include <utility>

namespace aclvk {

/// An open file of this process, closed at the end.
class File {
 public:
  File() = default;
  explicit File(int number) : number_(number) {}
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~File() {
    if (number_ >= 0) ::close(number_);
  }

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Whoever takes the number closes it.
  int give_away() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

}  // namespace aclvk
