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
    if (size > wanted) used_.emplace(offset, wanted);  // the only step that needs memory
    auto piece = free_.extract(it);
    if (size > wanted) {
      piece.key() += wanted;
      piece.mapped() -= wanted;
      free_.insert(std::move(piece));
    } else {
      used_.insert(std::move(piece));
    }
    return offset;
  }
  return std::nullopt;
}

void BlockAllocator::release(std::uint64_t offset) noexcept {
  auto piece = free_.insert(used_.extract(offset)).position;
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
