#pragma once

#include <memory>

#include "runtime/kernel/function.hpp"
#include "vk_device/custom_kernel.hpp"

namespace aclvk::runtime {

/// A kernel that a program brings (docs/custom-kernels.md). What was launched with it outlives it.
class CustomFunction final : public Function {
 public:
  CustomFunction(std::shared_ptr<const vk::CustomKernel> kernel, const Device& device, void* binary);

  /// Its aclrtFuncHandle, once it has one.
  void* handle = nullptr;
  /// The aclrtBinHandle that it came from; null for one that a model's task was asked for after that was unloaded.
  void* const binary;

  std::string_view name() const override { return name_; }
  Core core() const override { return Core::kVector; }
  void check_size(std::size_t bytes) const override;
  bool reads_device_blocks() const override { return kernel_->interface().buffers == 0; }
  std::vector<Parameter> parameters() const override;
  bool runs(const KernelTask& kernel) const override;
  KernelTask launch(const KernelArguments& arguments, const Grid& grid,
                    std::shared_ptr<const LaunchAttributes> attributes, const Device& device) const override;

 private:
  const std::shared_ptr<const vk::CustomKernel> kernel_;
  const std::string_view name_;
  const Device& device_;  // devices live until the process ends
};

}  // namespace aclvk::runtime
