#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/handle.hpp"
#include "runtime/kernel/launch_attributes.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

class Device;

/// The argument block of a launch.
struct KernelArguments {
  /// A relocation: the 8 bytes at offset `address_at` of the block become the device address of the byte at `data_at`.
  struct Placeholder {
    std::uint32_t address_at = 0;
    std::uint32_t data_at = 0;
  };

  std::vector<std::byte> block;
  std::vector<Placeholder> placeholders{};
  vk::BufferRange device_block{};  ///< replaces `block`: a block in device memory, read when the kernel starts
};

/// The launch dimensions: workgroups, and invocations in each.
struct Grid {
  std::array<std::uint32_t, 3> blocks{1, 1, 1};
  std::array<std::uint32_t, 3> threads{};  ///< 0: the local size of the module
};

/// A parameter of a kernel, as an offset into the argument block.
struct Parameter {
  std::string name;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// An aclrtFuncHandle: a kernel without arguments. CustomFunction is a kernel of a program's module, OperatorFunction
/// one of the library, which programs only see as tasks of models. Both are immutable while they are used, and so
/// thread safe.
class Function {
 public:
  virtual ~Function() = default;

  virtual std::string_view name() const = 0;
  virtual Core core() const = 0;
  /// Throws kParamInvalid for an argument block of the wrong size.
  virtual void check_size(std::size_t bytes) const = 0;
  /// Returns whether the argument block may stay in device memory until the kernel starts.
  virtual bool reads_device_blocks() const = 0;
  /// Throws kParamInvalid for a kernel that does not describe its parameters.
  virtual std::vector<Parameter> parameters() const = 0;
  /// Returns whether the task runs this function, apart from the values of its arguments.
  virtual bool runs(const KernelTask& kernel) const = 0;
  /// Makes the task that runs it. Throws kParamInvalid for an argument that the kernel cannot take (memory that is not
  /// live, for instance), kFeatureNotSupported for features that the device lacks.
  virtual KernelTask launch(const KernelArguments& arguments, const Grid& grid,
                            std::shared_ptr<const LaunchAttributes> attributes, const Device& device) const = 0;

  /// Returns the argument block of a task in the form in which a program passes it. Empty for a block in device memory.
  static std::vector<std::byte> pack(const KernelTask& kernel);
};

/// A kernel of an operator. Its argument block is
///
///     for each operand 8 bytes: its device address
///     the scalars, as the shader reads them (shaders/common/kernel.glsl)
///
/// The size of each operand is fixed, and part of the function.
class OperatorFunction final : public Function {
 public:
  explicit OperatorFunction(KernelTask kernel) : kernel_(std::move(kernel)) {}

  std::size_t argument_bytes() const;
  std::string_view name() const override { return kernel_.name; }
  Core core() const override { return kernel_.core; }
  void check_size(std::size_t bytes) const override;
  bool reads_device_blocks() const override { return false; }
  std::vector<Parameter> parameters() const override;
  bool runs(const KernelTask& kernel) const override;
  KernelTask launch(const KernelArguments& arguments, const Grid& grid,
                    std::shared_ptr<const LaunchAttributes> attributes, const Device& device) const override;
  /// Returns the task with other arguments. Throws kParamInvalid for memory that is not live or less aligned than the
  /// original.
  KernelTask with(const std::vector<std::byte>& arguments, std::uint32_t blocks, const Device& device) const;

 private:
  const KernelTask kernel_;
};

using FunctionHandles = HandleTable<const Function, HandleTag::kFunction>;
FunctionHandles& function_handles();

}  // namespace aclvk::runtime
