#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aclvk::runtime {

constexpr int kCoreKinds = 2;

/// The limits on the number of cores of a stream or a device (runtime/context/resource_limit.hpp). Thread safe.
class CoreLimits {
 public:
  CoreLimits() { reset(); }
  /// Returns the limit, or `otherwise` when none is set.
  std::uint32_t get(int kind, std::uint32_t otherwise) const {
    const std::int64_t limit = limits_[static_cast<std::size_t>(kind)];
    return limit < 0 ? otherwise : static_cast<std::uint32_t>(limit);
  }
  void set(int kind, std::uint32_t limit) { limits_[static_cast<std::size_t>(kind)] = limit; }
  void reset() {
    for (auto& limit : limits_) limit = -1;
  }

 private:
  std::array<std::atomic<std::int64_t>, kCoreKinds> limits_;
};

}  // namespace aclvk::runtime
