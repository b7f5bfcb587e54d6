#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "vk_device/buffer.hpp"
#include "vk_device/timestamps.hpp"

namespace aclvk::vk {

struct Pipeline;      // A compiled kernel; defined in vk_device/pipeline_store.hpp.
struct CustomLaunch;  // A launch of a program's own kernel; defined in vk_device/custom_kernel.hpp.

enum class Access : std::uint8_t { kRead, kWrite, kReadWrite };

/// One operand of a kernel: the bytes it may touch.
struct DispatchOperand {
  BufferRange range;
  Access access = Access::kRead;
};

/// The specialization constants 0, 1, ... of a shader.
using Constants = InlineVector<std::uint32_t, 12>;

/// What follows the slots of the operands in the block that a kernel reads (shaders/common/kernel.glsl).
using Arguments = InlineVector<std::byte, 64>;

/// Several launches of a kernel in one: each has a block of arguments of its own, with the slots of its operands in
/// front.
struct JoinedBlocks {
  std::size_t operands = 0;  ///< of one launch; 0 for a dispatch that is one launch
  std::size_t first = 0;     ///< where in Dispatch::arguments the first block is
  std::size_t stride = 0;    ///< bytes from one block to the next

  /// Where the slot of operand i of all operands is.
  std::size_t slot(std::size_t i) const { return first + i / operands * stride + i % operands * 8; }
};

/// One kernel launch. `shader` is the stem below shaders/ ("elementwise/binary_f32").
struct Dispatch {
  std::string_view shader;  ///< lives for ever: a string literal, or interned
  Constants constants;
  std::vector<DispatchOperand> operands;
  Arguments arguments;
  std::array<std::uint32_t, 3> groups{};
  JoinedBlocks joined{};               ///< then `operands` are those of all launches, `arguments` is the whole block
  const Pipeline* pipeline = nullptr;  ///< the device's, once Device::prepare() has found it
  /// All it does is to copy the bytes of operand 0 to operand 1, so a copy command may stand for it.
  bool copies = false;
  /// Set for a kernel of the program's own: it stands for `shader` and `constants`, `arguments` is the whole block, and
  /// the first operands are the buffers that the kernel binds; the others only say what memory it reaches.
  std::shared_ptr<const CustomLaunch> custom;
};

/// A strided copy of `height` rows of `width` bytes.
struct Copy2d {
  BufferRange dst;
  BufferRange src;
  std::uint64_t dst_pitch = 0;
  std::uint64_t src_pitch = 0;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
};

/// A finished VkCommandBuffer. Keeps alive all that was recorded into it (buffers, pipelines, descriptor sets,
/// secondaries); its pool goes back to the device's store when the last owner lets go. Immutable, may be submitted many
/// times and while pending.
class CommandBuffer {
 public:
  virtual ~CommandBuffer() = default;
  virtual std::size_t commands() const = 0;  ///< dispatches, copies and fills, secondaries counted as what they hold
  /// Whether a command writes into this range. May say yes to a near miss when very many ranges were touched.
  virtual bool writes(const BufferRange& range) const = 0;
  virtual std::size_t barriers() const = 0;  ///< vkCmdPipelineBarrier between those, the first and last one not counted
};

/// The single place that emits vkCmd*. Commands run in order only where they must: before a command that reads or
/// writes bytes that an earlier one wrote, or writes bytes that an earlier one read, a barrier is recorded; others may
/// overlap. Made by Device::record(). Not thread safe.
class CommandRecorder {
 public:
  virtual ~CommandRecorder() = default;

  /// Nothing is recorded when a group count is 0.
  virtual void dispatch(const Dispatch& dispatch) = 0;
  /// Any offsets and sizes; the ranges have equal size. Ranges that overlap are copied in pieces, as memmove does it.
  virtual void copy(const BufferRange& dst, const BufferRange& src) = 0;
  virtual void copy_2d(const Copy2d& copy) = 0;
  /// Sets every byte. Any offset and size.
  virtual void fill(const BufferRange& dst, std::uint8_t value) = 0;
  /// Sets every 32-bit word. Offset and size are multiples of 4.
  virtual void fill_words(const BufferRange& dst, std::uint32_t value) = 0;
  /// Writes a 64-bit word (vkCmdUpdateBuffer). The offset is a multiple of 4.
  virtual void write_word(const BufferRange& dst, std::uint64_t value) = 0;
  /// Primary only: runs a secondary, ordered against the other commands by the bytes that it touches as a whole.
  virtual void execute(const std::shared_ptr<CommandBuffer>& secondary) = 0;
  /// The device appends to the list the moment at which all commands so far are done.
  virtual void write_timestamp(const std::shared_ptr<Timestamps>& times) = 0;
  /// What follows begins when all commands so far are done, whatever bytes they touch.
  virtual void full_barrier() = 0;
  /// Keeps `object` alive as long as the command buffer.
  virtual void keep_alive(std::shared_ptr<void> object) = 0;

  virtual std::size_t commands() const = 0;
  /// Ends recording. The recorder is used up.
  virtual std::shared_ptr<CommandBuffer> finish() = 0;
};

}  // namespace aclvk::vk
