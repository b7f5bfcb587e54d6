// Queries of aclvk beyond AscendCL: include/aclvk/aclvk.h.
#include "aclvk/aclvk.h"

#include <cstring>
#include <string>

#include "support/acl_fixture.hpp"

namespace {

class Aclvk : public aclvk::test::OneStream {};

TEST_F(Aclvk, DescribesTheDeviceOfAnId) {
  aclvkDeviceInfo info;
  std::memset(&info, 0xFF, sizeof(info));
  ASSERT_EQ(aclvkGetDeviceInfo(0, &info), 0);
  EXPECT_GT(std::string(info.name).size(), 0U);
  EXPECT_GT(std::string(info.driver).size(), 0U);
  EXPECT_GE(info.vulkanVersion >> 22, 1U);
}

TEST_F(Aclvk, CountsSubmissions) {
  aclvkStatistics before{};
  aclvkStatistics after{};
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  ASSERT_EQ(aclvkGetStatistics(0, &before), 0);
  ASSERT_EQ(aclrtMemsetAsync(memory, 64, 1, 64, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  ASSERT_EQ(aclvkGetStatistics(0, &after), 0);
  EXPECT_EQ(after.submissions, before.submissions + 1);
  EXPECT_EQ(after.pipelines, before.pipelines) << "a fill needs no pipeline";
  EXPECT_EQ(aclrtFree(memory), 0);
}

TEST_F(Aclvk, TellsWhatADeviceCan) {
  aclvkDeviceFeatures features;
  std::memset(&features, 0xFF, sizeof(features));
  ASSERT_EQ(aclvkGetDeviceFeatures(0, &features), 0);
  EXPECT_LE(features.kind, ACLVK_DEVICE_OTHER);
  EXPECT_GT(features.memoryBytes, 0U);
  EXPECT_GT(features.computeUnits, 0U);
  EXPECT_GE(features.threadsPerGroup, 128U) << "what every Vulkan device has";
  EXPECT_LE(features.int64, 1);
  EXPECT_LE(features.float64, 1);
  EXPECT_LE(features.timestamps, 1);
}

TEST_F(Aclvk, NamesAFunctionThatIsNotBuilt) {
  EXPECT_EQ(aclvkNotBuilt("aclnnOfAYearToCome"), 207000);
  const std::string sentence = aclGetRecentErrMsg();
  EXPECT_NE(sentence.find("aclnnOfAYearToCome is not built"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("aclvk support aclnnOfAYearToCome"), std::string::npos) << sentence;
  EXPECT_EQ(aclvkNotBuilt(nullptr), 100000);
}

TEST_F(Aclvk, RefusesNullAndDevicesThatAreNotThere) {
  aclvkDeviceInfo info{};
  aclvkStatistics statistics{};
  EXPECT_EQ(aclvkGetDeviceInfo(0, nullptr), 100000);
  aclvkDeviceFeatures features{};
  EXPECT_EQ(aclvkGetStatistics(0, nullptr), 100000);
  EXPECT_EQ(aclvkGetDeviceFeatures(0, nullptr), 100000);
  EXPECT_EQ(aclvkGetDeviceFeatures(1000, &features), 107001);
  EXPECT_EQ(aclvkGetDeviceInfo(-1, &info), 107001);
  EXPECT_EQ(aclvkGetDeviceInfo(1000, &info), 107001);
  EXPECT_EQ(aclvkGetStatistics(1000, &statistics), 107001);
}

}  // namespace
