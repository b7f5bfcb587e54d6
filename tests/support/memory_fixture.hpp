#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "support/acl_fixture.hpp"

namespace aclvk::test {

enum class MemoryKind { kPageable, kPinned, kDevice, kManaged };

inline std::string name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kPageable: return "Pageable";
    case MemoryKind::kPinned: return "Pinned";
    case MemoryKind::kDevice: return "Device";
    case MemoryKind::kManaged: break;
  }
  return "Managed";
}

using Bytes = std::vector<std::uint8_t>;

/// Returns bytes that differ from most of their neighbours and from those of another seed: a multiplicative hash of the
/// seed (Knuth), then the high bytes of the linear congruential generator of Numerical Recipes.
inline Bytes pattern(std::size_t size, std::uint32_t seed) {
  Bytes bytes(size);
  std::uint32_t state = seed * 2654435761U + 1;
  for (auto& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  return bytes;
}

/// Memory of one kind, with its initial content, until the end of the scope.
class Block {
 public:
  Block(MemoryKind kind, const Bytes& content) : kind_(kind), size_(content.size()) {
    allocate();
    write(content);
  }
  ~Block() { release(); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::uint8_t* at(std::size_t offset) const { return static_cast<std::uint8_t*>(pointer_) + offset; }
  std::uint8_t* begin() const { return at(0); }
  std::size_t size() const { return size_; }

  void write(const Bytes& content) {
    if (kind_ != MemoryKind::kDevice) {
      std::memcpy(pointer_, content.data(), content.size());
    } else {
      EXPECT_EQ(aclrtMemcpy(pointer_, size_, content.data(), content.size(), ACL_MEMCPY_HOST_TO_DEVICE), 0);
    }
  }

  Bytes read() const {
    Bytes bytes(size_);
    if (kind_ != MemoryKind::kDevice) {
      std::memcpy(bytes.data(), pointer_, size_);
    } else {
      EXPECT_EQ(aclrtMemcpy(bytes.data(), size_, pointer_, size_, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    }
    return bytes;
  }

 private:
  void allocate() {
    switch (kind_) {
      case MemoryKind::kPageable: pointer_ = std::malloc(size_); break;
      case MemoryKind::kPinned: EXPECT_EQ(aclrtMallocHost(&pointer_, size_), 0); break;
      case MemoryKind::kDevice: EXPECT_EQ(aclrtMalloc(&pointer_, size_, ACL_MEM_MALLOC_HUGE_FIRST), 0); break;
      case MemoryKind::kManaged: EXPECT_EQ(aclrtMemAllocManaged(&pointer_, size_, ACL_RT_MEM_ATTACH_GLOBAL), 0); break;
    }
  }

  void release() {
    switch (kind_) {
      case MemoryKind::kPageable: std::free(pointer_); break;
      case MemoryKind::kPinned: EXPECT_EQ(aclrtFreeHost(pointer_), 0); break;
      case MemoryKind::kDevice:
      case MemoryKind::kManaged: EXPECT_EQ(aclrtFree(pointer_), 0); break;
    }
  }

  const MemoryKind kind_;
  const std::size_t size_;
  void* pointer_ = nullptr;
};

/// Returns `content` with [at, at + size) replaced by the bytes of `source` from `from` on: the result of a right copy.
inline Bytes with_copied(Bytes content, std::size_t at, const Bytes& source, std::size_t from, std::size_t size) {
  std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), size,
              content.begin() + static_cast<std::ptrdiff_t>(at));
  return content;
}

/// OneStream with a device and a host buffer of 64 bytes.
class OneBuffer : public OneStream {
 protected:
  static constexpr std::size_t kSize = 64;

  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtMalloc(&d, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtMallocHost(&h, kSize), 0);
    std::memset(h, 0, kSize);
    ASSERT_EQ(aclrtMemset(d, kSize, 0, kSize), 0);
  }

  Bytes content(void* device, std::size_t size) {
    Bytes bytes(size);
    EXPECT_EQ(aclrtMemcpy(bytes.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return bytes;
  }

  void* d = nullptr;
  void* h = nullptr;
};

}  // namespace aclvk::test
