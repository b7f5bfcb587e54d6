#include "vk_device/buffers/block_allocator.hpp"

#include <iterator>

namespace aclvk::vk {
namespace {

std::uint64_t rounded(std::uint64_t bytes) {
  const std::uint64_t mask = BlockAllocator::kGranularity - 1;
  return (bytes + mask) & ~mask;
}

}  // namespace

std::optional<std::uint64_t> BlockAllocator::allocate(std::uint64_t bytes) {
  const std::uint64_t wanted = rounded(bytes);
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    const auto [offset, size] = *it;
    if (size < wanted) continue;
    if (size > wanted)
      used_.emplace(offset, wanted);  // the only step that allocates memory, before anything has changed
    // Moving map nodes between the two maps, instead of inserting new ones, allocates nothing.
    auto range = free_.extract(it);
    if (size > wanted) {
      range.key() += wanted;
      range.mapped() -= wanted;
      free_.insert(std::move(range));
    } else {
      used_.insert(std::move(range));
    }
    return offset;
  }
  return std::nullopt;
}

// Merges the range with both neighbours, so no two free ranges are adjacent.
void BlockAllocator::release(std::uint64_t offset) noexcept {
  auto range = free_.insert(used_.extract(offset)).position;
  if (const auto next = std::next(range); next != free_.end() && range->first + range->second == next->first) {
    range->second += next->second;
    free_.erase(next);
  }
  if (range == free_.begin()) return;
  if (const auto before = std::prev(range); before->first + before->second == range->first) {
    before->second += range->second;
    free_.erase(range);
  }
}

}  // namespace aclvk::vk
