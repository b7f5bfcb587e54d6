#pragma once

#include <memory>

#include "runtime/kernel/function.hpp"
#include "vk_device/pipelines/custom_kernel.hpp"

namespace aclvk::runtime {

/// A kernel from a module of the program (docs/custom-kernels.md). Tasks share ownership of its pipelines, and so
/// outlive this object.
class CustomFunction final : public Function {
 public:
  CustomFunction(std::shared_ptr<const vk::CustomKernel> kernel, const Device& device, void* binary);

  /// Its aclrtFuncHandle; null until it is registered.
  void* handle = nullptr;
  /// The aclrtBinHandle of its module. Null when the function of a model's task is queried after the binary has been
  /// unloaded.
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
  const Device& device_;  // a Device lives until the process ends
};

}  // namespace aclvk::runtime
