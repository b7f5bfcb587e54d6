#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "raw/device.hpp"
#include "raw/shaders.hpp"

namespace raw {

/// The operands of a kernel: the inputs, then the output.
using Operands = std::deque<Buffer>;

/// The sizes of a matrix product: m x k times k x n.
struct Product {
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
};

/// A command buffer with repeated dispatches of a hand-written kernel, or with a vkCmdCopyBuffer. Recorded once,
/// submitted often.
class PrerecordedKernel {
 public:
  /// A kernel of bench/shaders/ on `count` elements. The style in its name determines the grid.
  PrerecordedKernel(Device& device, const Shader& shader, const Operands& operands, std::uint32_t count);
  /// A kernel of bench/shaders/matmul.comp, dispatched `times` times.
  PrerecordedKernel(Device& device, const Shader& shader, const Operands& operands, const Product& product,
                    std::size_t times);
  /// vkCmdCopyBuffer from the first operand to the last.
  PrerecordedKernel(Device& device, const Operands& operands);

  void submit() { device_.submit(*commands_); }

 private:
  void record(const Shader& shader, const Operands& operands, const std::array<std::uint32_t, 3>& arguments,
              const std::array<std::uint32_t, 2>& grid, std::size_t times);
  void begin();
  void barrier();
  void end();
  void create_set(const Operands& operands);

  Device& device_;
  std::optional<Pipeline> pipeline_;
  vk::raii::DescriptorPool descriptors_{nullptr};
  vk::DescriptorSet set_;
  vk::raii::CommandPool pool_{nullptr};
  vk::raii::CommandBuffer commands_{nullptr};
};

/// Returns the kernels of a workload ("add", "cast_half") that the device supports, or the kernel with exactly that
/// name.
std::vector<const Shader*> shaders_for(const Device& device, const std::string& workload);

}  // namespace raw
