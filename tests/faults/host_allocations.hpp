#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace aclvk::test {

/// The allocations with operator new that the library makes: those whose caller is code of libaclvk.so, or code of the
/// C++ runtime, fmt or spdlog that libaclvk.so has called. Those of drivers, their compilers, layers and the tests do
/// not count. The executable of the tests replaces operator new for this.
class HostAllocations {
 public:
  static constexpr std::uint64_t kAlways = UINT64_MAX;

  struct Report {
    std::uint64_t seen;    ///< allocations that counted
    std::uint64_t failed;  ///< of these, allocations that were made to fail
    std::string place;     ///< where the first of them was: return addresses, for addr2line
  };

  /// Of the allocations from now on, those from number `at` (1 is the next one) fail, `times` of them.
  static void arm(std::uint64_t at, std::uint64_t times = 1);
  static Report disarm();
  /// What the last fault has met, written without allocating; for handlers of signals.
  static void print_place(int file);

  /// How many allocations that code of libaclvk.so has asked for itself are alive, since the first call of this
  /// function. 0 with AddressSanitizer, which checks for leaks in its own way.
  static std::int64_t alive();
};

}  // namespace aclvk::test
