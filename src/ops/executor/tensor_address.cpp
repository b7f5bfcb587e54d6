#include "ops/executor/tensor_address.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

// No user space of x86-64 or AArch64 reaches bit 63. With 24 bits of a slot above 38 bits the highest is bit 61.
constexpr std::uint64_t kPlaceholderBytes = std::uint64_t{1} << 38;
constexpr std::uint64_t kNoMemory = std::uint64_t{1} << 63;
constexpr std::uint64_t kSlotMask = 0xFFFFFF;  // of a handle, see base/handle.hpp

constexpr std::uint64_t kWord = 4;

std::atomic<std::uint64_t> changes{1};
std::atomic<std::uint64_t> descriptions{0};

// Every live tensor has a slot of its own, so no two placeholders overlap.
std::uint64_t start_of(const Tensor& tensor) {
  const std::uint64_t slot = reinterpret_cast<std::uintptr_t>(tensor.handle) & kSlotMask;
  return kNoMemory | slot * kPlaceholderBytes;
}

}  // namespace

// The first element is aligned to 4 bytes, or its size, and to no more: so the first phase requests the workspace that
// the least aligned address needs. It is in the middle of the range, so that negative offsets stay inside.
void* placeholder_of(const Tensor& tensor) {
  Tensor at_null = tensor;
  at_null.data = nullptr;
  const std::uint64_t unit = std::max<std::uint64_t>(kWord, size_of(tensor.dtype));
  const auto offset = reinterpret_cast<std::uintptr_t>(at_null.address());
  return reinterpret_cast<void*>(start_of(tensor) + kPlaceholderBytes / 2 + unit - offset);
}

// Slots are given out from the first one on, so the last ones are free unless 16 million tensors live.
Tensor in_own_placeholder(Tensor tensor, std::size_t number) {
  tensor.handle = reinterpret_cast<const aclTensor*>(kSlotMask - number);
  tensor.data = placeholder_of(tensor);
  return tensor;
}

bool is_in_placeholder(const Tensor& tensor, const void* address) {
  // One comparison: below the start the unsigned difference wraps to a large number.
  return reinterpret_cast<std::uintptr_t>(address) - start_of(tensor) < kPlaceholderBytes;
}

bool has_placeholder(const Tensor& tensor) {
  const bool may_be = (reinterpret_cast<std::uintptr_t>(tensor.data) & kNoMemory) != 0;
  return may_be && tensor.handle && is_in_placeholder(tensor, tensor.data);
}

TensorPtr with_placeholder(TensorPtr tensor) {
  if (!tensor || tensor->data || !tensor->handle || tensor->empty()) return tensor;
  auto placed = std::make_shared<Tensor>(*tensor);
  placed->data = placeholder_of(*tensor);
  return placed;
}

void set_address(const void* handle, void* address) {
  const TensorPtr tensor = tensor_handles().find(handle);
  if (!tensor) return;
  auto moved = std::make_shared<Tensor>(*tensor);
  moved->data = address;
  tensor_handles().replace(handle, std::move(moved));
  // After the replacement, so that an executor that sees the new count finds the new address.
  changes.fetch_add(1, std::memory_order_release);
}

std::uint64_t address_changes() { return changes.load(std::memory_order_acquire); }

std::uint64_t new_description() { return descriptions.fetch_add(1, std::memory_order_relaxed) + 1; }

}  // namespace aclvk::ops
