#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "acl/acl.h"

namespace aclvk::test {

/// Properties of a pool with at most so many bytes; 0 stands for all memory of the device.
inline aclrtMemPoolProps properties(std::size_t most = 0, std::uint32_t device = 0) {
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  props.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  props.maxSize = most;
  return props;
}

inline aclrtMemPool new_pool(std::size_t most = 0, std::uint32_t device = 0) {
  const aclrtMemPoolProps props = properties(most, device);
  aclrtMemPool pool = nullptr;
  EXPECT_EQ(aclrtMemPoolCreate(&pool, &props), 0) << aclGetRecentErrMsg();
  return pool;
}

inline void* malloc_async(aclrtMemPool pool, std::size_t size, aclrtStream stream) {
  void* pointer = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&pointer, size, pool, stream), 0) << aclGetRecentErrMsg();
  EXPECT_NE(pointer, nullptr);
  return pointer;
}

inline std::uint64_t size_attribute(aclrtMemPool pool, aclrtMemPoolAttr attribute) {
  std::uint64_t value = ~std::uint64_t{0};
  EXPECT_EQ(aclrtMemPoolGetAttr(pool, attribute, &value), 0);
  return value;
}

inline std::uint64_t reserved(aclrtMemPool pool) {
  return size_attribute(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT);
}
inline std::uint64_t used(aclrtMemPool pool) { return size_attribute(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT); }

}  // namespace aclvk::test
