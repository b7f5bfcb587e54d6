#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "vk_device/pipelines/custom_kernel.hpp"
#include "vk_device/pipelines/dispatch.hpp"

namespace aclvk {

/// A kernel that has run: the dispatch, without the buffers that it keeps alive.
struct NullLaunch {
  struct Operand {
    std::uint64_t address = 0;  ///< 0: no buffer
    std::uint64_t bytes = 0;
    vk::Access access = vk::Access::kRead;
  };

  std::string kernel;  ///< the shader, or the name of a program's kernel
  vk::Constants constants;
  std::vector<Operand> operands;
  vk::Arguments arguments;
  std::array<std::uint32_t, 3> groups{};
};

/// Runs the kernels of a null device: counts and stores them, and does nothing else unless a test gives them an
/// implementation. Thread safe.
class NullKernels {
 public:
  using Implementation = std::function<void(const vk::Dispatch&)>;

  void run(const vk::Dispatch& dispatch);

  /// Return how many kernels have run, of all names or of one.
  std::size_t count() const;
  std::size_t count(const std::string& kernel) const;
  /// Returns the last thousand that have run, in their order.
  std::vector<NullLaunch> launches() const;

  /// Sets a function that computes results on the host. It runs without locks, and must not wait for the device.
  void set_implementation(Implementation implementation);

 private:
  static constexpr std::size_t kStored = 1000;

  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;
  std::deque<NullLaunch> launches_;
  Implementation implementation_;
};

/// A kernel of a program's module on a null device.
class NullCustomKernel final : public vk::CustomKernel {
 public:
  explicit NullCustomKernel(vk::KernelInterface interface) : interface_(std::move(interface)) {}

  const vk::KernelInterface& interface() const override { return interface_; }
  std::uint64_t buffer_alignment() const override { return 16; }
  void check_local_size(const std::array<std::uint32_t, 3>& threads) const override;

 private:
  const vk::KernelInterface interface_;
};

}  // namespace aclvk
