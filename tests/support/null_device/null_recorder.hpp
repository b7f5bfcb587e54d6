#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "support/null_device/null_commands.hpp"
#include "vk_device/commands/hazard_tracker.hpp"

namespace aclvk {

/// Records the commands of a null device. Checks ranges and counts barriers like vk::Recorder, with the same
/// HazardTracker.
class NullRecorder final : public vk::CommandRecorder {
 public:
  NullRecorder(vk::Level level, const std::array<std::uint32_t, 3>& max_groups);

  void dispatch(const vk::Dispatch& dispatch) override;
  void copy(const vk::BufferRange& dst, const vk::BufferRange& src) override;
  void copy_2d(const vk::Copy2d& copy) override;
  void fill(const vk::BufferRange& dst, std::uint8_t value) override;
  void fill_words(const vk::BufferRange& dst, std::uint32_t value) override;
  void write_word(const vk::BufferRange& dst, std::uint64_t value) override;
  void execute(const std::shared_ptr<vk::CommandBuffer>& secondary) override;
  void write_timestamp(const std::shared_ptr<vk::Timestamps>& times) override;
  void full_barrier() override;
  void keep_alive(std::shared_ptr<void> object) override { contents_.retained.push_back(std::move(object)); }
  std::size_t commands() const override { return contents_.commands; }
  std::shared_ptr<vk::CommandBuffer> finish() override;

 private:
  void check_groups(const vk::Dispatch& dispatch) const;
  /// Counts a barrier if the next command conflicts with an earlier one, and tracks its accesses.
  void synchronize(const std::vector<vk::AccessedBytes>& accesses);

  const std::array<std::uint32_t, 3> max_groups_;
  NullCommandBuffer::Contents contents_;
  vk::HazardTracker since_barrier_;
  vk::HazardTracker whole_;
  bool finished_ = false;
};

}  // namespace aclvk
