#include "vk_device/block_allocator.hpp"

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
    free_.erase(it);
    if (size > wanted) free_[offset + wanted] = size - wanted;
    return offset;
  }
  return std::nullopt;
}

void BlockAllocator::release(std::uint64_t offset, std::uint64_t bytes) {
  auto piece = free_.emplace(offset, rounded(bytes)).first;
  if (const auto next = std::next(piece); next != free_.end() && piece->first + piece->second == next->first) {
    piece->second += next->second;
    free_.erase(next);
  }
  if (piece == free_.begin()) return;
  if (const auto before = std::prev(piece); before->first + before->second == piece->first) {
    before->second += piece->second;
    free_.erase(piece);
  }
}

}  // namespace aclvk::vk
