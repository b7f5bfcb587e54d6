#pragma once

#include <cstdint>

#include "base/process_state.hpp"

namespace aclvk {

/// A variable of a thread that belongs to a Process: T{} when a Process begins. Has no destructor if T has none, so
/// that destructors that run while the thread ends can use it.
template <typename T>
class ThreadValue {
 public:
  /// Returns the value; T{} at the first use in a Process.
  T& get() {
    if (generation_ != process_generation()) renew();
    return value_;
  }

  /// Returns the value without a comparison. For values that are valid only together with something that a new Process
  /// changes.
  T& unchecked() noexcept { return value_; }

 private:
  void renew() {
    value_ = T{};
    generation_ = process_generation();
  }

  T value_{};
  std::uint64_t generation_ = 0;
};

}  // namespace aclvk
