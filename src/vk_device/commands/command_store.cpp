#include "vk_device/commands/command_store.hpp"

#include <cstring>

#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

constexpr std::size_t kMaxIdle = 256;             // of each level; bounds what remains after a burst of submissions
constexpr std::size_t kMaxIdleScratch = 16;       // more recorders are rarely open at the same time
constexpr std::uint64_t kPatternBytes = 256 * 4;  // a 32-bit word for each byte value

::vk::raii::CommandPool create_pool(const Gpu& gpu) {
  gpu.count_created();
  return guarded(
      [&] { return ::vk::raii::CommandPool(gpu.device(), ::vk::CommandPoolCreateInfo({}, gpu.queue_family())); },
      "creating a command pool");
}

::vk::raii::CommandBuffer create_buffer(const Gpu& gpu, const ::vk::raii::CommandPool& pool, Level level) {
  const auto kind =
      level == Level::kPrimary ? ::vk::CommandBufferLevel::ePrimary : ::vk::CommandBufferLevel::eSecondary;
  const ::vk::CommandBufferAllocateInfo info(*pool, kind, 1);
  return guarded([&] { return std::move(::vk::raii::CommandBuffers(gpu.device(), info).front()); },
                 "allocating a command buffer");
}

}  // namespace

CommandResources::CommandResources(const std::shared_ptr<const Gpu>& gpu, const std::shared_ptr<BufferPool>& host_pool,
                                   Level wanted)
    : level(wanted),
      pool(create_pool(*gpu)),
      buffer(create_buffer(*gpu, pool, wanted)),
      descriptors(gpu),
      arguments(host_pool) {}

void CommandResources::reset() {
  guarded([&] { pool.reset(); }, "resetting a command pool");
  descriptors.reset();
  arguments.reset();
}

CommandStore::CommandStore(std::shared_ptr<const Gpu> gpu, std::shared_ptr<BufferPool> host_pool)
    : gpu_(std::move(gpu)),
      host_pool_(std::move(host_pool)),
      pipelines_(gpu_),
      descriptor_sets_(gpu_),
      pattern_(host_pool_->allocate(kPatternBytes)) {
  // The sources of Recorder::fill() for bytes that are no whole words.
  for (unsigned value = 0; value < 256; ++value) {
    std::memset(pattern_.mapped() + value * 4, static_cast<int>(value), 4);
  }
}

std::unique_ptr<CommandResources> CommandStore::take(Level level) {
  {
    const LockGuard lock(mutex_);
    auto& list = idle(level);
    if (!list.empty()) {
      auto resources = std::move(list.back());
      list.pop_back();
      return resources;
    }
  }
  // Without the lock: no other thread waits for the driver to create a pool.
  return std::make_unique<CommandResources>(gpu_, host_pool_, level);
}

void CommandStore::give_back(std::unique_ptr<CommandResources> resources) noexcept {
  try {
    resources->reset();
    const LockGuard lock(mutex_);
    auto& list = idle(resources->level);
    if (list.size() < kMaxIdle) list.push_back(std::move(resources));
  } catch (const std::exception&) {
    // A command pool that cannot be reset is destroyed.
  }
}

std::unique_ptr<RecorderScratch> CommandStore::take_scratch() {
  const LockGuard lock(mutex_);
  if (idle_scratch_.empty()) return std::make_unique<RecorderScratch>();
  auto scratch = std::move(idle_scratch_.back());
  idle_scratch_.pop_back();
  return scratch;
}

void CommandStore::give_back(std::unique_ptr<RecorderScratch> scratch) noexcept {
  scratch->clear();
  try {
    const LockGuard lock(mutex_);
    if (idle_scratch_.size() < kMaxIdleScratch) idle_scratch_.push_back(std::move(scratch));
  } catch (const std::exception&) {
    // Without memory for the list the scratch is destroyed.
  }
}

}  // namespace aclvk::vk
