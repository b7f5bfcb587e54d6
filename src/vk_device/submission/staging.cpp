#include "vk_device/submission/staging.hpp"

#include <algorithm>
#include <cstring>

#include "vk_device/commands/recorder.hpp"

namespace aclvk::vk {
namespace {

// Each chunk of a copy is submitted and waited for: larger chunks need fewer of these, smaller ones less pinned memory.
constexpr std::uint64_t kStagingBytes = std::uint64_t{8} << 20;

}  // namespace

Staging::Staging(std::shared_ptr<const Gpu> gpu, std::shared_ptr<BufferPool> host_pool,
                 std::shared_ptr<CommandStore> store, Queue& queue)
    : gpu_(std::move(gpu)),
      host_pool_(std::move(host_pool)),
      store_(std::move(store)),
      queue_(queue),
      timeline_(std::make_shared<VulkanTimeline>(gpu_)) {}

void Staging::write(const BufferRange& dst, const std::byte* src) {
  const LockGuard lock(mutex_);
  for (std::uint64_t at = 0; at < dst.size;) {
    const std::uint64_t bytes = std::min(kStagingBytes, dst.size - at);
    const BufferRange chunk = buffer().slice(0, bytes);
    std::memcpy(chunk.mapped(), src + at, bytes);
    copy_now(dst.slice(at, bytes), chunk);
    at += bytes;
  }
}

void Staging::read(std::byte* dst, const BufferRange& src) {
  const LockGuard lock(mutex_);
  for (std::uint64_t at = 0; at < src.size;) {
    const std::uint64_t bytes = std::min(kStagingBytes, src.size - at);
    const BufferRange chunk = buffer().slice(0, bytes);
    copy_now(chunk, src.slice(at, bytes));
    std::memcpy(dst + at, chunk.mapped(), bytes);
    at += bytes;
  }
}

const BufferRange& Staging::buffer() {
  if (!buffer_.buffer) buffer_ = host_pool_->allocate(kStagingBytes);
  return buffer_;
}

void Staging::copy_now(const BufferRange& dst, const BufferRange& src) {
  Recorder recorder(store_, Level::kPrimary);
  recorder.copy(dst, src);
  // The next chunk uses the same staging buffer, so each copy is waited for. A lost device ends the wait, too.
  const TimelinePoint done{timeline_, ++value_};
  queue_.submit({{recorder.finish()}, {}, done});
  timeline_->wait(done.value, {});
  gpu_->check_not_lost();
}

}  // namespace aclvk::vk
