#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "vk_device/commands/command_recorder.hpp"
#include "vk_device/commands/command_store.hpp"
#include "vk_device/commands/hazard_tracker.hpp"

namespace aclvk::vk {

/// The implementation of CommandBuffer, with everything that the commands reference.
class RecordedCommands final : public CommandBuffer {
 public:
  struct Contents {
    std::shared_ptr<CommandStore> store;
    std::unique_ptr<CommandResources> resources;
    std::vector<std::shared_ptr<const void>> retained;
    std::vector<AccessedBytes> accesses;  ///< all bytes that the commands write and, of a secondary, read
    std::size_t commands = 0;
    std::size_t barriers = 0;
  };

  explicit RecordedCommands(Contents contents) : contents_(std::move(contents)) {}
  ~RecordedCommands() override {
    // The resources go first: their descriptor sets must not outlive the buffers that they reference.
    contents_.store->give_back(std::move(contents_.resources));
  }
  RecordedCommands(const RecordedCommands&) = delete;
  RecordedCommands& operator=(const RecordedCommands&) = delete;

  std::size_t commands() const override { return contents_.commands; }
  std::size_t barriers() const override { return contents_.barriers; }
  bool writes(const BufferRange& range) const override {
    const std::uint64_t begin = range.address();
    return std::any_of(contents_.accesses.begin(), contents_.accesses.end(), [&](const AccessedBytes& accessed) {
      return accessed.access != Access::kRead && accessed.bytes.begin < begin + range.size &&
             begin < accessed.bytes.end;
    });
  }

  Level level() const { return contents_.resources->level; }
  ::vk::CommandBuffer handle() const { return *contents_.resources->buffer; }
  const std::vector<AccessedBytes>& accesses() const { return contents_.accesses; }

 private:
  Contents contents_;
};

}  // namespace aclvk::vk
