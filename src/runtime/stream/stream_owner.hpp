#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/failure/failures.hpp"

namespace aclvk::runtime {

/// The part of a context that its streams use; Context derives from it. Thread safe, except for the Failures.
class StreamOwner {
 public:
  StreamOwner(const StreamOwner&) = delete;
  StreamOwner& operator=(const StreamOwner&) = delete;

  Device& device() const { return *device_; }
  const std::shared_ptr<Device>& shared_device() const { return device_; }
  /// Unique among all contexts of the process, destroyed ones included.
  const std::uint64_t number;
  bool destroyed() const { return destroyed_; }

  const std::shared_ptr<Failures> failures = std::make_shared<Failures>();

 protected:
  explicit StreamOwner(std::shared_ptr<Device> device) : number(next_number()), device_(std::move(device)) {}
  ~StreamOwner() = default;

  /// Marks the owner as destroyed. Returns false when it was marked before.
  bool mark_destroyed() { return !destroyed_.exchange(true); }

 private:
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> number{0};
    return ++number;
  }

  const std::shared_ptr<Device> device_;
  std::atomic<bool> destroyed_{false};
};

}  // namespace aclvk::runtime
