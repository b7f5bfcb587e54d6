#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vk_device/commands/command_recorder.hpp"
#include "vk_device/commands/recorded_commands.hpp"
#include "vk_device/commands/recorder_scratch.hpp"

namespace aclvk::vk {

/// Returns whether a kernel that only copies is recorded as a copy command, so that it needs no pipeline.
bool runs_as_copy(const Dispatch& dispatch, const Gpu& gpu);
/// Throws kFeatureNotSupported when the kernel needs more groups than maxComputeWorkGroupCount.
void check_groups(const Dispatch& dispatch, const Limits& limits);

/// The implementation of CommandRecorder. A primary starts and ends with a full barrier, which makes submissions of a
/// queue visible to each other and to the host. Between them it records barriers only where two commands conflict. A
/// secondary has neither: execute() synchronizes it as a whole.
class Recorder final : public CommandRecorder {
 public:
  Recorder(std::shared_ptr<CommandStore> store, Level level);
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void dispatch(const Dispatch& dispatch) override;
  void copy(const BufferRange& dst, const BufferRange& src) override;
  void copy_2d(const Copy2d& copy) override;
  void fill(const BufferRange& dst, std::uint8_t value) override;
  void fill_words(const BufferRange& dst, std::uint32_t value) override;
  void write_word(const BufferRange& dst, std::uint64_t value) override;
  void execute(const std::shared_ptr<CommandBuffer>& secondary) override;
  void write_timestamp(const std::shared_ptr<Timestamps>& times) override;
  void full_barrier() override;
  void keep_alive(std::shared_ptr<void> object) override { contents_.retained.push_back(std::move(object)); }
  std::size_t commands() const override { return contents_.commands; }
  std::shared_ptr<CommandBuffer> finish() override;

  /// Records a dispatch of the prepared pipeline with no groups, for drivers that compile at the first launch.
  void warm_up(const Dispatch& dispatch);

 private:
  void begin(Level level);
  void barrier(const ::vk::MemoryBarrier2& memory);
  /// Records a barrier if the next command conflicts with an earlier one, and tracks its accesses.
  void synchronize(const AccessedBytes* accesses, std::size_t count);
  void synchronize(std::initializer_list<AccessedBytes> accesses) { synchronize(accesses.begin(), accesses.size()); }
  template <typename Object>
  void retain(const std::shared_ptr<Object>& object);

  /// Binds the pipeline unless it is bound, and passes the argument block.
  void bind(const Dispatch& dispatch, const Pipeline& pipeline);
  /// Writes the argument block and the descriptors to the scratch.
  void write_block(const Dispatch& dispatch, const Pipeline& pipeline);
  void write_joined_blocks(const Dispatch& dispatch);
  void push_block(const Dispatch& dispatch, const Pipeline& pipeline);
  ::vk::DescriptorSet descriptor_set(const Dispatch& dispatch, const Pipeline& pipeline);
  Interval descriptor_interval(const BufferRange& range) const;
  ::vk::DescriptorBufferInfo descriptor(const BufferRange& operand, std::uint64_t& offset_in_binding) const;
  // Kernels of programs (recorder_custom.cpp).
  void dispatch_custom(const Dispatch& dispatch, const Pipeline& pipeline);
  void collect_accesses(const Dispatch& dispatch);
  AccessedBytes accessed_by(const DispatchOperand& operand) const;
  void write_custom_block(const Dispatch& dispatch, const Pipeline& pipeline);
  BufferRange resolved_block(const Dispatch& dispatch);
  void bind_buffers(const Dispatch& dispatch, const BufferRange& linked);
  BufferRange aligned_block(const BufferRange& block, std::uint64_t bytes);
  void bind_custom(const Pipeline& pipeline);

  void copy_bytes(const BufferRange& dst, const BufferRange& src);
  void copy_in_chunks(const BufferRange& dst, const BufferRange& src);
  void copy_row_by_row(const Copy2d& rows);

  static constexpr std::size_t kRecentlyRetained = 16;

  RecordedCommands::Contents contents_;
  std::unique_ptr<RecorderScratch> scratch_;
  ::vk::CommandBuffer commands_;
  const VulkanFunctions& functions_;
  // True with ACLVK_VALIDATION=3, whose synchronization validation considers every byte of a descriptor accessed. Then
  // the recorder does the same, or the layer reports hazards between neighbours.
  const bool track_whole_descriptors_;
  const Pipeline* bound_pipeline_ = nullptr;
  const void* recently_retained_[kRecentlyRetained] =
      {};  // a lossy filter, since retaining an object twice is harmless
};

template <typename Object>
void Recorder::retain(const std::shared_ptr<Object>& object) {
  const void*& slot =
      recently_retained_[reinterpret_cast<std::uintptr_t>(object.get()) / sizeof(Object) % kRecentlyRetained];
  if (slot == object.get()) return;
  contents_.retained.push_back(object);
  slot = object.get();
}

}  // namespace aclvk::vk
