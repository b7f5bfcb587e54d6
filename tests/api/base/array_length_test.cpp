// Numbers that cannot be the length of the array beside them (E0.1: a bad value is a code). Such an array is not read.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

// No process has as many bytes; the second makes the size of any larger element overflow.
constexpr std::array<std::size_t, 2> kImpossible{std::size_t{1} << 60, SIZE_MAX};

std::string message() {
  const char* text = aclGetRecentErrMsg();
  return text ? text : "";
}

TEST_F(Plain, ArraysOfOperatorsAreNotReadBeyondMemory) {
  const std::array<std::int64_t, 2> dims{2, 3};
  const std::array<float, 2> floats{};
  const std::array<bool, 2> switches{};
  const std::array<const aclTensor*, 2> tensors{};
  const std::array<const aclScalar*, 2> scalars{};
  for (const std::size_t count : kImpossible) {
    EXPECT_EQ(aclCreateIntArray(dims.data(), count), nullptr);
    EXPECT_NE(message().find("value"), std::string::npos);
    EXPECT_EQ(aclCreateFloatArray(floats.data(), count), nullptr);
    EXPECT_EQ(aclCreateBoolArray(switches.data(), count), nullptr);
    EXPECT_EQ(aclCreateTensorList(tensors.data(), count), nullptr);
    EXPECT_EQ(aclCreateScalarList(scalars.data(), count), nullptr);
    EXPECT_EQ(
        aclCreateTensor(dims.data(), count, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(), dims.size(), nullptr),
        nullptr);
    EXPECT_NE(message().find("viewDims"), std::string::npos);
    EXPECT_EQ(
        aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims.data(), count, nullptr),
        nullptr);
    EXPECT_NE(message().find("storageDims"), std::string::npos);
  }
}

// Arrays of up to 4096 bytes are not checked.
TEST_F(Plain, StridesAreNotReadBeyondMemory) {
  const std::vector<std::int64_t> dims(1024, 1);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  auto* const end = static_cast<std::byte*>(pages) + page;
  ASSERT_EQ(munmap(end, page), 0);
  const auto* strides = reinterpret_cast<std::int64_t*>(end - sizeof(std::int64_t));
  EXPECT_EQ(aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT, strides, 0, ACL_FORMAT_ND, nullptr, 0, nullptr),
            nullptr);
  EXPECT_NE(message().find("stride"), std::string::npos);
  EXPECT_EQ(munmap(pages, page), 0);
}

// runtime-semantics 12.4.
TEST_F(Plain, ArraysOfTensorDescriptionsAreNotReadBeyondMemory) {
  std::array<std::int64_t, 2> dims{2, 3};
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims.data(), ACL_FORMAT_ND);
  for (const std::size_t count : kImpossible) {
    EXPECT_EQ(aclSetTensorShapeRange(desc, count, reinterpret_cast<std::int64_t(*)[2]>(dims.data())),
              ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclSetTensorValueRange(desc, count, reinterpret_cast<std::int64_t(*)[2]>(dims.data())),
              ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclSetTensorConst(desc, dims.data(), count), ACL_ERROR_INVALID_PARAM);
  }
  EXPECT_EQ(aclCreateTensorDesc(ACL_FLOAT, -1, dims.data(), ACL_FORMAT_ND), nullptr);
  EXPECT_NE(message().find("numDims is -1"), std::string::npos);
  aclDestroyTensorDesc(desc);
}

// runtime-semantics 10.2 and 10.3.
class ArgumentLengths : public KernelTest {
 protected:
  static aclError launch_with(aclrtFuncHandle function, std::size_t bytes, std::size_t placeholders, aclrtStream s) {
    AddArguments arguments{};
    aclrtPlaceHolderInfo place{};
    return aclrtLaunchKernelWithHostArgs(function, 1, s, nullptr, &arguments, bytes, &place, placeholders);
  }
};

TEST_F(ArgumentLengths, AreThoseOfMemory) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  aclrtArgsHandle list = nullptr;
  aclrtParamHandle parameter = nullptr;
  ASSERT_EQ(aclrtKernelArgsInit(function, &list), 0);
  std::int64_t value = 0;
  aclrtLaunchKernelAttr attribute{};
  for (const std::size_t count : kImpossible) {
    EXPECT_EQ(launch_with(function, count, 0, s), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_NE(last_message().find("hostArgs"), std::string::npos);
    EXPECT_EQ(aclrtKernelArgsAppend(list, &value, count, &parameter), ACL_ERROR_RT_PARAM_INVALID);
    aclrtLaunchKernelCfg cfg{&attribute, count};
    EXPECT_EQ(aclrtLaunchKernelWithHostArgs(function, 1, s, &cfg, &value, 8, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  }
}

TEST_F(ArgumentLengths, HaveRoomForTheirPlaceholders) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  for (const std::size_t count : {sizeof(AddArguments) / 8 + 1, kImpossible[0], kImpossible[1]}) {
    EXPECT_EQ(launch_with(function, sizeof(AddArguments), count, s), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_NE(last_message().find("placeHolderNum"), std::string::npos);
  }
}

// runtime-semantics 6, 7.4 and 7.6.
TEST_F(OneStream, ListsOfProcessesAndRightsAreNotReadBeyondMemory) {
  std::int32_t process = 1;
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  aclrtMemAccessDesc right{};
  for (const std::size_t count : kImpossible) {
    EXPECT_EQ(aclrtNotifySetImportPid(notify, &process, count), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtIpcMemSetImportPid("key", &process, count), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtMemSetPidToShareableHandle(0, &process, count), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtMemSetAccess(memory, 64, &right, count), ACL_ERROR_INVALID_PARAM);
  }
}

}  // namespace
}  // namespace aclvk::test
