#include "vk_device/commands/timestamp_store.hpp"

#include <algorithm>

#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

constexpr std::uint32_t kSlotsPerPool = 512;   // four blocks: few programs need a second pool
constexpr std::uint32_t kSlotsPerBlock = 128;  // two for each of the 64 tasks of a full batch (ACLVK_BATCH_SIZE)

}  // namespace

TimestampStore::TimestampStore(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)), clock_(*gpu_) {}

void TimestampStore::add_pool(bool in_blocks) {
  gpu_->count_created();
  const ::vk::QueryPoolCreateInfo info({}, ::vk::QueryType::eTimestamp, kSlotsPerPool);
  pools_.push_back(guarded([&] { return ::vk::raii::QueryPool(gpu_->device(), info); }, "creating a query pool"));
  const std::uint32_t step = in_blocks ? kSlotsPerBlock : 1;
  idle_[in_blocks].reserve(pools_.size() * kSlotsPerPool / step);  // so that give_back() allocates nothing
  reset({*pools_.back(), 0, kSlotsPerPool});                       // Vulkan leaves new queries uninitialized
  for (std::uint32_t first = kSlotsPerPool; first > 0; first -= step) {
    idle_[in_blocks].push_back({*pools_.back(), first - step, step});
  }
}

QuerySlots TimestampStore::take(bool in_blocks) {
  const LockGuard lock(mutex_);
  if (idle_[in_blocks].empty()) add_pool(in_blocks);
  const QuerySlots slots = idle_[in_blocks].back();
  idle_[in_blocks].pop_back();
  return slots;
}

void TimestampStore::give_back(const QuerySlots& slots) noexcept {
  reset(slots);
  const LockGuard lock(mutex_);
  idle_[slots.count > 1].push_back(slots);
}

void TimestampStore::reset(const QuerySlots& slots) const {
  (*gpu_->device()).resetQueryPool(slots.pool, slots.first, slots.count, gpu_->functions());
}

VulkanTimestamps::VulkanTimestamps(std::shared_ptr<TimestampStore> store, std::size_t expected)
    : store_(std::move(store)), in_blocks_(expected > 1), first_(store_->take(in_blocks_)) {}

VulkanTimestamps::~VulkanTimestamps() {
  store_->give_back(first_);
  for (const QuerySlots& slots : more_) store_->give_back(slots);
}

VulkanTimestamps::Slot VulkanTimestamps::add() {
  // Only the last QuerySlots has unused queries.
  const QuerySlots* last = more_.empty() ? &first_ : &more_.back();
  if (used_ == last->count) {
    more_.reserve(more_.size() + 1);  // before take(), so that taken queries are not lost
    last = &more_.emplace_back(store_->take(in_blocks_));
    used_ = 0;
  }
  ++size_;
  return {last->pool, last->first + used_++};
}

std::vector<std::uint64_t> VulkanTimestamps::read_ticks() const {
  std::vector<std::uint64_t> ticks(size_);
  std::size_t done = 0;
  for (std::size_t i = 0; done < size_; ++i) {
    const QuerySlots& slots = i == 0 ? first_ : more_[i - 1];
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(slots.count, size_ - done));
    const auto result =
        (*store_->gpu().device())
            .getQueryPoolResults(slots.pool, slots.first, count, count * sizeof(ticks[0]), &ticks[done],
                                 sizeof(ticks[0]), ::vk::QueryResultFlagBits::e64 | ::vk::QueryResultFlagBits::eWait,
                                 store_->gpu().functions());
    store_->gpu().expect(result, "reading timestamps");
    done += count;
  }
  return ticks;
}

std::vector<std::int64_t> VulkanTimestamps::read() const {
  std::vector<std::int64_t> moments;
  moments.reserve(size_);
  for (const std::uint64_t ticks : read_ticks()) moments.push_back(store_->clock().to_ns(ticks));
  return moments;
}

void VulkanTimestamps::reset() {
  store_->reset(first_);
  for (const QuerySlots& slots : more_) store_->reset(slots);
}

}  // namespace aclvk::vk
