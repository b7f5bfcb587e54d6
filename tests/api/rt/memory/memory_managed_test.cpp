// Advice of programs about managed memory, and queries of it. Allocating it is T154 in memory_test.cpp.
#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kSize = 2 << 20;
constexpr std::size_t kMoreThanMemory = std::size_t{1} << 40;
constexpr aclrtMemManagedLocation kDevice = {ACL_MEM_LOCATIONTYPE_DEVICE, 0};
constexpr aclrtMemManagedLocation kHost = {ACL_MEM_LOCATIONTYPE_HOST, 0};

class Managed : public OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    void* pointer = nullptr;
    ASSERT_EQ(aclrtMemAllocManaged(&pointer, kSize, ACL_RT_MEM_ATTACH_GLOBAL), 0);
    m = static_cast<std::uint8_t*>(pointer);
  }

  std::int32_t attribute(aclrtMemManagedRangeAttribute which, std::size_t from = 0, std::size_t size = kSize) {
    std::int32_t value = 99;
    EXPECT_EQ(aclrtMemManagedGetAttr(which, m + from, size, &value, sizeof(value)), 0) << aclGetRecentErrMsg();
    return value;
  }
  void advise(aclrtMemManagedAdviseType advice, std::size_t from = 0, std::size_t size = kSize,
              aclrtMemManagedLocation location = kDevice) {
    EXPECT_EQ(aclrtMemManagedAdvise(m + from, size, advice, location), 0) << aclGetRecentErrMsg();
  }

  std::uint8_t* m = nullptr;
};

TEST_F(Managed, ReadMostlyHoldsWhenItHoldsEverywhere) {
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
  advise(ACL_MEM_ADVISE_SET_READ_MOSTLY, 4096, 8192);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 4096, 8192), 1);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 5000, 100), 1);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 4095, 2), 0);
  advise(ACL_MEM_ADVISE_SET_READ_MOSTLY);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
  advise(ACL_MEM_ADVISE_UNSET_READ_MOSTLY, kSize - 1, 1);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, 0, kSize - 1), 1);
}

TEST_F(Managed, ThePreferredLocation) {
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2) << "none";
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), ACL_MEM_LOCATIONTYPE_INVALID);
  advise(ACL_MEM_ADVISE_SET_PREFERRED_LOCATION);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), ACL_MEM_LOCATIONTYPE_DEVICE);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID), 0);
  advise(ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, 0, 4096, kHost);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 4096), -1);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, 0, 4096), ACL_MEM_LOCATIONTYPE_HOST);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), -2) << "two of them";
  advise(ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, 0, 4096), -2);
}

TEST_F(Managed, WhoAccessesIt) {
  const auto users = [&](std::size_t size) {
    std::int32_t ids[3] = {};
    EXPECT_EQ(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, m, size, ids, sizeof(ids)), 0);
    return std::vector<std::int32_t>(ids, ids + 3);
  };
  EXPECT_EQ(users(kSize), (std::vector<std::int32_t>{-2, -2, -2}));
  advise(ACL_MEM_ADVISE_SET_ACCESSED_BY);
  advise(ACL_MEM_ADVISE_SET_ACCESSED_BY, 0, 4096, kHost);
  EXPECT_EQ(users(kSize), (std::vector<std::int32_t>{0, -2, -2}));
  EXPECT_EQ(users(4096), (std::vector<std::int32_t>{-1, 0, -2}));
  advise(ACL_MEM_ADVISE_UNSET_ACCESSED_BY);
  EXPECT_EQ(users(4096), (std::vector<std::int32_t>{-1, -2, -2}));
}

TEST_F(Managed, PrefetchingIsRememberedAndChangesNothing) {
  std::fill_n(m, kSize, std::uint8_t{5});
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -2);
  ASSERT_EQ(aclrtMemManagedPrefetchAsync(m, kSize, kDevice, 0, s), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE), ACL_MEM_LOCATIONTYPE_DEVICE);
  ASSERT_EQ(aclrtMemManagedPrefetchAsync(m, 4096, kHost, 0, nullptr), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 4096), -1);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(m[kSize - 1], 5);
}

TEST_F(Managed, SeveralPrefetches) {
  const void* ranges[] = {m, m + 4096, m + 8192};
  size_t sizes[] = {4096, 4096, 4096};
  aclrtMemManagedLocation locations[] = {kHost, kDevice};
  size_t first_of[] = {0, 2};
  ASSERT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, locations, first_of, 2, 0, s), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 8192), -1);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 8192, 4096), 0);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 12288, 4096), -2);

  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(nullptr, sizes, 3, locations, first_of, 2, 0, s),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 0, locations, first_of, 2, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, locations, first_of, 0, 0, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, locations, first_of, 4, 0, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, locations, first_of, 2, 1, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, kMoreThanMemory, locations, first_of, 2, 0, s),
            ACL_ERROR_INVALID_PARAM);
  size_t from_one[] = {1, 2};
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, locations, from_one, 2, 0, s),
            ACL_ERROR_RT_PARAM_INVALID);
  ranges[2] = m + kSize;
  locations[0] = kDevice;
  EXPECT_EQ(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, locations, first_of, 2, 0, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, 0, 8192), -1) << "all or none";
}

TEST_F(Managed, SeveralAttributes) {
  advise(ACL_MEM_ADVISE_SET_READ_MOSTLY);
  aclrtMemManagedRangeAttribute attributes[] = {ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                                ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
  std::int32_t read_mostly = 99;
  std::int32_t preferred = 99;
  void* data[] = {&read_mostly, &preferred};
  size_t sizes[] = {4, 4};
  ASSERT_EQ(aclrtMemManagedGetAttrs(attributes, 2, m, kSize, data, sizes), 0);
  EXPECT_EQ(read_mostly, 1);
  EXPECT_EQ(preferred, -2);
  EXPECT_EQ(aclrtMemManagedGetAttrs(nullptr, 2, m, kSize, data, sizes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttrs(attributes, 0, m, kSize, data, sizes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttrs(attributes, kMoreThanMemory, m, kSize, data, sizes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttrs(attributes, 2, nullptr, kSize, data, sizes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttrs(attributes, 2, m, kSize, nullptr, sizes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttrs(attributes, 2, m, kSize, data, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Managed, BadArguments) {
  std::int32_t value = 0;
  const auto read_mostly = ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY;
  EXPECT_EQ(aclrtMemManagedGetAttr(read_mostly, nullptr, 8, &value, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttr(read_mostly, m, 8, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttr(read_mostly, m, 0, &value, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedGetAttr(read_mostly, m, 8, &value, 3), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute(9), m, 8, &value, 4), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedGetAttr(read_mostly, &value, 4, &value, 4), ACL_ERROR_RT_PARAM_INVALID) << "the stack";
  EXPECT_EQ(aclrtMemManagedGetAttr(read_mostly, m, kSize + 1, &value, 4), ACL_ERROR_RT_PARAM_INVALID);

  const auto preferred = ACL_MEM_ADVISE_SET_PREFERRED_LOCATION;
  EXPECT_EQ(aclrtMemManagedAdvise(nullptr, 8, preferred, kDevice), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedAdvise(m, 0, preferred, kDevice), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedAdvise(m, kSize + 1, preferred, kDevice), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedAdvise(m, 8, aclrtMemManagedAdviseType(6), kDevice), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedAdvise(m, 8, preferred, {ACL_MEM_LOCATIONTYPE_INVALID, 0}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedAdvise(m, 8, preferred, {ACL_MEM_LOCATIONTYPE_DEVICE, 999}), ACL_ERROR_RT_INVALID_DEVICEID);

  EXPECT_EQ(aclrtMemManagedPrefetchAsync(nullptr, 8, kDevice, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedPrefetchAsync(m, 0, kDevice, 0, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemManagedPrefetchAsync(m, 8, kDevice, 1, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemManagedPrefetchAsync(m, 8, kDevice, 0, m), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemManagedPrefetchAsync(m, kSize + 1, kDevice, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtFree(m), 0);
  EXPECT_EQ(aclrtMemManagedPrefetchAsync(m, 8, kDevice, 0, s), ACL_ERROR_RT_PARAM_INVALID) << "freed";
}

}  // namespace
}  // namespace aclvk::test
