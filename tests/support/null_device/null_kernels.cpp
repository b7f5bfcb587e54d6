#include "support/null_device/null_kernels.hpp"

#include <utility>

#include "base/error.hpp"

namespace aclvk {
namespace {

constexpr std::uint64_t kMaxThreads = 1024;  // threads_per_group of null_device_info()

NullLaunch launch_of(const vk::Dispatch& dispatch) {
  NullLaunch launch;
  launch.kernel = dispatch.custom ? dispatch.custom->kernel->interface().name : std::string(dispatch.shader);
  launch.constants = dispatch.constants;
  for (const vk::DispatchOperand& operand : dispatch.operands) {
    const std::uint64_t address = operand.range.buffer ? operand.range.address() : 0;
    launch.operands.push_back({address, operand.range.size, operand.access});
  }
  launch.arguments = dispatch.arguments;
  launch.groups = dispatch.groups;
  return launch;
}

}  // namespace

void NullKernels::run(const vk::Dispatch& dispatch) {
  NullLaunch launch = launch_of(dispatch);
  Implementation implementation;
  {
    const std::lock_guard lock(mutex_);
    ++counts_[launch.kernel];
    launches_.push_back(std::move(launch));
    if (launches_.size() > kStored) launches_.pop_front();
    implementation = implementation_;  // copied, since it runs without the lock
  }
  if (implementation) implementation(dispatch);
}

std::size_t NullKernels::count() const {
  const std::lock_guard lock(mutex_);
  std::size_t all = 0;
  for (const auto& [kernel, count] : counts_) all += count;
  return all;
}

std::size_t NullKernels::count(const std::string& kernel) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(kernel);
  return found == counts_.end() ? 0 : found->second;
}

std::vector<NullLaunch> NullKernels::launches() const {
  const std::lock_guard lock(mutex_);
  return {launches_.begin(), launches_.end()};
}

void NullKernels::set_implementation(Implementation implementation) {
  const std::lock_guard lock(mutex_);
  implementation_ = std::move(implementation);
}

void NullCustomKernel::check_local_size(const std::array<std::uint32_t, 3>& threads) const {
  std::uint64_t product = 1;
  for (const std::uint32_t count : threads) product *= count;
  check(product > 0 && product <= kMaxThreads, Code::kFeatureNotSupported,
        "Kernel {} has {} threads in a group; 1 to {} are expected.", interface_.name, product, kMaxThreads);
}

}  // namespace aclvk
