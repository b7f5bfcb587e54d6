#pragma once

#include <cstdint>
#include <string>

#include "stories/story.hpp"
#include "support/vulkan_faults.hpp"

namespace aclvk::test {

/// A use that can be made to fail at its n-th use.
class Fault {
 public:
  struct Report {
    bool fired;
    std::string where;
  };

  virtual ~Fault() = default;
  virtual void arm(std::uint64_t at) const = 0;
  virtual Report disarm() const = 0;
  /// The calls with which a program continues when the fault has been met.
  virtual void recover() const {}
};

class VulkanFault : public Fault {
 public:
  VulkanFault(const VulkanFaults& faults, VulkanResult result) : faults_(faults), result_(result) {}
  void arm(std::uint64_t at) const override { faults_.arm(result_, at); }
  Report disarm() const override;

 private:
  const VulkanFaults& faults_;
  const VulkanResult result_;
};

/// The driver gives the device up.
class LossFault final : public VulkanFault {
 public:
  explicit LossFault(const VulkanFaults& faults) : VulkanFault(faults, VulkanResult::kDeviceLost) {}
  void recover() const override;
};

class HostFault final : public Fault {
 public:
  void arm(std::uint64_t at) const override;
  Report disarm() const override;
};

/// Lets the fault meet the first, second, ... use of a story, until a story runs without meeting it. Each run has to
/// end with a documented code, and the same story run again right after it has to end well. All of it twice: the
/// second time leaves as much memory in use as the first, of the device and, where `keeps_nothing`, of the library on
/// the host. ACLVK_FAULT_STRIDE: every how-manieth use is met (1: all); ACLVK_FAULT_FIRST: the first one.
void sweep(const char* name, StoryBody body, const Fault& fault, bool keeps_nothing);

/// Does so with a process for each use, forked before anything of the library has been touched: for what happens once
/// a process. `prepare` is run first, without faults; null: nothing.
void sweep_processes(const char* name, StoryBody prepare, StoryBody body, const Fault& fault);

}  // namespace aclvk::test
