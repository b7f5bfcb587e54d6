// What a device, the platform and this build answer about themselves (1.10, 2.9).
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "acl/acl_platform.h"
#include "aclvk/aclvk.h"
#include "support/acl_fixture.hpp"

namespace aclvk::test {
namespace {

using Facts = Plain;
using FactsOfADevice = OneStream;

constexpr aclError kRefused = ACL_ERROR_INVALID_PARAM;

int64_t attribute(aclrtDevAttr attr) {
  int64_t value = -1;
  EXPECT_EQ(aclrtGetDeviceInfo(0, attr, &value), 0) << attr;
  return value;
}

TEST_F(Facts, AboutKernelsAreTheLimitsOfVulkan) {
  EXPECT_GE(attribute(ACL_DEV_ATTR_WARP_SIZE), 1);
  EXPECT_GE(attribute(ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE), 16384) << "what Vulkan guarantees";
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_GRID_DIM_X), 65535);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_GRID_DIM_Y), 65535);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_GRID_DIM_Z), 65535);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_BLOCK_PER_GRID), int64_t{65535} * 65535 * 65535);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK), 128);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_BLOCK_DIM_X), 128);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_BLOCK_DIM_Y), 128);
  EXPECT_GE(attribute(ACL_DEV_ATTR_MAX_BLOCK_DIM_Z), 64);
  EXPECT_EQ(attribute(ACL_DEV_ATTR_AICPU_CORE_NUM), 0) << "a GPU has no AI CPU";
}

TEST_F(Facts, ThatAGpuHasNotAreNotMadeUp) {
  int64_t value = 5;
  for (const auto attr : {ACL_DEV_ATTR_L2_CACHE_SIZE, ACL_DEV_ATTR_NPU_ARCH, ACL_DEV_ATTR_SUPER_POD_ID,
                          ACL_DEV_ATTR_MAINBOARD_ID, ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE}) {
    EXPECT_EQ(aclrtGetDeviceInfo(0, attr, &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << attr;
  }
  EXPECT_EQ(value, 5);
}

TEST_F(Facts, TheFeaturesOfADevice) {
  int32_t value = 7;
  EXPECT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &value), 0);
  EXPECT_EQ(value, ACL_DEV_FEATURE_SUPPORT) << "kernels of captured tasks can be replaced";
  EXPECT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value), 0);
  EXPECT_EQ(value, ACL_DEV_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetDeviceCapability(0, static_cast<aclrtDevFeatureType>(2), &value), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetDeviceCapability(0, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, nullptr), kRefused);
  EXPECT_EQ(aclrtGetDeviceCapability(-1, ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV, &value),
            ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(Facts, TheCapabilitiesOfADevice) {
  int64_t value = 0;
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value), 0);
  EXPECT_EQ(value, attribute(ACL_DEV_ATTR_AICORE_CORE_NUM));
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value), 0);
  EXPECT_EQ(value, attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM));
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, nullptr), kRefused);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), kRefused);
  EXPECT_EQ(aclGetDeviceCapability(0, static_cast<aclDeviceInfo>(3), &value), kRefused);
  EXPECT_EQ(aclGetDeviceCapability(1000, ACL_DEVICE_INFO_AI_CORE_NUM, &value), kRefused);
}

TEST_F(Facts, TheAttributesOfTheBuild) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  ASSERT_EQ(aclGetCannAttributeList(&list, &count), 0);
  ASSERT_GT(count, 0U);
  int32_t value = 0;
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(aclGetCannAttribute(list[i], &value), 0);
    EXPECT_EQ(value, 1) << "what is listed is there";
  }
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_INF_NAN, &value), 0);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_BF16, &value), 0);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_JIT_COMPILE, &value), 0);
  EXPECT_EQ(value, 0) << "kernels are compiled ahead";
}

TEST_F(Facts, TheAttributesOfTheBuildCheckTheirArguments) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  int32_t value = 0;
  EXPECT_EQ(aclGetCannAttributeList(nullptr, &count), kRefused);
  EXPECT_EQ(aclGetCannAttributeList(&list, nullptr), kRefused);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_BF16, nullptr), kRefused);
  EXPECT_EQ(aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value), kRefused);
  EXPECT_EQ(aclGetCannAttribute(static_cast<aclCannAttr>(3), &value), kRefused);
}

TEST_F(Facts, TheUuidIsThatOfVulkan) {
  aclrtUuid uuid{};
  aclvkDeviceInfo info{};
  ASSERT_EQ(aclrtDeviceGetUuid(0, &uuid), 0);
  ASSERT_EQ(aclvkGetDeviceInfo(0, &info), 0);
  EXPECT_TRUE(std::equal(std::begin(info.uuid), std::end(info.uuid), reinterpret_cast<uint8_t*>(uuid.bytes)));
  EXPECT_EQ(aclrtDeviceGetUuid(0, nullptr), kRefused);
  EXPECT_EQ(aclrtDeviceGetUuid(-1, &uuid), ACL_ERROR_RT_INVALID_DEVICEID);
}

// A software driver is on no bus.
TEST_F(Facts, ThePciAddressLeadsBackToTheDevice) {
  char address[32] = {};
  int32_t device = -1;
  const aclError result = aclrtDeviceGetPCIBusId(0, address, sizeof(address));
  if (result == ACL_ERROR_RT_FEATURE_NOT_SUPPORT) {
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find("PCI address"), std::string::npos);
    return;
  }
  ASSERT_EQ(result, 0);
  EXPECT_EQ(std::string(address).size(), 12U) << address;
  EXPECT_EQ(aclrtDeviceGetByPCIBusId(address, &device), 0);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(aclrtDeviceGetPCIBusId(0, address, 12), kRefused) << "no room for the end of the text";
}

TEST_F(Facts, PciAddressesAreChecked) {
  char address[32] = {};
  int32_t device = -1;
  EXPECT_EQ(aclrtDeviceGetPCIBusId(0, nullptr, 32), kRefused);
  EXPECT_EQ(aclrtDeviceGetPCIBusId(0, address, 0), kRefused);
  EXPECT_EQ(aclrtDeviceGetPCIBusId(-1, address, 32), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtDeviceGetByPCIBusId(nullptr, &device), kRefused);
  EXPECT_EQ(aclrtDeviceGetByPCIBusId("0000:00:00.0", nullptr), kRefused);
  EXPECT_EQ(aclrtDeviceGetByPCIBusId("ffff:ff:1f.7", &device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDeviceGetByPCIBusId("", &device), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(device, -1);
}

TEST_F(Facts, TheWayBetweenDevices) {
  uint32_t count = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&count), 0);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t way = 99;
    EXPECT_EQ(aclrtGetDevicesTopo(0, i, &way), 0);
    const std::vector<uint64_t> known = {ACL_RT_DEVS_TOPOLOGY_PIX, ACL_RT_DEVS_TOPOLOGY_PIB, ACL_RT_DEVS_TOPOLOGY_PHB,
                                         ACL_RT_DEVS_TOPOLOGY_SYS};
    EXPECT_EQ(std::count(known.begin(), known.end(), way), i == 0 ? 0 : 1);
    if (i > 0) continue;
    EXPECT_EQ(way, 0U) << "no way leads from a device to itself";
  }
  uint64_t way = 99;
  EXPECT_EQ(aclrtGetDevicesTopo(0, 0, nullptr), kRefused);
  EXPECT_EQ(aclrtGetDevicesTopo(1000, 0, &way), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDevicesTopo(0, 1000, &way), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(Facts, LimitsAreKept) {
  size_t value = 9;
  for (int kind = 0; kind < 5; ++kind) {
    const auto limit = static_cast<aclrtDeviceLimit>(kind);
    EXPECT_EQ(aclrtDeviceGetLimit(limit, &value), 0);
    EXPECT_EQ(value, 0U) << "nobody has set it";
    EXPECT_EQ(aclrtDeviceSetLimit(limit, 4096U + static_cast<size_t>(kind)), 0);
  }
  EXPECT_EQ(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value), 0);
  EXPECT_EQ(value, 4098U);
}

TEST_F(Facts, LimitsAreChecked) {
  size_t value = 0;
  EXPECT_EQ(aclrtDeviceSetLimit(static_cast<aclrtDeviceLimit>(5), 1), kRefused);
  EXPECT_EQ(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, size_t{1} << 32), kRefused);
  EXPECT_EQ(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, UINT32_MAX), 0);
  EXPECT_EQ(aclrtDeviceGetLimit(static_cast<aclrtDeviceLimit>(5), &value), kRefused);
  EXPECT_EQ(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE, nullptr), kRefused);
}

TEST_F(Facts, KernelsOfTheNamedChipAreCompatible) {
  int32_t can = 7;
  EXPECT_EQ(aclrtCheckArchCompatibility(aclrtGetSocName(), &can), 0);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(aclrtCheckArchCompatibility("SomethingElse", &can), 0);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(aclrtCheckArchCompatibility(nullptr, &can), kRefused);
  EXPECT_EQ(aclrtCheckArchCompatibility("x", nullptr), kRefused);
}

TEST_F(Facts, TheNumberOfTheProcess) {
  int32_t pid = 0;
  EXPECT_EQ(aclrtDeviceGetBareTgid(nullptr), kRefused);
  ASSERT_EQ(aclrtDeviceGetBareTgid(&pid), 0);
  EXPECT_GT(pid, 0);
}

TEST_F(FactsOfADevice, ThereIsNoUnitForSynchronisation) {
  void* address = nullptr;
  EXPECT_EQ(aclrtGetHardwareSyncAddr(nullptr), kRefused);
  EXPECT_EQ(aclrtGetHardwareSyncAddr(&address), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(address, nullptr);
  on_another_thread([&] { EXPECT_EQ(aclrtGetHardwareSyncAddr(&address), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(FactsOfADevice, ItsCacheCanBeFlushed) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  aclvkStatistics before{};
  aclvkStatistics after{};
  ASSERT_EQ(aclrtMemsetAsync(memory, 4096, 1, 4096, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  ASSERT_EQ(aclvkGetStatistics(0, &before), 0);
  EXPECT_EQ(aclrtDeviceL2CacheFlush(nullptr), 0);
  ASSERT_EQ(aclvkGetStatistics(0, &after), 0);
  EXPECT_GT(after.submissions, before.submissions) << "the device has something to do";
  EXPECT_EQ(aclrtDeviceL2CacheFlush(memory), kRefused) << "the argument is reserved";
  on_another_thread([] { EXPECT_EQ(aclrtDeviceL2CacheFlush(nullptr), ACL_ERROR_RT_CONTEXT_NULL); });
  EXPECT_EQ(aclrtFree(memory), 0);
}

// Groups of cores (12.6): a device is one.

TEST_F(FactsOfADevice, ItsCoresAreOneGroup) {
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetGroupCount(&count), 0);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(aclrtSetGroup(0), 0);
  EXPECT_EQ(aclrtSetGroup(1), ACL_ERROR_RT_GROUP_NOT_CREATE);
  EXPECT_EQ(aclrtSetGroup(-1), ACL_ERROR_RT_GROUP_NOT_CREATE);

  aclrtGroupInfo* info = aclrtCreateGroupInfo();
  ASSERT_NE(info, nullptr);
  ASSERT_EQ(aclrtGetAllGroupInfo(info), 0);
  const auto detail = [&](aclrtGroupAttr attr) {
    int32_t value = -1;
    size_t bytes = 0;
    EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, attr, &value, sizeof(value), &bytes), 0);
    EXPECT_EQ(bytes, sizeof(value));
    return value;
  };
  EXPECT_EQ(detail(ACL_GROUP_AICORE_INT), attribute(ACL_DEV_ATTR_AICORE_CORE_NUM));
  EXPECT_EQ(detail(ACL_GROUP_AIV_INT), attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM));
  EXPECT_EQ(detail(ACL_GROUP_AIC_INT), attribute(ACL_DEV_ATTR_CUBE_CORE_NUM));
  EXPECT_EQ(detail(ACL_GROUP_SDMANUM_INT), 0);
  EXPECT_GE(detail(ACL_GROUP_ASQNUM_INT), 1);
  EXPECT_EQ(detail(ACL_GROUP_GROUPID_INT), 0);
  EXPECT_EQ(aclrtDestroyGroupInfo(info), 0);
  EXPECT_EQ(aclrtDestroyGroupInfo(info), kRefused);
}

TEST_F(FactsOfADevice, GroupsCheckTheirArguments) {
  aclrtGroupInfo* info = aclrtCreateGroupInfo();
  int32_t value = 0;
  size_t bytes = 0;
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AICORE_INT, &value, 4, &bytes), ACL_ERROR_RT_GROUP_NOT_SET)
      << "nothing has been read";
  ASSERT_EQ(aclrtGetAllGroupInfo(info), 0);
  EXPECT_EQ(aclrtGetGroupInfoDetail(nullptr, 0, ACL_GROUP_AICORE_INT, &value, 4, &bytes), kRefused);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AICORE_INT, nullptr, 4, &bytes), kRefused);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AICORE_INT, &value, 4, nullptr), kRefused);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AICORE_INT, &value, 3, &bytes), kRefused);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 1, ACL_GROUP_AICORE_INT, &value, 4, &bytes), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, -1, ACL_GROUP_AICORE_INT, &value, 4, &bytes), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetGroupInfoDetail(info, 0, static_cast<aclrtGroupAttr>(6), &value, 4, &bytes),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetGroupCount(nullptr), kRefused);
  EXPECT_EQ(aclrtGetAllGroupInfo(nullptr), kRefused);
  EXPECT_EQ(aclrtDestroyGroupInfo(nullptr), kRefused);
  EXPECT_EQ(aclrtDestroyGroupInfo(info), 0);
}

TEST_F(Facts, GroupsAreThoseOfAContext) {
  uint32_t count = 0;
  aclrtGroupInfo* info = aclrtCreateGroupInfo();
  EXPECT_EQ(aclrtGetGroupCount(&count), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtSetGroup(0), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtGetAllGroupInfo(info), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtDestroyGroupInfo(info), 0);
}

// The platform as text.

std::string platform(aclplatformDevInfo info) {
  char text[64] = {};
  EXPECT_EQ(aclplatformGetDeviceInfo(info, text, sizeof(text)), 0) << info;
  return text;
}

TEST_F(Facts, ThePlatformAnswersInText) {
  EXPECT_EQ(platform(ACL_PLATFORM_SOC_VERSION), aclrtGetSocName());
  EXPECT_EQ(platform(ACL_PLATFORM_AICORE_CNT), std::to_string(attribute(ACL_DEV_ATTR_AICORE_CORE_NUM)));
  EXPECT_EQ(platform(ACL_PLATFORM_CUBE_CORE_CNT), std::to_string(attribute(ACL_DEV_ATTR_CUBE_CORE_NUM)));
  EXPECT_EQ(platform(ACL_PLATFORM_VECTOR_CORE_CNT), std::to_string(attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM)));
  EXPECT_EQ(platform(ACL_PLATFORM_AICORE_UB_SIZE), std::to_string(attribute(ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE)));
  EXPECT_EQ(platform(ACL_PLATFORM_MEMORY_SIZE), std::to_string(attribute(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE)));
}

TEST_F(Facts, ThePlatformDoesNotReturnWhatAGpuHasNot) {
  char text[64] = {};
  for (const auto info : {ACL_PLATFORM_L2_SIZE, ACL_PLATFORM_CUBE_FREQ, ACL_PLATFORM_VEC_FREQ, ACL_PLATFORM_BT_SIZE,
                          ACL_PLATFORM_L0_A_SIZE, ACL_PLATFORM_L0_B_SIZE, ACL_PLATFORM_L0_C_SIZE, ACL_PLATFORM_L1_SIZE,
                          ACL_PLATFORM_AIC_VERSION, ACL_PLATFORM_NPU_ARCH, ACL_PLATFORM_MEMORY_TYPE}) {
    EXPECT_EQ(aclplatformGetDeviceInfo(info, text, sizeof(text)), ACL_ERROR_RT_FEATURE_NOT_SUPPORT) << info;
  }
  EXPECT_EQ(aclplatformGetInstructionInfo(ACL_PLATFORM_CORE_TYPE_AI_CORE, "vadd", text, sizeof(text)),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Facts, ThePlatformChecksItsArguments) {
  char text[64] = {};
  EXPECT_EQ(aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, nullptr, 64), kRefused);
  EXPECT_EQ(aclplatformGetDeviceInfo(static_cast<aclplatformDevInfo>(17), text, 64), kRefused);
  const std::string name = aclrtGetSocName();
  const auto length = static_cast<uint32_t>(name.size());
  EXPECT_EQ(aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, length), kRefused);
  EXPECT_STREQ(text, "");
  EXPECT_EQ(aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, length + 1), 0);
  EXPECT_EQ(text, name);
  const auto core = ACL_PLATFORM_CORE_TYPE_VECTOR_CORE;
  EXPECT_EQ(aclplatformGetInstructionInfo(core, nullptr, text, 64), kRefused);
  EXPECT_EQ(aclplatformGetInstructionInfo(core, "vadd", nullptr, 64), kRefused);
  EXPECT_EQ(aclplatformGetInstructionInfo(core, "vadd", text, 0), kRefused);
  EXPECT_EQ(aclplatformGetInstructionInfo(static_cast<aclplatformCoreType>(2), "vadd", text, 64), kRefused);
}

}  // namespace
}  // namespace aclvk::test
