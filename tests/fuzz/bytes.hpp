#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace aclvk::fuzz {

/// The input of a fuzzer, read from the front. Past its end everything is 0, so that any bytes mean something.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}

  bool empty() const { return left_ == 0; }
  std::size_t left() const { return left_; }

  template <typename T>
  T number() {
    T value{};
    const std::size_t taken = std::min(left_, sizeof(T));
    if (taken > 0) std::memcpy(&value, at_, taken);
    skip(taken);
    return value;
  }
  std::uint8_t byte() { return number<std::uint8_t>(); }
  /// One of `count` places.
  std::size_t pick(std::size_t count) { return count < 2 ? 0 : byte() % count; }
  /// Once in so many times; never past the end.
  bool once_in(unsigned times) { return byte() % times == times - 1; }
  template <typename T, std::size_t kCount>
  T any_of(const T (&values)[kCount]) {
    return values[pick(kCount)];
  }
  std::string text(std::size_t most) {
    const std::size_t taken = std::min(left_, most);
    const std::string result(reinterpret_cast<const char*>(at_), taken);
    skip(taken);
    return result;
  }
  std::string rest() { return text(left_); }

 private:
  void skip(std::size_t count) {
    at_ += count;
    left_ -= count;
  }

  const std::uint8_t* at_;
  std::size_t left_;
};

}  // namespace aclvk::fuzz
