// acl/rt/kernel.h: launches of a program's own kernels (runtime-semantics 10.2).
#include <numeric>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

class Launches : public KernelTest {
 protected:
  static aclrtLaunchKernelAttr attribute(int id, std::uint32_t value) {
    aclrtLaunchKernelAttr made{};
    made.id = static_cast<aclrtLaunchKernelAttrId>(id);
    made.value.rsv[0] = value;
    return made;
  }
  aclError launch_with(std::vector<aclrtLaunchKernelAttr> attributes) {
    aclrtLaunchKernelCfg cfg{attributes.data(), attributes.size()};
    AddArguments arguments{cell.address(), out.address(), 1};
    return aclrtLaunchKernelWithHostArgs(pointers(), 1, s, &cfg, &arguments, sizeof(arguments), nullptr, 0);
  }
  aclrtFuncHandle pointers() {
    if (!pointers_) pointers_ = load_function(kAddByPointer);
    return pointers_;
  }

  Cell out;

 private:
  aclrtFuncHandle pointers_ = nullptr;
};

TEST_F(Launches, MemoryIsReachedByPointerByNumberAndByBuffer) {
  for (const char* source : {kAddByPointer, kAddByNumber, kAddByBuffer}) {
    cell.set(5);
    EXPECT_EQ(add(load_function(source), cell, out, 2, s), 0) << last_message();
    sync(s);
    EXPECT_EQ(out.value(), 7) << source;
    out.set(0);
  }
}

// A program knows pinned memory by its host address, which is not the device's.
TEST_F(Launches, PinnedMemoryIsReachedToo) {
  Pinned<float> in(8, 4.0F);
  Pinned<float> result(8);
  for (const char* source : {kAddByPointer, kAddByNumber, kAddByBuffer}) {
    result.fill(0);
    EXPECT_EQ(launch(load_function(source), AddArguments{in.data(), result.data(), 1}, s), 0) << last_message();
    sync(s);
    EXPECT_EQ(result[0], 5) << source;
    EXPECT_EQ(result[7], 5) << source;
  }
}

TEST_F(Launches, BlocksAreGroups) {
  Cell many(1, 8 * 100);
  Cell target(0, 8 * 100);
  EXPECT_EQ(launch(pointers(), AddArguments{many.address(), target.address(), 1}, s, 100), 0) << last_message();
  sync(s);
  EXPECT_EQ(target.value(), 2);
}

TEST_F(Launches, OrderIsThatOfTheStream) {
  for (const char* source : {kAddByPointer, kAddByNumber, kAddByBuffer}) {
    aclrtFuncHandle function = load_function(source);
    cell.set(0);
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(add(function, cell, out, 1, s), 0);
      EXPECT_EQ(increment(out, s), 0);
      EXPECT_EQ(
          aclrtMemcpyAsync(cell.address(), cell.bytes(), out.address(), out.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s),
          0);
    }
    sync(s);
    EXPECT_EQ(cell.value(), 100) << source;
  }
}

TEST_F(Launches, InteriorPointers) {
  Cell both(0, 16);
  auto* second = static_cast<float*>(both.address()) + 8;
  cell.set(3);
  EXPECT_EQ(launch(pointers(), AddArguments{cell.address(), second, 1}, s), 0) << last_message();
  sync(s);
  EXPECT_EQ(both.elements()[7], 0);
  EXPECT_EQ(both.elements()[8], 4);
}

TEST_F(Launches, T225_HostArgumentsAreChecked) {
  AddArguments arguments{cell.address(), out.address(), 1};
  constexpr std::size_t kBytes = sizeof(arguments);
  aclrtFuncHandle f = pointers();
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 0, s, nullptr, &arguments, kBytes, nullptr, 0),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, &arguments, 0, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, nullptr, kBytes, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(nullptr, 1, s, nullptr, &arguments, kBytes, nullptr, 0),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, &arguments, kBytes, nullptr, 1),
            ACL_ERROR_RT_PARAM_INVALID);
  aclrtPlaceHolderInfo outside{static_cast<std::uint32_t>(kBytes), 0};
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, &arguments, kBytes, &outside, 1),
            ACL_ERROR_RT_PARAM_INVALID);
  outside = {0, static_cast<std::uint32_t>(kBytes)};
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, &arguments, kBytes, &outside, 1),
            ACL_ERROR_RT_PARAM_INVALID);
  outside = {static_cast<std::uint32_t>(kBytes) - 4, 0};
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, &arguments, kBytes, &outside, 1),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, s, nullptr, &arguments, 16, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID)
      << "the kernel takes 20 bytes";
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(s, 1, s, nullptr, &arguments, kBytes, nullptr, 0),
            ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(f, 1, f, nullptr, &arguments, kBytes, nullptr, 0),
            ACL_ERROR_RT_INVALID_HANDLE);
  sync(s);
  EXPECT_EQ(out.value(), 0);
}

TEST_F(Launches, PointersHaveToLeadToLiveMemory) {
  void* freed = nullptr;
  ASSERT_EQ(aclrtMalloc(&freed, 64, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  ASSERT_EQ(aclrtFree(freed), 0);
  EXPECT_EQ(launch(pointers(), AddArguments{cell.address(), freed, 1}, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("target"), std::string::npos) << last_message();
  EXPECT_EQ(launch(load_function(kAddByBuffer), AddArguments{cell.address(), freed, 1}, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Launches, BuffersHaveToBeAligned) {
  auto* between = static_cast<std::byte*>(cell.address()) + 4;
  EXPECT_EQ(launch(load_function(kAddByBuffer), AddArguments{between, out.address(), 1}, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(last_message().find("multiples of"), std::string::npos) << last_message();
}

TEST_F(Launches, BuffersMayBeLeftOut) {
  aclrtFuncHandle function = load_function(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float source[]; };
layout(set = 0, binding = 2, std430) buffer Out { float target[]; };
layout(push_constant) uniform Arguments { uint has_source; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  target[i] = has_source != 0 ? source[i] : 9;
}
)");
  struct {
    const void* source;
    void* unused;
    void* target;
    std::uint32_t has_source;
  } arguments{nullptr, nullptr, out.address(), 0};
  EXPECT_EQ(launch(function, arguments, s), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 9);
}

TEST_F(Launches, T226_ArgsArrayIsChecked) {
  EXPECT_EQ(aclrtLaunchKernelWithArgsArray(pointers(), 0, s, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithArgsArray(nullptr, 1, s, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernelWithArgsArray(pointers(), 1, s, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Launches, ArgsArrayFillsTheParameters) {
  const void* source = cell.address();
  void* target = out.address();
  float by = 6;
  void* arguments[] = {&source, &target, &by};
  for (const char* kernel : {kAddByPointer, kAddByBuffer}) {
    EXPECT_EQ(aclrtLaunchKernelWithArgsArray(load_function(kernel), 1, s, nullptr, arguments), 0) << last_message();
    by = 99;
    sync(s);
    EXPECT_EQ(out.value(), 6);
    by = 6;
    out.set(0);
  }
}

TEST_F(Launches, KernelsOfTheLibraryDoNotDescribeTheirParameters) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  aclrtFuncHandle operation = params_of(only_task(model)).kernelTaskParams.funcHandle;
  EXPECT_EQ(aclrtLaunchKernelWithArgsArray(operation, 1, s, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Launches, KernelOfAnOperatorCanBeLaunched) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  const auto kernel = params_of(only_task(model)).kernelTaskParams;
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(kernel.funcHandle, kernel.numBlocks, s, nullptr, kernel.args, kernel.argsSize,
                                          nullptr, 0),
            0)
      << last_message();
  sync(s);
  EXPECT_EQ(cell.value(), 1);
}

TEST_F(Launches, T229_StreamOfAnotherContext) {
  aclrtFuncHandle function = pointers();
  on_another_thread([&] {
    aclrtContext other = nullptr;
    ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
    EXPECT_EQ(add(function, cell, out, 1, s), ACL_ERROR_RT_STREAM_CONTEXT);
    EXPECT_EQ(aclrtDestroyContext(other), 0);
  });
  on_another_thread([&] { EXPECT_EQ(add(function, cell, out, 1, nullptr), ACL_ERROR_RT_CONTEXT_NULL); });
}

TEST_F(Launches, NullStreamIsTheDefaultOne) {
  EXPECT_EQ(add(pointers(), cell, out, 4, nullptr), 0) << last_message();
  sync(nullptr);
  EXPECT_EQ(out.value(), 4);
}

TEST_F(Launches, T230_HostArgumentsAreCopiedByTheCall) {
  {
    BlockedStream blocked(s);
    AddArguments arguments{cell.address(), out.address(), 7};
    EXPECT_EQ(aclrtLaunchKernelWithHostArgs(pointers(), 1, s, nullptr, &arguments, sizeof(arguments), nullptr, 0), 0);
    arguments = {nullptr, nullptr, 0};
  }
  sync(s);
  EXPECT_EQ(out.value(), 7);
}

/// Arguments with 8 numbers after them, which the kernel adds up.
struct SumArguments {
  const void* numbers;
  void* target;
  std::uint32_t pad[60];
  float values[8];
};

constexpr const char* kSumByPointer = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer In { float value[8]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { In numbers; Out target; };
void main() {
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += numbers.value[i];
  target.value[gl_GlobalInvocationID.x] = sum;
}
)";

constexpr const char* kSumByBuffer = R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float numbers[8]; };
layout(set = 0, binding = 1, std430) buffer Out { float target[]; };
void main() {
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += numbers[i];
  target[gl_GlobalInvocationID.x] = sum;
}
)";

TEST_F(Launches, PlaceholderBecomesTheAddressOfItsData) {
  static_assert(offsetof(SumArguments, values) == 256);
  for (const char* source : {kSumByPointer, kSumByBuffer}) {
    SumArguments arguments{nullptr, out.address(), {}, {1, 2, 3, 4, 5, 6, 7, 8}};
    aclrtPlaceHolderInfo placeholder{0, offsetof(SumArguments, values)};
    out.set(0);
    EXPECT_EQ(aclrtLaunchKernelWithHostArgs(load_function(source), 1, s, nullptr, &arguments, sizeof(arguments),
                                            &placeholder, 1),
              0)
        << last_message();
    arguments.values[0] = 100;
    sync(s);
    EXPECT_EQ(out.value(), 36) << source;
  }
}

// 128 bytes of push constants are what every device has; a longer block goes to memory.
TEST_F(Launches, BlockMayBeLongerThanPushConstants) {
  const std::string source = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { Out target; float numbers[100]; float last; };
void main() { target.value[gl_GlobalInvocationID.x] = numbers[gl_GlobalInvocationID.x * 12] + last; }
)";
  struct {
    void* target;
    float numbers[100];
    float last;
  } arguments{out.address(), {}, 1000};
  std::iota(std::begin(arguments.numbers), std::end(arguments.numbers), 0.0F);
  EXPECT_EQ(launch(load_function(source), arguments, s), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.elements(), (std::vector<float>{1000, 1012, 1024, 1036, 1048, 1060, 1072, 1084}));
}

/// An argument block in device memory, written in stream order.
class DeviceArguments : public Launches {
 protected:
  void SetUp() override {
    Launches::SetUp();
    ASSERT_EQ(aclrtMalloc(&memory, 256, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  }
  void TearDown() override {
    Launches::TearDown();
    EXPECT_EQ(aclrtFree(memory), 0);
  }
  void* write(const AddArguments& arguments, std::size_t at = 0) {
    const RelaxedThread relaxed;
    void* place = static_cast<std::byte*>(memory) + at;
    EXPECT_EQ(aclrtMemcpy(place, sizeof(arguments), &arguments, sizeof(arguments), ACL_MEMCPY_HOST_TO_DEVICE), 0);
    return place;
  }
  void* memory = nullptr;
};

TEST_F(DeviceArguments, AreReadWhenTheKernelStarts) {
  Pinned<AddArguments> staged(1, AddArguments{cell.address(), out.address(), 12});
  for (const char* source : {kAddByPointer, kAddByNumber}) {
    aclrtFuncHandle function = load_function(source);
    out.set(0);
    EXPECT_EQ(aclrtMemcpyAsync(memory, 24, staged.data(), sizeof(AddArguments), ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
    EXPECT_EQ(aclrtLaunchKernel(function, 1, memory, sizeof(AddArguments), s), 0) << last_message();
    EXPECT_EQ(aclrtLaunchKernelV2(function, 1, memory, sizeof(AddArguments), nullptr, s), 0) << last_message();
    sync(s);
    EXPECT_EQ(out.value(), 12) << source;
  }
}

TEST_F(DeviceArguments, MayBeginAtAnyAddress) {
  void* block = write({cell.address(), out.address(), 3}, 4);
  EXPECT_EQ(aclrtLaunchKernel(pointers(), 1, block, sizeof(AddArguments), s), 0) << last_message();
  sync(s);
  EXPECT_EQ(out.value(), 3);
}

TEST_F(DeviceArguments, AreChecked) {
  void* block = write({cell.address(), out.address(), 3});
  constexpr std::size_t kBytes = sizeof(AddArguments);
  EXPECT_EQ(aclrtLaunchKernel(nullptr, 1, block, kBytes, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernel(pointers(), 1, nullptr, kBytes, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchKernel(pointers(), 0, block, kBytes, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchKernel(pointers(), 1, block, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchKernel(pointers(), 1, block, 8, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchKernel(s, 1, block, kBytes, s), ACL_ERROR_RT_INVALID_HANDLE);
  AddArguments on_host{cell.address(), out.address(), 3};
  EXPECT_EQ(aclrtLaunchKernel(pointers(), 1, &on_host, kBytes, s), ACL_ERROR_RT_PARAM_INVALID) << "no device memory";
}

TEST_F(DeviceArguments, DoNotGoWithStorageBuffers) {
  void* block = write({cell.address(), out.address(), 3});
  EXPECT_EQ(aclrtLaunchKernel(load_function(kAddByBuffer), 1, block, sizeof(AddArguments), s),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Launches, AttributesAreChecked) {
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 2)}), 0) << last_message();
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 3)}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH, 2)}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, 2)}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING, 1)}), 0);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING, 2)}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, 5)}), 0);
  EXPECT_EQ(launch_with(
                {attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, 5), attribute(ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, 5)}),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(0, 0)}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(10, 0)}), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, 0)}), 0);
  EXPECT_EQ(launch_with({attribute(ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, 64)}), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclrtLaunchKernelCfg hollow{nullptr, 1};
  AddArguments arguments{cell.address(), out.address(), 1};
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(pointers(), 1, s, &hollow, &arguments, sizeof(arguments), nullptr, 0),
            ACL_ERROR_INVALID_PARAM);
  sync(s);
}

TEST_F(Launches, BlockOffsetIsWhereBlocksAreCountedFrom) {
  Cell many(0, 24);
  aclrtLaunchKernelAttr second = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, 1);
  aclrtLaunchKernelCfg cfg{&second, 1};
  AddArguments arguments{many.address(), many.address(), 1};
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(pointers(), 1, s, &cfg, &arguments, sizeof(arguments), nullptr, 0), 0)
      << last_message();
  sync(s);
  EXPECT_EQ(many.elements()[7], 0);
  EXPECT_EQ(many.elements()[8], 1);
  EXPECT_EQ(many.elements()[15], 1);
  EXPECT_EQ(many.elements()[16], 0);
}

TEST_F(Launches, MoreBlocksThanTheDeviceHas) {
  AddArguments arguments{cell.address(), out.address(), 1};
  aclrtLaunchKernelAttr offset = attribute(ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, UINT32_MAX);
  aclrtLaunchKernelCfg cfg{&offset, 1};
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(pointers(), 1, s, &cfg, &arguments, sizeof(arguments), nullptr, 0),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

/// out[thread] = 1000 * group.x + 100 * group.y + threads of a group
constexpr const char* kShape = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x_id = 7, local_size_y = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { float value[]; };
layout(push_constant) uniform Arguments { Out target; };
void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  target.value[group * gl_WorkGroupSize.x + gl_LocalInvocationID.x] =
      float(1000 * gl_WorkGroupID.x + 100 * gl_WorkGroupID.y + gl_WorkGroupSize.x);
}
)";

TEST_F(Launches, ManyThreadsInThreeDimensions) {
  aclrtFuncHandle function = load_function(kShape);
  void* target = out.address();
  void* arguments[] = {&target};
  EXPECT_EQ(aclrtLaunchSIMTKernelWithArgsArray(function, {2, 2, 1}, {2, 1, 1}, 0, s, nullptr, arguments), 0)
      << last_message();
  sync(s);
  EXPECT_EQ(out.elements(), (std::vector<float>{2, 2, 1002, 1002, 102, 102, 1102, 1102}));
  EXPECT_EQ(aclrtLaunchSIMTKernelWithHostArgs(function, {1, 1, 1}, {4, 1, 1}, 0, s, nullptr, &target, sizeof(target),
                                              nullptr, 0),
            0)
      << last_message();
  sync(s);
  EXPECT_EQ(out.elements()[3], 4);
  EXPECT_EQ(out.elements()[4], 102);
}

TEST_F(Launches, ManyThreadsAreChecked) {
  aclrtFuncHandle function = load_function(kShape);
  void* target = out.address();
  void* arguments[] = {&target};
  const auto launch_code = [&](dim3 grid, dim3 block, std::size_t dynamic) {
    return aclrtLaunchSIMTKernelWithArgsArray(function, grid, block, dynamic, s, nullptr, arguments);
  };
  EXPECT_EQ(launch_code({0, 1, 1}, {1, 1, 1}, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_code({1, 1, 1}, {1, 0, 1}, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(launch_code({1, 1, 1}, {1, 2, 1}, 0), ACL_ERROR_RT_PARAM_INVALID) << "fixed by the module";
  EXPECT_EQ(launch_code({1, 1, 1}, {1000000, 1, 1}, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(launch_code({1, 1, 1}, {1, 1, 1}, 16), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtLaunchSIMTKernelWithArgsArray(nullptr, {1, 1, 1}, {1, 1, 1}, 0, s, nullptr, arguments),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchSIMTKernelWithHostArgs(function, {1, 1, 1}, {1, 1, 1}, 0, s, nullptr, nullptr, 8, nullptr, 0),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchSIMTKernelWithHostArgs(function, {1, 1, 1}, {1, 1, 1}, 0, s, nullptr, &target, 0, nullptr, 0),
            ACL_ERROR_RT_PARAM_INVALID);
}

// The kernel finds the address in memory: only the kernel knows what it reaches.
TEST_F(Launches, AddressesInMemoryAreFollowedInOrder) {
  const std::string source = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Floats { float value[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer List { Floats item[2]; };
layout(push_constant) uniform Arguments { List list; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  list.item[1].value[i] = 2 * list.item[0].value[i];
}
)";
  aclrtFuncHandle function = load_function(source);
  Pinned<void*> list(2);
  list[0] = cell.address();
  list[1] = out.address();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(launch(function, static_cast<const void*>(list.data()), s), 0) << last_message();
    EXPECT_EQ(increment(out, s), 0);
  }
  sync(s);
  EXPECT_EQ(out.value(), 21);
}

}  // namespace
}  // namespace aclvk::test
