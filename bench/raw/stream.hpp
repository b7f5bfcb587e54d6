#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "raw/device.hpp"
#include "raw/shaders.hpp"

namespace raw {

/// The operands of a memory-bound kernel: all inputs, then the output.
using Operands = std::deque<Buffer>;

/// One dispatch of a hand-written memory-bound kernel, or a vkCmdCopyBuffer, recorded once.
class Streaming {
 public:
  /// A kernel of bench/shaders/ on `count` elements; its name says the style and so the grid.
  Streaming(Device& device, const Shader& shader, const Operands& operands, std::uint32_t count);
  /// vkCmdCopyBuffer from the first operand to the last.
  Streaming(Device& device, const Operands& operands);

  void submit() { device_.submit(*commands_); }

 private:
  void begin();
  void end();
  void make_set(const Operands& operands);

  Device& device_;
  std::optional<Pipeline> pipeline_;
  vk::raii::DescriptorPool descriptors_{nullptr};
  vk::DescriptorSet set_;
  vk::raii::CommandPool pool_{nullptr};
  vk::raii::CommandBuffer commands_{nullptr};
};

/// The kernels of a workload ("add", "cast_half") that the device can run.
std::vector<const Shader*> shaders_for(const Device& device, const std::string& workload);

}  // namespace raw
