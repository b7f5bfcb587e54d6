#include "tensor/arena.hpp"

#include <algorithm>
#include <cstring>

#include "acl/acl.h"
#include "finding.hpp"

namespace aclvk::fuzz {
namespace {

constexpr std::size_t kMostElements = std::size_t{1} << 16;

std::uint8_t pattern(std::size_t way, std::size_t place) {
  constexpr std::uint8_t kOne[4] = {0, 0, 0x80, 0x3F};  // 1.0F; in halves 0 and 1.875
  switch (way) {
    case 0: return 0;
    case 1: return place % 8 == 0 ? static_cast<std::uint8_t>(place / 8 % 5) : std::uint8_t{0};  // indices of 64 bits
    case 2: return place % 4 == 0 ? static_cast<std::uint8_t>(place / 4 % 3) : std::uint8_t{0};  // of 32 bits
    case 3: return kOne[place % 4];
    case 4: return 1;
    case 5: return 0xFF;
    default: return static_cast<std::uint8_t>((place * 2654435761U) >> 13);
  }
}

std::int64_t elements_of(const View& view) {
  std::int64_t count = 1;
  for (const std::int64_t size : view.dims) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return -1;
  }
  return count;
}

}  // namespace

Arena::Arena() {
  before_.resize(kPieces * kPieceBytes + 2 * kGuardBytes + kWorkspaceBytes);
  after_.resize(before_.size());
  allowed_.resize(before_.size());
  const int code = aclrtMalloc(&memory_, before_.size(), ACL_MEM_MALLOC_NORMAL_ONLY);
  expect(code == 0, "aclrtMalloc returns {}.", code);
}

std::uintptr_t Arena::piece(std::size_t number) const {
  return reinterpret_cast<std::uintptr_t>(memory_) + number % kPieces * kPieceBytes + kGuardBytes;
}

void* Arena::workspace() const { return reinterpret_cast<void*>(piece(0) + kPieces * kPieceBytes); }

void Arena::fill(std::size_t way) {
  for (std::size_t i = 0; i < before_.size(); ++i) before_[i] = pattern(way, i);
  std::fill(allowed_.begin(), allowed_.end(), false);
  const int code = aclrtMemcpy(memory_, before_.size(), before_.data(), before_.size(), ACL_MEMCPY_HOST_TO_DEVICE);
  expect(code == 0, "aclrtMemcpy to the device returns {}.", code);
}

bool Arena::allow_bytes(std::uintptr_t first, std::size_t count) {
  const std::uintptr_t start = first - reinterpret_cast<std::uintptr_t>(memory_);
  if (start >= bytes() || count > bytes() - start) return false;
  std::fill_n(allowed_.begin() + static_cast<std::ptrdiff_t>(start), count, true);
  return true;
}

bool Arena::can_watch(const View& view) {
  const std::int64_t count = elements_of(view);
  return count >= 0 && count <= static_cast<std::int64_t>(kMostElements);
}

bool Arena::allow(const View& view) {
  if (!can_watch(view)) return false;
  const std::int64_t count = elements_of(view);
  const bool halves = view.dtype == ACL_INT4;
  const std::size_t bytes = halves ? 1 : aclDataTypeSize(static_cast<aclDataType>(view.dtype));
  bool inside = true;
  for (std::int64_t i = 0; i < count; ++i) {
    auto place = static_cast<std::uint64_t>(view.offset);
    std::int64_t rest = i;
    for (std::size_t dim = view.dims.size(); dim-- > 0; rest /= view.dims[dim]) {
      place += static_cast<std::uint64_t>(rest % view.dims[dim]) * static_cast<std::uint64_t>(view.strides[dim]);
    }
    inside &= allow_bytes(view.address + (halves ? place / 2 : place * bytes), bytes);
  }
  return inside;
}

void Arena::allow_workspace(std::size_t count) { allow_bytes(reinterpret_cast<std::uintptr_t>(workspace()), count); }

const char* Arena::find_damage(std::size_t* place) {
  const int code = aclrtMemcpy(after_.data(), after_.size(), memory_, after_.size(), ACL_MEMCPY_DEVICE_TO_HOST);
  expect(code == 0, "aclrtMemcpy from the device returns {}.", code);
  for (std::size_t i = 0; i < after_.size(); ++i) {
    if (after_[i] == before_[i] || allowed_[i]) continue;
    *place = i;
    return i < kPieces * kPieceBytes + kGuardBytes ? "between or beside tensors, or of one that is only read"
                                                   : "behind the workspace";
  }
  return nullptr;
}

}  // namespace aclvk::fuzz
