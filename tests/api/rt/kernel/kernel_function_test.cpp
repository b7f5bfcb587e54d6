// acl/rt/function.h and acl/rt/symbol.h: looking at kernels.
#include <string>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

class Functions : public KernelTest {
 protected:
  struct ParamInfo {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };
  static ParamInfo place_of(aclrtFuncHandle function, std::size_t index) {
    ParamInfo place;
    EXPECT_EQ(aclrtFunctionGetParamInfo(function, index, &place.offset, &place.bytes), 0) << last_message();
    return place;
  }
  static std::size_t count_of(aclrtFuncHandle function) {
    std::size_t count = 99;
    EXPECT_EQ(aclrtFunctionGetParamCount(function, &count), 0) << last_message();
    return count;
  }
};

TEST_F(Functions, ParametersAreTheMembersOfThePushConstants) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  ASSERT_EQ(count_of(function), 3u);
  EXPECT_EQ(place_of(function, 0).offset, 0u);
  EXPECT_EQ(place_of(function, 1).offset, 8u);
  EXPECT_EQ(place_of(function, 1).bytes, 8u);
  EXPECT_EQ(place_of(function, 2).offset, 16u);
  EXPECT_EQ(place_of(function, 2).bytes, 4u);
  std::size_t number = 0;
  EXPECT_EQ(aclrtFunctionGetParamInfo(function, 3, &number, &number), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFunctionGetParamInfo(nullptr, 0, &number, &number), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFunctionGetParamInfo(function, 0, nullptr, &number), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFunctionGetParamCount(function, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFunctionGetParamCount(s, &number), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Functions, BuffersComeFirst) {
  aclrtFuncHandle function = load_function(kAddByBuffer);
  ASSERT_EQ(count_of(function), 3u);
  EXPECT_EQ(place_of(function, 1).offset, 8u);
  EXPECT_EQ(place_of(function, 1).bytes, 8u);
  EXPECT_EQ(place_of(function, 2).offset, 16u);
}

TEST_F(Functions, NameIsCutToItsRoom) {
  aclrtFuncHandle function =
      function_of(load(compile(kAddByPointer, {"-e", "add", "--source-entrypoint", "main"})), "add");
  char name[8] = "xxxxxxx";
  EXPECT_EQ(aclrtGetFunctionName(function, sizeof(name), name), 0);
  EXPECT_STREQ(name, "add");
  EXPECT_EQ(aclrtGetFunctionName(function, 3, name), 0);
  EXPECT_STREQ(name, "ad");
  EXPECT_EQ(aclrtGetFunctionName(function, 0, name), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetFunctionName(function, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetFunctionName(nullptr, 8, name), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetFunctionName(s, 8, name), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Functions, Attributes) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  std::int64_t value = -1;
  EXPECT_EQ(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &value), 0);
  EXPECT_EQ(value, ACL_KERNEL_TYPE_VECTOR);
  EXPECT_EQ(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_SCHED_MODE, &value), 0);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(aclrtGetFunctionAttribute(function, static_cast<aclrtFuncAttribute>(9), &value),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Functions, BinaryOfAFunction) {
  aclrtBinHandle binary = load(kAddByPointer);
  aclrtBinHandle found = nullptr;
  EXPECT_EQ(aclrtFunctionGetBinary(function_of(binary), &found), 0);
  EXPECT_EQ(found, binary);
  EXPECT_EQ(aclrtFunctionGetBinary(nullptr, &found), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtFunctionGetBinary(function_of(binary), nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Functions, PropertiesThatVulkanLacks) {
  aclrtFuncHandle function = load_function(kAddByPointer);
  void* address = nullptr;
  std::size_t size = 7;
  EXPECT_EQ(aclrtGetFunctionAddr(function, &address, &address), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetFunctionAddr(function, nullptr, &address), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetFunctionSize(function, &size, &size), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtFunctionGetAvailDynUbufPerBlock(function, 0, &size), 0);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(aclrtFunctionGetAvailDynUbufPerBlock(function, 1, &size), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFunctionGetAvailDynUbufPerBlock(nullptr, 0, &size), ACL_ERROR_INVALID_PARAM);
  int symbol = 0;
  aclrtFuncHandle found = nullptr;
  EXPECT_EQ(aclrtGetFuncBySymbol(&symbol, &found), ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtGetFuncBySymbol(nullptr, &found), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Functions, EverySymbolIsUnknown) {
  int symbol = 0;
  int word = 0;
  void* address = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(aclrtGetSymbolAddress(&symbol, &address), ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtGetSymbolAddress(nullptr, &address), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtGetSymbolSize(&symbol, &size), ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtGetSymbolSize(&symbol, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyFromSymbol(&word, 4, &symbol, 4, 0, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtMemcpyFromSymbol(nullptr, 4, &symbol, 4, 0, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyToSymbol(&symbol, &word, 4, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtMemcpyToSymbol(&symbol, &word, 4, 0, static_cast<aclrtMemcpyKind>(9)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyFromSymbolAsync(&word, 4, &symbol, 4, 0, ACL_MEMCPY_DEVICE_TO_HOST, s),
            ACL_ERROR_RT_INVALID_SYMBOL);
  EXPECT_EQ(aclrtMemcpyToSymbolAsync(&symbol, &word, 4, 0, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_ERROR_RT_INVALID_SYMBOL);
}

}  // namespace
}  // namespace aclvk::test
