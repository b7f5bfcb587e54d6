// Allocators of the program: T241.
#include "acl/acl_rt_allocator.h"
#include "support/acl_fixture.hpp"

namespace aclvk::test {
namespace {

void* allocate(aclrtAllocator, size_t) { return nullptr; }
void release(aclrtAllocator, aclrtAllocatorBlock) {}
void* allocate_at(aclrtAllocator, size_t, aclrtAllocatorAddr) { return nullptr; }
void* address_of(aclrtAllocatorBlock block) { return block; }

class Allocator : public OneStream {
 protected:
  aclrtAllocatorDesc new_description() {
    aclrtAllocatorDesc description = aclrtAllocatorCreateDesc();
    EXPECT_NE(description, nullptr);
    EXPECT_EQ(aclrtAllocatorSetObjToDesc(description, &object), 0);
    EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(description, allocate), 0);
    EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(description, release), 0);
    EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, address_of), 0);
    return description;
  }
  aclError get(aclrtStream stream) {
    return aclrtAllocatorGetByStream(stream, &found, &found_object, &found_allocate, &found_free, &found_at,
                                     &found_address);
  }

  int object = 0;
  aclrtAllocatorDesc found = nullptr;
  aclrtAllocator found_object = nullptr;
  aclrtAllocatorAllocFunc found_allocate = nullptr;
  aclrtAllocatorFreeFunc found_free = nullptr;
  aclrtAllocatorAllocAdviseFunc found_at = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc found_address = nullptr;
};

TEST_F(Allocator, AStreamGivesBackItsAllocator) {
  aclrtAllocatorDesc description = new_description();
  ASSERT_EQ(aclrtAllocatorSetAllocAdviseFuncToDesc(description, allocate_at), 0);
  ASSERT_EQ(aclrtAllocatorRegister(s, description), 0);
  ASSERT_EQ(get(s), 0);
  EXPECT_EQ(found, description);
  EXPECT_EQ(found_object, &object);
  EXPECT_EQ(found_allocate, allocate);
  EXPECT_EQ(found_free, release);
  EXPECT_EQ(found_at, allocate_at);
  EXPECT_EQ(found_address, address_of);
  EXPECT_EQ(aclrtAllocatorDestroyDesc(description), 0);
  EXPECT_EQ(get(s), 0) << "it was copied when it was registered";
  EXPECT_EQ(aclrtAllocatorUnregister(s), 0);
  EXPECT_EQ(get(s), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Allocator, TheLatestRegistrationCounts) {
  ASSERT_EQ(aclrtAllocatorRegister(s, new_description()), 0);
  aclrtAllocatorDesc second = new_description();
  int other = 0;
  ASSERT_EQ(aclrtAllocatorSetObjToDesc(second, &other), 0);
  ASSERT_EQ(aclrtAllocatorRegister(s, second), 0);
  ASSERT_EQ(get(s), 0);
  EXPECT_EQ(found_object, &other);
  EXPECT_EQ(found_at, nullptr) << "never set";
}

TEST_F(Allocator, ADestroyedStreamHasNone) {
  aclrtStream stream = new_stream();
  ASSERT_EQ(aclrtAllocatorRegister(stream, new_description()), 0);
  ASSERT_EQ(aclrtDestroyStream(stream), 0);
  EXPECT_EQ(get(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtAllocatorUnregister(stream), 0);
}

TEST_F(Allocator, T241_EveryPartButTheAdviceIsNeeded) {
  EXPECT_EQ(get(s), ACL_ERROR_INVALID_PARAM) << "unregistered";
  for (int missing = 0; missing < 4; ++missing) {
    aclrtAllocatorDesc description = aclrtAllocatorCreateDesc();
    EXPECT_EQ(missing == 0 ? 0 : aclrtAllocatorSetObjToDesc(description, &object), 0);
    EXPECT_EQ(missing == 1 ? 0 : aclrtAllocatorSetAllocFuncToDesc(description, allocate), 0);
    EXPECT_EQ(missing == 2 ? 0 : aclrtAllocatorSetFreeFuncToDesc(description, release), 0);
    EXPECT_EQ(missing == 3 ? 0 : aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, address_of), 0);
    EXPECT_EQ(aclrtAllocatorRegister(s, description), ACL_ERROR_INVALID_PARAM) << missing;
  }
  EXPECT_EQ(aclrtAllocatorUnregister(s), 0) << "none is no error";
}

TEST_F(Allocator, T241_NullIsRefused) {
  aclrtAllocatorDesc description = new_description();
  EXPECT_EQ(aclrtAllocatorDestroyDesc(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(nullptr, &object), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(description, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(nullptr, allocate), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(description, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(description, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetAllocAdviseFuncToDesc(description, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorRegister(nullptr, description), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorRegister(s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtAllocatorUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(get(nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtAllocatorRegister(s, description), 0);
  EXPECT_EQ(
      aclrtAllocatorGetByStream(s, nullptr, &found_object, &found_allocate, &found_free, &found_at, &found_address),
      ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtAllocatorDestroyDesc(description), 0);
  EXPECT_EQ(aclrtAllocatorSetObjToDesc(description, &object), ACL_ERROR_RT_INVALID_HANDLE) << "destroyed";
  EXPECT_EQ(aclrtAllocatorRegister(s, description), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace aclvk::test
