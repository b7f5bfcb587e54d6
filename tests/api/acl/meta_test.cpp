#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"

// T245 to T265 of the specification, as far as they need no device; the others are in
// tests/ops/elementwise/executor_test.cpp.

namespace {

constexpr int kNullptr = 161001;

using Dims = std::vector<std::int64_t>;

template <typename Getter>
Dims dims_of(Getter getter, const aclTensor* tensor) {
  std::int64_t* dims = nullptr;
  std::uint64_t count = 0;
  EXPECT_EQ(getter(tensor, &dims, &count), 0);
  const std::unique_ptr<std::int64_t[]> owner(dims);
  return {dims, dims + count};
}

aclTensor* float_tensor(const Dims& dims, void* data = nullptr) {
  return aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(), dims.size(),
                         data);
}

TEST(AclMeta, T245_GivesRowMajorStrides) {
  aclTensor* tensor = float_tensor({2, 3});
  EXPECT_EQ(dims_of(aclGetViewStrides, tensor), Dims({3, 1}));
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST(AclMeta, T246_KeepsTheView) {
  const std::int64_t view[] = {3, 2};
  const std::int64_t strides[] = {1, 3};
  const std::int64_t storage[] = {7};
  aclTensor* tensor = aclCreateTensor(view, 2, ACL_INT16, strides, 1, ACL_FORMAT_NCHW, storage, 1, nullptr);
  EXPECT_EQ(dims_of(aclGetViewShape, tensor), Dims({3, 2}));
  EXPECT_EQ(dims_of(aclGetViewStrides, tensor), Dims({1, 3}));
  EXPECT_EQ(dims_of(aclGetStorageShape, tensor), Dims({7}));
  std::int64_t offset = 0;
  aclFormat format = ACL_FORMAT_ND;
  aclDataType dtype = ACL_FLOAT;
  EXPECT_EQ(aclGetViewOffset(tensor, &offset), 0);
  EXPECT_EQ(aclGetFormat(tensor, &format), 0);
  EXPECT_EQ(aclGetDataType(tensor, &dtype), 0);
  EXPECT_EQ(offset, 1);
  EXPECT_EQ(format, ACL_FORMAT_NCHW);
  EXPECT_EQ(dtype, ACL_INT16);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST(AclMeta, T247_RefusesNull) {
  aclTensor* tensor = float_tensor({2});
  std::int64_t* dims = nullptr;
  std::uint64_t count = 0;
  EXPECT_EQ(aclGetViewShape(nullptr, &dims, &count), kNullptr);
  EXPECT_EQ(aclGetViewShape(tensor, nullptr, &count), kNullptr);
  EXPECT_EQ(aclGetViewStrides(tensor, &dims, nullptr), kNullptr);
  EXPECT_EQ(aclGetDataType(tensor, nullptr), kNullptr);
  EXPECT_EQ(aclGetFormat(nullptr, nullptr), kNullptr);
  EXPECT_EQ(aclGetViewOffset(nullptr, nullptr), kNullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST(AclMeta, RefusesDimsThatAreMissing) {
  const std::int64_t dims[] = {2};
  EXPECT_EQ(aclCreateTensor(nullptr, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr), nullptr);
  EXPECT_EQ(aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 1, nullptr), nullptr);
  aclTensor* scalar = aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, nullptr);
  ASSERT_NE(scalar, nullptr);
  EXPECT_EQ(dims_of(aclGetViewShape, scalar), Dims());
  EXPECT_EQ(aclDestroyTensor(scalar), 0);
}

TEST(AclMeta, T249_NeedsAScalarsValue) { EXPECT_EQ(aclCreateScalar(nullptr, ACL_FLOAT), nullptr); }

TEST(AclMeta, T251_TakesNullForAnEmptyArray) {
  std::uint64_t size = 1;
  aclIntArray* ints = aclCreateIntArray(nullptr, 3);
  ASSERT_NE(ints, nullptr);
  EXPECT_EQ(aclGetIntArraySize(ints, &size), 0);
  EXPECT_EQ(size, 0U);
  const bool values[] = {true, false};
  aclBoolArray* bools = aclCreateBoolArray(values, 2);
  EXPECT_EQ(aclGetBoolArraySize(bools, &size), 0);
  EXPECT_EQ(size, 2U);
  const float value = 1;
  aclFloatArray* floats = aclCreateFloatArray(&value, 0);
  EXPECT_EQ(aclGetFloatArraySize(floats, &size), 0);
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(aclGetIntArraySize(nullptr, &size), kNullptr);
  EXPECT_EQ(aclGetIntArraySize(reinterpret_cast<aclIntArray*>(bools), &size), kNullptr);
  EXPECT_EQ(aclDestroyIntArray(ints), 0);
  EXPECT_EQ(aclDestroyBoolArray(bools), 0);
  EXPECT_EQ(aclDestroyFloatArray(floats), 0);
  EXPECT_EQ(aclDestroyIntArray(nullptr), 0);
}

TEST(AclMeta, T253_InitKeepsTheAddressUnlessGivenOne) {
  int here = 0;
  int there = 0;
  const std::int64_t dims[] = {5};
  aclTensor* tensor = float_tensor({2}, &here);
  void* address = nullptr;
  EXPECT_EQ(aclInitTensor(nullptr, dims, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr), kNullptr);
  EXPECT_EQ(aclInitTensor(tensor, dims, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 1, nullptr), 0);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), 0);
  EXPECT_EQ(address, &here);
  EXPECT_EQ(dims_of(aclGetViewShape, tensor), Dims({5}));
  EXPECT_EQ(aclInitTensor(tensor, dims, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, dims, 1, &there), 0);
  EXPECT_EQ(aclGetRawTensorAddr(tensor, &address), 0);
  EXPECT_EQ(address, &there);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST(AclMeta, T254_SetsTheAddressOfALiveTensor) {
  int here = 0;
  EXPECT_EQ(aclSetRawTensorAddr(nullptr, &here), kNullptr);
  aclTensor* tensor = float_tensor({2});
  EXPECT_EQ(aclSetRawTensorAddr(tensor, &here), 0);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
  EXPECT_EQ(aclSetRawTensorAddr(tensor, &here), kNullptr);
}

TEST(AclMeta, FindsStaleAndForeignHandles) {
  aclTensor* tensor = float_tensor({2});
  EXPECT_EQ(aclDestroyScalar(reinterpret_cast<aclScalar*>(tensor)), kNullptr);
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
  EXPECT_EQ(aclDestroyTensor(tensor), kNullptr);
  EXPECT_EQ(aclDestroyTensor(nullptr), 0);
  int garbage = 0;
  EXPECT_EQ(aclDestroyTensor(reinterpret_cast<aclTensor*>(&garbage)), kNullptr);
}

TEST(AclMeta, T258_RefusesNullExecutors) {
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), 561103);
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), 561103);
  EXPECT_EQ(aclSetInputTensorAddr(nullptr, 0, nullptr, nullptr), 561103);
  EXPECT_EQ(aclSetDynamicTensorAddr(nullptr, 0, 0, nullptr, nullptr), 561103);
}

TEST(AclMeta, T263_InitAlwaysSucceeds) {
  EXPECT_EQ(aclnnInit("/bad/path"), 0);
  EXPECT_EQ(aclnnFinalize(), 0);
}

TEST(AclMeta, TensorsMayBeLookedAtWhileAnotherThreadInitsThem) {
  const Dims twos(10, 2), threes(10, 3);
  aclTensor* tensor = float_tensor(twos);
  std::atomic<bool> done{false};
  std::thread other([&] {
    for (int i = 0; i < 20000; ++i) {
      const Dims& dims = i % 2 == 0 ? threes : twos;
      EXPECT_EQ(aclInitTensor(tensor, dims.data(), dims.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(),
                              dims.size(), nullptr),
                0);
      EXPECT_EQ(aclSetRawTensorAddr(tensor, tensor), 0);
    }
    done = true;
  });
  while (!done) {
    const Dims dims = dims_of(aclGetViewShape, tensor);
    EXPECT_TRUE(dims == twos || dims == threes);
  }
  other.join();
  EXPECT_EQ(aclDestroyTensor(tensor), 0);
}

TEST(AclMeta, T265_ListsDestroyTheirMembers) {
  aclTensor* members[] = {float_tensor({2}), float_tensor({3})};
  aclTensorList* list = aclCreateTensorList(members, 2);
  std::uint64_t size = 0;
  EXPECT_EQ(aclGetTensorListSize(list, &size), 0);
  EXPECT_EQ(size, 2U);
  EXPECT_EQ(aclDestroyTensorList(list), 0);
  EXPECT_EQ(aclDestroyTensor(members[0]), kNullptr);
  float value = 1;
  const aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
  aclScalarList* scalars = aclCreateScalarList(&scalar, 1);
  EXPECT_EQ(aclGetScalarListSize(scalars, &size), 0);
  EXPECT_EQ(size, 1U);
  EXPECT_EQ(aclDestroyScalarList(scalars), 0);
  EXPECT_EQ(aclDestroyScalarList(scalars), kNullptr);
  EXPECT_EQ(aclDestroyTensorList(nullptr), 0);
}

}  // namespace
