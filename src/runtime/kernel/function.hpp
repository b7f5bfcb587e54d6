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
#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

class Device;

/// What a program gives a kernel to work with.
struct KernelArguments {
  /// 8 bytes at `address_at` become the device address of the byte at `data_at`.
  struct Placeholder {
    std::uint32_t address_at = 0;
    std::uint32_t data_at = 0;
  };

  std::vector<std::byte> block;
  std::vector<Placeholder> placeholders{};
  vk::BufferRange device_block{};  ///< in place of `block`: read when the kernel starts
};

/// How many groups a kernel is launched with, and how many threads each has.
struct Grid {
  std::array<std::uint32_t, 3> blocks{1, 1, 1};
  std::array<std::uint32_t, 3> threads{};  ///< 0: as the kernel says
};

/// A parameter of a kernel, by its place in the argument block.
struct Parameter {
  std::string name;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// An aclrtFuncHandle: what a kernel runs, apart from its arguments. There are kernels that programs bring
/// (runtime/kernel/custom_function.hpp), and those of operators, which programs only see as tasks of models.
class Function {
 public:
  virtual ~Function() = default;

  virtual std::string_view name() const = 0;
  virtual Core core() const = 0;
  /// Throws kParamInvalid for an argument block of the wrong size.
  virtual void check_size(std::size_t bytes) const = 0;
  /// Whether the argument block may stay in device memory until the kernel starts.
  virtual bool reads_device_blocks() const = 0;
  /// Throws kParamInvalid for a kernel that does not describe its parameters.
  virtual std::vector<Parameter> parameters() const = 0;
  /// The kernel differs from this function's in nothing but its arguments.
  virtual bool runs(const KernelTask& kernel) const = 0;
  /// The task that runs it. Throws kParamInvalid when an argument cannot be what the kernel takes it for (memory that
  /// is not live, say), kFeatureNotSupported for what the device cannot do.
  virtual KernelTask launch(const KernelArguments& arguments, const Grid& grid,
                            std::shared_ptr<const LaunchAttributes> attributes, const Device& device) const = 0;

  /// The block of a kernel as a program would give it; empty when it is in device memory.
  static std::vector<std::byte> pack(const KernelTask& kernel);
};

/// A kernel of an operator. Its argument block is
///
///     8 bytes an operand: its device address
///     the scalars: what the shader finds behind its operands (shaders/common/kernel.glsl)
///
/// The bytes that each operand may touch belong to the function.
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
  /// The kernel with other arguments.
  KernelTask with(const std::vector<std::byte>& arguments, std::uint32_t blocks, const Device& device) const;

 private:
  const KernelTask kernel_;
};

using FunctionHandles = HandleTable<const Function, HandleTag::kFunction>;
FunctionHandles& function_handles();

}  // namespace aclvk::runtime
