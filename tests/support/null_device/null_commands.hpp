#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "support/null_device/null_kernels.hpp"
#include "support/null_device/null_timestamps.hpp"
#include "vk_device/commands/hazard_tracker.hpp"

namespace aclvk {

class NullCommandBuffer;

// The commands of a null device are structs: a test can inspect them, and run() executes them.

struct NullCopy {
  vk::BufferRange dst;
  vk::BufferRange src;
};
struct NullFill {
  vk::BufferRange dst;
  std::uint8_t value;
};
struct NullWordFill {
  vk::BufferRange dst;
  std::uint32_t value;
};
struct NullWordWrite {
  vk::BufferRange dst;
  std::uint64_t value;
};
struct NullExecute {
  std::shared_ptr<const NullCommandBuffer> secondary;
};
struct NullTimestamp {
  std::shared_ptr<NullTimestamps> times;
  std::size_t index;
};
struct NullBarrier {};

using NullCommand = std::variant<vk::Dispatch, NullCopy, vk::Copy2d, NullFill, NullWordFill, NullWordWrite, NullExecute,
                                 NullTimestamp, NullBarrier>;

/// A finished command buffer of a null device.
class NullCommandBuffer final : public vk::CommandBuffer {
 public:
  struct Contents {
    vk::Level level = vk::Level::kPrimary;
    std::vector<NullCommand> list;
    std::vector<std::shared_ptr<void>> retained;
    std::vector<vk::AccessedBytes> accesses;  ///< all bytes that the commands read and write
    std::size_t commands = 0;
    std::size_t barriers = 0;
  };

  explicit NullCommandBuffer(Contents contents) : contents_(std::move(contents)) {}

  std::size_t commands() const override { return contents_.commands; }
  std::size_t barriers() const override { return contents_.barriers; }
  bool writes(const vk::BufferRange& range) const override;

  vk::Level level() const { return contents_.level; }
  const std::vector<NullCommand>& list() const { return contents_.list; }
  const std::vector<vk::AccessedBytes>& accesses() const { return contents_.accesses; }

  /// Executes the commands, one after the other.
  void run(NullKernels& kernels) const;

 private:
  Contents contents_;
};

}  // namespace aclvk
