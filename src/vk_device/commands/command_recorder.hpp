#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "vk_device/buffers/buffer.hpp"
#include "vk_device/commands/timestamps.hpp"
#include "vk_device/pipelines/dispatch.hpp"

namespace aclvk::vk {

enum class Level { kPrimary, kSecondary };

/// A copy of `height` rows of `width` bytes between ranges with pitches.
struct Copy2d {
  BufferRange dst;
  BufferRange src;
  std::uint64_t dst_pitch = 0;
  std::uint64_t src_pitch = 0;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
};

/// A finished VkCommandBuffer. It keeps alive everything recorded into it (buffers, pipelines, descriptor sets,
/// secondaries). Its command pool returns to the CommandStore with the last reference. Immutable; may be submitted
/// repeatedly and while pending.
class CommandBuffer {
 public:
  virtual ~CommandBuffer() = default;
  virtual std::size_t commands() const = 0;  ///< dispatches, copies and fills, including those of secondaries
  /// Returns whether a command writes into this range. May return true for a nearby range after IntervalSet has merged
  /// intervals.
  virtual bool writes(const BufferRange& range) const = 0;
  virtual std::size_t barriers() const = 0;  ///< barriers between commands, without those at the start and the end
};

/// The only class that emits vkCmd*. Before a command that accesses bytes which an earlier command wrote, or writes
/// bytes which an earlier command read, it records a barrier; all other commands may overlap. Created by
/// Device::record(). Not thread safe.
class CommandRecorder {
 public:
  virtual ~CommandRecorder() = default;

  /// Records a dispatch; nothing when a group count is 0.
  virtual void dispatch(const Dispatch& dispatch) = 0;
  /// Copies between ranges of equal size, at any offset. Overlapping ranges are copied in chunks, with the result of
  /// memmove.
  virtual void copy(const BufferRange& dst, const BufferRange& src) = 0;
  virtual void copy_2d(const Copy2d& copy) = 0;
  /// Sets every byte, at any offset and size.
  virtual void fill(const BufferRange& dst, std::uint8_t value) = 0;
  /// Sets every 32-bit word. Offset and size must be multiples of 4.
  virtual void fill_words(const BufferRange& dst, std::uint32_t value) = 0;
  /// Writes a 64-bit word (vkCmdUpdateBuffer). The offset must be a multiple of 4.
  virtual void write_word(const BufferRange& dst, std::uint64_t value) = 0;
  /// Executes a secondary, which is synchronized as a whole by the bytes that it accesses. Requires a primary.
  virtual void execute(const std::shared_ptr<CommandBuffer>& secondary) = 0;
  /// Writes a timestamp when all commands so far have completed, and appends it to the list.
  virtual void write_timestamp(const std::shared_ptr<Timestamps>& times) = 0;
  /// Records a barrier between all commands before and after it, whatever bytes they access.
  virtual void full_barrier() = 0;
  /// Keeps `object` alive as long as the command buffer.
  virtual void keep_alive(std::shared_ptr<void> object) = 0;

  virtual std::size_t commands() const = 0;
  /// Ends recording. The recorder must not be used afterwards.
  virtual std::shared_ptr<CommandBuffer> finish() = 0;
};

}  // namespace aclvk::vk
