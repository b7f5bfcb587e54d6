// Kernels of the program's own that fail: what those who listen learn about them.

#include <cstring>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

/// Every kernel named "main" fails.
class KernelFailure : Settings, public KernelTest {
 protected:
  KernelFailure() : Settings({{"ACLVK_FAIL_KERNEL", "main"}}) {}

  void fail_once(aclrtFuncHandle function) {
    EXPECT_EQ(launch(function, AddArguments{in.address(), out.address(), 2.5F}, s), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(s), ACL_ERROR_RT_AICORE_EXCEPTION);
  }

  const Cell in{1}, out{0};
};

struct Heard {
  int calls = 0;
  aclrtFuncHandle function = nullptr;
  std::vector<unsigned char> arguments;
};

void hear(aclrtExceptionInfo* info, void* user) {
  auto& heard = *static_cast<Heard*>(user);
  ++heard.calls;
  void* arguments = nullptr;
  std::uint32_t bytes = 0;
  EXPECT_EQ(aclrtGetFuncHandleFromExceptionInfo(info, &heard.function), 0);
  EXPECT_EQ(aclrtGetArgsFromExceptionInfo(info, &arguments, &bytes), 0);
  heard.arguments.assign(static_cast<unsigned char*>(arguments), static_cast<unsigned char*>(arguments) + bytes);
}

TEST_F(KernelFailure, IsReportedToTheListenerOfItsBinaryWithFunctionAndArguments) {
  const aclrtBinHandle binary = load(kAddByPointer);
  const aclrtFuncHandle function = function_of(binary);
  Heard heard;
  ASSERT_EQ(aclrtBinarySetExceptionCallback(binary, hear, &heard), 0);
  fail_once(function);
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(heard.function, function);
  ASSERT_GE(heard.arguments.size(), sizeof(float) + 2 * sizeof(void*));
  float by = 0;
  std::memcpy(&by, heard.arguments.data() + 2 * sizeof(void*), sizeof(by));
  EXPECT_EQ(by, 2.5F);
  EXPECT_EQ(out.value(), 0);
}

TEST_F(KernelFailure, IsNotReportedToTheListenerOfAnotherBinary) {
  const aclrtBinHandle binary = load(kAddByPointer);
  const aclrtBinHandle other = load(kAddByNumber);
  Heard heard;
  ASSERT_EQ(aclrtBinarySetExceptionCallback(other, hear, &heard), 0);
  fail_once(function_of(binary));
  EXPECT_EQ(heard.calls, 0);
}

TEST_F(KernelFailure, HasOneListenerABinary) {
  const aclrtBinHandle binary = load(kAddByPointer);
  Heard first, second;
  ASSERT_EQ(aclrtBinarySetExceptionCallback(binary, hear, &first), 0);
  ASSERT_EQ(aclrtBinarySetExceptionCallback(binary, hear, &second), 0);
  fail_once(function_of(binary));
  EXPECT_EQ(first.calls, 0);
  EXPECT_EQ(second.calls, 1);
}

TEST_F(KernelFailure, ArgumentsOfTheCallAreChecked) {
  const aclrtBinHandle binary = load(kAddByPointer);
  Heard heard;
  EXPECT_EQ(aclrtBinarySetExceptionCallback(nullptr, hear, &heard), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinarySetExceptionCallback(binary, nullptr, &heard), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtBinarySetExceptionCallback(s, hear, &heard), ACL_ERROR_RT_INVALID_HANDLE);
  const aclrtBinHandle gone = load(kAddByNumber);
  unload(gone);
  EXPECT_EQ(aclrtBinarySetExceptionCallback(gone, hear, &heard), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace aclvk::test
