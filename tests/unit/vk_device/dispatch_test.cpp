#include <cstdint>

#include "unit/vk_device/device_fixture.hpp"
#include "vk_device/embedded_shaders.hpp"
#include "vk_device/shader_store.hpp"

// Made by test_shaders.cmake.
#if __has_include("shaders/test_saxpy.inc")
namespace {
#include "shaders/test_saxpy.inc"
}

namespace aclvk::vk::test {
namespace {

const EmbeddedShader kSaxpy = ACLVK_SHADER_test_saxpy;
const EmbeddedShader kHollow = {"test_hollow", {}, nullptr, 0};

struct SaxpyArguments {
  std::uint32_t count;
  float a;
};

struct Variant {
  const char* name;
  bool addresses;
  bool block;
};

class DeviceDispatchTest : public DeviceTest {
 protected:
  static void SetUpTestSuite() {
    add_test_shader(kSaxpy);
    add_test_shader(kHollow);
  }

  /// y += a * x; a long block sends 128 bytes more than the kernel needs.
  static Dispatch saxpy(const BufferRange& x, const BufferRange& y, float a, bool long_block = false) {
    const SaxpyArguments arguments{static_cast<std::uint32_t>(y.size / 4), a};
    Dispatch dispatch;
    dispatch.shader = "test_saxpy";
    dispatch.operands = {{x, Access::kRead}, {y, Access::kReadWrite}};
    dispatch.arguments.resize(sizeof(arguments) + (long_block ? 128 : 0));
    std::memcpy(dispatch.arguments.data(), &arguments, sizeof(arguments));
    dispatch.groups = {(arguments.count + 63) / 64, 1, 1};
    return dispatch;
  }
};

class DispatchVariantTest : public DeviceDispatchTest, public testing::WithParamInterface<Variant> {
 protected:
  Setting addresses_{"ACLVK_FORCE_ADDRESSES", GetParam().addresses ? "1" : "0"};
};

INSTANTIATE_TEST_SUITE_P(All, DispatchVariantTest,
                         testing::Values(Variant{"Descriptors", false, false}, Variant{"DescriptorsBlock", false, true},
                                         Variant{"Addresses", true, false}, Variant{"AddressesBlock", true, true}),
                         [](const auto& variant) { return variant.param.name; });

TEST_P(DispatchVariantTest, ComputesAtAnyOffset) {
  constexpr std::size_t kCount = 1000;
  std::vector<float> x(kCount + 8);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const BufferRange all_x = upload(x);
  for (std::uint64_t offset = 0; offset < 6; ++offset) {
    const BufferRange all_y = upload(std::vector<float>(kCount + 8, 1.0F));
    const auto commands = run([&](CommandRecorder& recorder) {
      recorder.dispatch(saxpy(all_x.slice(offset * 4, kCount * 4), all_y.slice(4, kCount * 4), 2.0F, GetParam().block));
    });
    EXPECT_EQ(commands->commands(), 1U);
    const auto y = download<float>(all_y);
    ASSERT_EQ(y[0], 1.0F);
    for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(y[i + 1], 1.0F + 2.0F * x[i + offset]) << i;
    ASSERT_EQ(y[kCount + 1], 1.0F);
  }
}

TEST_P(DispatchVariantTest, SpecializationConstantsMakeAnotherPipeline) {
  const BufferRange x = upload(std::vector<float>(64, 1.0F));
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  run([&](CommandRecorder& recorder) {
    Dispatch dispatch = saxpy(x, y, 1.0F, GetParam().block);
    recorder.dispatch(dispatch);
    dispatch.constants = {10};
    recorder.dispatch(dispatch);
  });
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 12.0F));
}

TEST_P(DispatchVariantTest, AThousandInARowHaveExactlyTheNeededBarriers) {
  const BufferRange x = upload(std::vector<float>(64, 1.0F));
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  const auto chain = run([&](CommandRecorder& recorder) {
    for (int i = 0; i < 1000; ++i) recorder.dispatch(saxpy(x, y, 1.0F, GetParam().block));
  });
  EXPECT_EQ(chain->commands(), 1000U);
  EXPECT_EQ(chain->barriers(), 999U);
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 1000.0F));

  const BufferRange many = upload(std::vector<float>(64 * 1000, 0.0F));
  const auto apart = run([&](CommandRecorder& recorder) {
    for (std::uint64_t i = 0; i < 1000; ++i)
      recorder.dispatch(saxpy(x, many.slice(i * 256, 256), 3.0F, GetParam().block));
  });
  EXPECT_EQ(apart->barriers(), 0U);
  EXPECT_EQ(download<float>(many), std::vector<float>(64 * 1000, 3.0F));
}

TEST_P(DispatchVariantTest, RunsInsideASecondary) {
  const BufferRange x = upload(std::vector<float>(64, 1.0F));
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  auto inner = device_->record(Level::kSecondary);
  for (int i = 0; i < 10; ++i) inner->dispatch(saxpy(x, y, 1.0F, GetParam().block));
  const auto secondary = inner->finish();
  EXPECT_EQ(secondary->barriers(), 9U);
  run([&](CommandRecorder& recorder) {
    recorder.dispatch(saxpy(x, y, 1.0F, GetParam().block));
    recorder.execute(secondary);
    recorder.dispatch(saxpy(x, y, 1.0F, GetParam().block));
  });
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 12.0F));
}

// A large allocation has a VkBuffer of its own, and drivers use the numbers of destroyed ones again: what is kept for a
// kernel's operands must not be taken for those of another buffer with the same number.
TEST_F(DeviceDispatchTest, DistinguishesBuffersWithReusedHandles) {
  constexpr std::uint64_t kBytes = 2 << 20;
  for (int round = 1; round <= 20; ++round) {
    const auto value = static_cast<float>(round);
    void* pointers[] = {device_->memory().allocate(Placement::kDevice, kBytes),
                        device_->memory().allocate(Placement::kDevice, kBytes)};
    {
      const BufferRange x = *device_->memory().find(pointers[0], kBytes);
      const BufferRange y = *device_->memory().find(pointers[1], kBytes);
      device_->write(x, std::vector<float>(kBytes / 4, value).data());
      device_->write(y, std::vector<float>(kBytes / 4, 1.0F).data());
      run([&](CommandRecorder& recorder) { recorder.dispatch(saxpy(x, y, 2.0F)); });
      ASSERT_EQ(download<float>(y).back(), 1.0F + 2.0F * value);
    }
    for (void* pointer : pointers) device_->memory().release(pointer, Placement::kDevice);
    device_->wait_idle();
  }
}

TEST_F(DeviceDispatchTest, OneBufferAsSeveralOperandsAtSeveralOffsets) {
  const BufferRange all = upload(std::vector<float>(4096, 1.0F));
  const auto part = [&](std::uint64_t index) { return all.slice(index * 256, 256); };
  for (int round = 0; round < 3; ++round) {
    run([&](CommandRecorder& recorder) {
      for (std::uint64_t i = 0; i + 1 < 16; ++i) recorder.dispatch(saxpy(part(i), part(i + 1), 1.0F));
    });
  }
  // Each part becomes its sum with the one before it: after three rounds, binomial sums of ones.
  std::vector<float> expected(16, 1.0F);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i + 1 < 16; ++i) expected[i + 1] += expected[i];
  }
  const auto values = download<float>(all);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(values[i * 64], expected[i]) << i;
}

TEST_F(DeviceDispatchTest, AWarmUpRunsNothing) {
  const BufferRange x = upload(std::vector<float>(64, 1.0F));
  const BufferRange y = upload(std::vector<float>(64, 5.0F));
  Dispatch dispatch = saxpy(x, y, 1.0F);
  device_->prepare(dispatch);
  device_->warm_up(dispatch);
  device_->wait_warm_ups();
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 5.0F));
  const std::uint64_t submissions = device_->queue(0).submissions();
  device_->warm_up(dispatch);
  EXPECT_EQ(device_->queue(0).submissions(), submissions) << "it is warm";
  run([&](CommandRecorder& recorder) { recorder.dispatch(dispatch); });
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 6.0F));
}

TEST_F(DeviceDispatchTest, MoreGroupsThanTheDeviceHasAreRefusedBeforeRecording) {
  const BufferRange x = upload(std::vector<float>(64, 1.0F));
  const BufferRange y = upload(std::vector<float>(64, 1.0F));
  Dispatch dispatch = saxpy(x, y, 1.0F);
  dispatch.groups = {1, 1, 0xFFFFFFFF};
  EXPECT_EQ(code_of([&] { device_->prepare(dispatch); }), Code::kFeatureNotSupported);
}

// Whatever stands for the kernel, it waits for what it reads. saxpy with a = 1 copies into zeros.
TEST_F(DeviceDispatchTest, AKernelThatCopiesIsOrderedLikeOthers) {
  const BufferRange x = upload(std::vector<float>(64, 5.0F));
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  const BufferRange z = upload(std::vector<float>(64, 0.0F));
  Dispatch first = saxpy(x, y, 1.0F);
  Dispatch second = saxpy(y, z, 1.0F);
  first.copies = second.copies = true;
  const auto commands = run([&](CommandRecorder& recorder) {
    recorder.dispatch(first);
    recorder.dispatch(second);
  });
  EXPECT_EQ(commands->commands(), 2U);
  EXPECT_EQ(commands->barriers(), 1U);
  EXPECT_EQ(download<float>(z), std::vector<float>(64, 5.0F));
}

TEST_F(DeviceDispatchTest, AKernelThatCopiesOntoItselfRuns) {
  const BufferRange y = upload(std::vector<float>(64, 2.0F));
  Dispatch dispatch = saxpy(y, y, 1.0F);
  dispatch.copies = true;
  run([&](CommandRecorder& recorder) { recorder.dispatch(dispatch); });
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 4.0F));
}

TEST_F(DeviceDispatchTest, NothingIsRecordedForAnEmptyGrid) {
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  Dispatch dispatch = saxpy(y, y, 1.0F);
  dispatch.groups[1] = 0;
  EXPECT_EQ(run([&](CommandRecorder& recorder) { recorder.dispatch(dispatch); })->commands(), 0U);
}

TEST_F(DeviceDispatchTest, AnOperandBeyondTheDescriptorLimitTakesAddresses) {
  constexpr std::uint64_t kBig = (std::uint64_t{128} << 20) + 4096;  // lavapipe: 128 MiB
  const BufferRange y = allocate(kBig);
  const BufferRange x = upload(std::vector<float>(64, 1.0F));
  Dispatch dispatch = saxpy(x, y, 2.0F);
  const SaxpyArguments arguments{64, 2.0F};
  std::memcpy(dispatch.arguments.data(), &arguments, sizeof(arguments));
  dispatch.groups = {1, 1, 1};
  run([&](CommandRecorder& recorder) {
    recorder.fill(y.slice(0, 256), 0);
    recorder.dispatch(dispatch);
  });
  EXPECT_EQ(download<float>(y.slice(0, 256)), std::vector<float>(64, 2.0F));
}

TEST_F(DeviceDispatchTest, UnknownShadersAndVariantsAreNamed) {
  Dispatch dispatch;
  dispatch.groups = {1, 1, 1};
  dispatch.shader = "no/such";
  EXPECT_EQ(code_of([&] { device_->prepare(dispatch); }), Code::kRuntimeInternal);
  dispatch.shader = "test_hollow";
  EXPECT_EQ(code_of([&] { device_->prepare(dispatch); }), Code::kFeatureNotSupported);
}

TEST_F(DeviceDispatchTest, AGridBeyondTheLimitIsRefused) {
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  Dispatch dispatch = saxpy(y, y, 1.0F);
  dispatch.groups[2] = UINT32_MAX;
  auto recorder = device_->record(Level::kPrimary);
  EXPECT_EQ(code_of([&] { recorder->dispatch(dispatch); }), Code::kFeatureNotSupported);
}

TEST_F(DeviceDispatchTest, PreparedPipelinesRecord) {
  const BufferRange y = upload(std::vector<float>(64, 0.0F));
  Dispatch dispatch = saxpy(upload(std::vector<float>(64, 1.0F)), y, 1.0F);
  device_->prepare(dispatch);
  run([&](CommandRecorder& recorder) { recorder.dispatch(dispatch); });
  EXPECT_EQ(download<float>(y), std::vector<float>(64, 1.0F));
}

}  // namespace
}  // namespace aclvk::vk::test

#else

TEST(DeviceDispatchTest, HasItsKernel) {
  FAIL() << "tests/CMakeLists.txt must call aclvk_vk_device_test_shaders() for this target (test_shaders.cmake)";
}

#endif
