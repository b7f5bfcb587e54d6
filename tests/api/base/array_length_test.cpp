// Numbers that cannot be the length of the array beside them (E0.1: a bad value is a code). Such an array is not read.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

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
