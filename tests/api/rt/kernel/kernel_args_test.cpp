// acl/rt/kernel_args.h: arguments given one by one (runtime-semantics 10.3).
#include <algorithm>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

class ArgumentLists : public KernelTest {
 protected:
  void SetUp() override {
    KernelTest::SetUp();
    function = load_function(kAddByPointer);
    EXPECT_EQ(aclrtKernelArgsInit(function, &list), 0) << last_message();
  }
  template <typename Value>
  aclrtParamHandle append(Value value) {
    aclrtParamHandle parameter = nullptr;
    EXPECT_EQ(aclrtKernelArgsAppend(list, &value, sizeof(value), &parameter), 0) << last_message();
    return parameter;
  }
  aclError append_code() {
    int value = 0;
    aclrtParamHandle parameter = nullptr;
    return aclrtKernelArgsAppend(list, &value, sizeof(value), &parameter);
  }
  aclrtParamHandle append_placeholder() {
    aclrtParamHandle parameter = nullptr;
    EXPECT_EQ(aclrtKernelArgsAppendPlaceHolder(list, &parameter), 0) << last_message();
    return parameter;
  }
  aclrtParamHandle append_all(float by) {
    append(cell.address());
    append(out.address());
    return append(by);
  }
  void finalize() { EXPECT_EQ(aclrtKernelArgsFinalize(list), 0) << last_message(); }
  aclError launch_list(aclrtFuncHandle kernel) {
    return aclrtLaunchKernelWithConfig(kernel, 1, s, nullptr, list, nullptr);
  }

  aclrtFuncHandle function = nullptr;
  aclrtArgsHandle list = nullptr;
  Cell out;
};

TEST_F(ArgumentLists, BecomeTheParametersInOrder) {
  append_all(5);
  finalize();
  EXPECT_EQ(launch_list(function), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 5);
  EXPECT_EQ(launch_list(load_function(kAddByBuffer)), 0) << last_message();
  sync(s);
}

// Slots of 8 bytes are the vendor's; here each argument goes where the kernel has its parameter.
TEST_F(ArgumentLists, ParametersLieWhereTheKernelHasThem) {
  aclrtFuncHandle packed = load_function(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { Out target; uint a; uint b; uint c; };
void main() { target.value[gl_GlobalInvocationID.x] = float(100 * a + 10 * b + c); }
)");
  append(out.address());
  append(std::uint32_t{1});
  append(std::uint32_t{2});
  append(std::uint32_t{3});
  finalize();
  EXPECT_EQ(launch_list(packed), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 123);
}

TEST_F(ArgumentLists, HaveToFitTheKernel) {
  append(cell.address());
  finalize();
  EXPECT_EQ(launch_list(function), ACL_ERROR_RT_PARAM_INVALID) << "2 are missing";
  EXPECT_EQ(aclrtKernelArgsInit(function, &list), 0);
  append(cell.address());
  append(out.address());
  append(1.0);
  finalize();
  EXPECT_EQ(launch_list(function), ACL_ERROR_RT_PARAM_INVALID) << "a double for a float";
  EXPECT_NE(last_message().find("by"), std::string::npos) << last_message();
}

TEST_F(ArgumentLists, LaunchIsChecked) {
  append_all(1);
  EXPECT_EQ(launch_list(function), ACL_ERROR_RT_PARAM_INVALID) << "not final";
  finalize();
  EXPECT_EQ(aclrtLaunchKernelWithConfig(nullptr, 1, s, nullptr, list, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithConfig(function, 1, s, nullptr, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithConfig(function, 0, s, nullptr, list, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithConfig(function, 1, s, nullptr, list, &list), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithConfig(function, 1, s, nullptr, function, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtLaunchKernelWithConfig(list, 1, s, nullptr, list, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ArgumentLists, T227_FinalListsAndPlainParameters) {
  aclrtParamHandle plain = append(1.0F);
  void* buffer = nullptr;
  EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, plain, 64, &buffer), ACL_ERROR_RT_PARAM_INVALID);
  finalize();
  finalize();
  EXPECT_EQ(append_code(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclrtParamHandle parameter = nullptr;
  EXPECT_EQ(aclrtKernelArgsAppendPlaceHolder(list, &parameter), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(ArgumentLists, NothingIsAddedAfterABuffer) {
  aclrtParamHandle placeholder = append_placeholder();
  void* buffer = nullptr;
  EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 0, &buffer), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 64, &buffer), 0);
  EXPECT_NE(buffer, nullptr);
  EXPECT_EQ(append_code(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtKernelArgsAppendPlaceHolder(list, &placeholder), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(ArgumentLists, PlaceholdersAreCopiedAtEachLaunch) {
  for (const char* source : {kAddByPointer, kAddByNumber, kAddByBuffer}) {
    aclrtFuncHandle kernel = load_function(source);
    EXPECT_EQ(aclrtKernelArgsInit(kernel, &list), 0);
    aclrtParamHandle placeholder = append_placeholder();
    append(out.address());
    append(1.0F);
    void* memory = nullptr;
    EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 8 * sizeof(float), &memory), 0);
    auto* values = static_cast<float*>(memory);
    std::fill_n(values, 8, 6.0F);
    finalize();
    EXPECT_EQ(launch_list(kernel), 0) << last_message();
    std::fill_n(values, 8, 100.0F);
    sync(s);
    EXPECT_EQ(out.value(), 7) << source;
    EXPECT_EQ(launch_list(kernel), 0) << last_message();
    sync(s);
    EXPECT_EQ(out.value(), 101) << source;
  }
}

TEST_F(ArgumentLists, UpdatedArgumentsNeedAnotherEnd) {
  aclrtParamHandle by = append_all(1);
  finalize();
  float other = 8;
  EXPECT_EQ(aclrtKernelArgsParaUpdate(list, by, &other, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtKernelArgsParaUpdate(list, by, &other, sizeof(other)), 0);
  EXPECT_EQ(launch_list(function), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(append_code(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  finalize();
  EXPECT_EQ(launch_list(function), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 8);
}

TEST_F(ArgumentLists, TakeAtMost128Arguments) {
  for (int i = 0; i < 128; ++i) append(i);
  EXPECT_EQ(append_code(), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ArgumentLists, AThreadHasOne) {
  aclrtParamHandle parameter = append(1);
  aclrtArgsHandle next = nullptr;
  EXPECT_EQ(aclrtKernelArgsInit(function, &next), 0);
  EXPECT_EQ(next, list) << "recycled";
  int value = 0;
  EXPECT_EQ(aclrtKernelArgsParaUpdate(next, parameter, &value, sizeof(value)), ACL_ERROR_RT_INVALID_HANDLE);
  on_another_thread([&] {
    aclrtArgsHandle other = nullptr;
    EXPECT_EQ(aclrtKernelArgsInit(function, &other), 0);
    EXPECT_NE(other, next);
  });
  EXPECT_EQ(append_code(), 0);
}

TEST_F(ArgumentLists, ARecycledListIsEmptyAndOpen) {
  append(cell.address());
  aclrtParamHandle placeholder = append_placeholder();
  void* buffer = nullptr;
  EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, placeholder, 64, &buffer), 0);
  finalize();
  EXPECT_EQ(aclrtKernelArgsInit(function, &list), 0);
  EXPECT_EQ(launch_list(function), ACL_ERROR_RT_PARAM_INVALID) << "not final";
  append(cell.address());
  append(out.address());
  append(2.0F);
  finalize();
  cell.set(3);
  EXPECT_EQ(launch_list(function), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 5);
}

TEST_F(ArgumentLists, InMemoryOfTheProgram) {
  std::size_t handle_bytes = 0;
  std::size_t bytes = 0;
  ASSERT_EQ(aclrtKernelArgsGetHandleMemSize(function, &handle_bytes), 0);
  ASSERT_EQ(aclrtKernelArgsGetMemSize(function, 24, &bytes), 0);
  EXPECT_GE(bytes, 24u);
  std::vector<std::uint64_t> handle(handle_bytes / 8 + 1);
  std::vector<std::uint64_t> memory(bytes / 8);
  EXPECT_EQ(aclrtKernelArgsInitByUserMem(function, handle.data(), memory.data(), 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtKernelArgsInitByUserMem(function, handle.data(), memory.data(), bytes), 0) << last_message();
  list = handle.data();
  append_all(9);
  EXPECT_EQ(append_code(), ACL_ERROR_RT_PARAM_INVALID) << "the memory is full";
  finalize();
  EXPECT_EQ(launch_list(function), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 9);
}

TEST_F(ArgumentLists, NullsAndForeignHandles) {
  int value = 0;
  std::size_t size = 0;
  void* buffer = nullptr;
  aclrtParamHandle parameter = nullptr;
  EXPECT_EQ(aclrtKernelArgsInit(nullptr, &list), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsInit(function, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsInit(s, &list), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtKernelArgsAppend(nullptr, &value, 4, &parameter), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsAppend(list, nullptr, 4, &parameter), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsAppend(list, &value, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsAppend(&value, &value, 4, &parameter), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtKernelArgsAppend(list, &value, 0, &parameter), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtKernelArgsAppendPlaceHolder(list, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, nullptr, 4, &buffer), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsGetPlaceHolderBuffer(list, s, 4, &buffer), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtKernelArgsParaUpdate(list, s, &value, 4), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtKernelArgsParaUpdate(list, s, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsFinalize(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsFinalize(s), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtKernelArgsGetHandleMemSize(nullptr, &size), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsGetMemSize(function, 8, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtKernelArgsInitByUserMem(function, &value, nullptr, 8), ACL_ERROR_INVALID_PARAM);
}

}  // namespace
}  // namespace aclvk::test
