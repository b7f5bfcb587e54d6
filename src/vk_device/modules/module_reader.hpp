#pragma once

#include <cstddef>
#include <cstdint>

namespace aclvk::vk {

/// Reads varints. Reads zeros after the first one that is incomplete, and is not good() from then on.
class ModuleReader {
 public:
  ModuleReader(const std::uint8_t* begin, const std::uint8_t* end) : at_(begin), end_(end) {}

  bool good() const { return good_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  const std::uint8_t* at() const { return at_; }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < kMaxBytes && at_ < end_; ++i) {
      const std::uint64_t byte = *at_++;
      value |= (byte & 0x7F) << 7 * i;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  std::uint32_t word() { return static_cast<std::uint32_t>(number()); }

  /// Reads how many items follow that take a byte or more each.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value <= left()) return value;
    fail();
    return 0;
  }

  void skip(std::size_t numbers) {
    for (std::size_t i = 0; i < numbers; ++i) number();
  }

  void fail() {
    good_ = false;
    at_ = end_;
  }

 private:
  static constexpr std::size_t kMaxBytes = 5;  // an id of 32 bits and its class have 34

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool good_ = true;
};

}  // namespace aclvk::vk
