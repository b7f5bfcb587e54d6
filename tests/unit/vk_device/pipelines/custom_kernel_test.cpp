#include "vk_device/pipelines/custom_kernel.hpp"

#include <gmock/gmock.h>

#include "runtime/kernel/glsl.hpp"
#include "unit/vk_device/device_fixture.hpp"
#include "vk_device/modules/module_reflection.hpp"
#include "vk_device/modules/module_rewrite.hpp"
#include "vk_device/modules/shader_capabilities.hpp"

namespace aclvk::vk::test {
namespace {

using Kind = KernelParameter::Kind;

const std::string kPointers = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 8, local_size_y = 2) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer In { float value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Out { float value[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer InOut { float value[]; };
)";

const std::string kAdd = kPointers + R"(
layout(push_constant) uniform Arguments { In source; InOut target; float by; uvec2 pair; vec4 four; };
shared float scratch[16];
void main() {
  scratch[gl_LocalInvocationID.x] = four.x;
  target.value[gl_GlobalInvocationID.x] = source.value[gl_GlobalInvocationID.x] + by;
}
)";

std::vector<std::uint32_t> words_of(const std::string& source) {
  auto result = runtime::compile_glsl({"kernel.comp", source});
  EXPECT_FALSE(result.words.empty()) << result.log;
  return result.words;
}

KernelInterface only(const std::string& source) {
  const auto kernels = reflect(words_of(source));
  EXPECT_EQ(kernels.size(), 1u);
  return kernels.at(0);
}

TEST(KernelReflection, KnowsWhatTheBlockHolds) {
  const KernelInterface kernel = only(kAdd);
  EXPECT_EQ(kernel.name, "main");
  EXPECT_EQ(kernel.local_size, (std::array<std::uint32_t, 3>{8, 2, 1}));
  EXPECT_EQ(kernel.local_size_ids[0], KernelInterface::kFixed);
  EXPECT_EQ(kernel.shared_bytes, 64u);
  EXPECT_EQ(kernel.argument_bytes(), 48u);
  EXPECT_FALSE(kernel.computes_addresses);
  ASSERT_EQ(kernel.parameters.size(), 5u);
  const KernelParameter& source = kernel.parameters[0];
  const KernelParameter& target = kernel.parameters[1];
  const KernelParameter& by = kernel.parameters[2];
  const KernelParameter& pair = kernel.parameters[3];
  const KernelParameter& four = kernel.parameters[4];
  EXPECT_EQ(source.name, "source");
  EXPECT_EQ(source.kind, Kind::kPointer);
  EXPECT_EQ(source.access, Access::kRead);
  EXPECT_EQ(target.access, Access::kReadWrite);
  EXPECT_EQ(target.offset, 8u);
  EXPECT_EQ(by.kind, Kind::kBytes);
  EXPECT_EQ(by.bytes, 4u);
  EXPECT_EQ(pair.kind, Kind::kWord64);
  EXPECT_EQ(pair.offset, 24u);
  EXPECT_EQ(four.offset, 32u);
  EXPECT_EQ(four.bytes, 16u);
}

TEST(KernelReflection, KnowsWhatIsOnlyWritten) {
  const KernelInterface kernel = only(kPointers + R"(
layout(push_constant) uniform Arguments { Out target; };
void main() { target.value[0] = 1; }
)");
  EXPECT_EQ(kernel.parameters.at(0).access, Access::kWrite);
}

TEST(KernelReflection, SeesAddressesThatAreMadeOrFound) {
  EXPECT_TRUE(only(kPointers + R"(
#extension GL_EXT_buffer_reference_uvec2 : require
layout(push_constant) uniform Arguments { uvec2 target; };
void main() { InOut(target).value[0] = 1; }
)")
                  .computes_addresses);
  EXPECT_TRUE(only(kPointers + R"(
layout(buffer_reference, std430, buffer_reference_align = 8) buffer List { InOut item; };
layout(push_constant) uniform Arguments { List list; };
void main() { list.item.value[0] = 1; }
)")
                  .computes_addresses);
  EXPECT_TRUE(only(kPointers + R"(
layout(set = 0, binding = 0) buffer List { InOut item[]; };
void main() { item[3].value[0] = 1; }
)")
                  .computes_addresses);
}

TEST(KernelReflection, LocalSizeMayBeASpecializationConstant) {
  const KernelInterface kernel =
      only("#version 460\nlayout(local_size_x = 16, local_size_x_id = 5) in;\nvoid main() {}\n");
  EXPECT_EQ(kernel.local_size[0], 16u);
  EXPECT_EQ(kernel.local_size_ids[0], 5u);
  EXPECT_EQ(kernel.local_size_ids[1], KernelInterface::kFixed);
}

TEST(KernelReflection, BuffersOfOtherSetsAreRefused) {
  EXPECT_EQ(code_of([] {
              only(
                  "#version 460\nlayout(local_size_x = 1) in;\n"
                  "layout(set = 1, binding = 0) buffer Out { uint x; };\nvoid main() { x = 1; }\n");
            }),
            Code::kFeatureNotSupported);
}

TEST(KernelCapabilities, UnknownOnesAreRefused) {
  const std::uint32_t words[] = {0x07230203, 0x10500,       0, 10, 0, 2U << 16 | 17, 1, 2U << 16 | 17,
                                 6033,       3U << 16 | 14, 0, 1};
  EXPECT_EQ(unusable_capability({words, std::size(words)}, Features{}), "the SPIR-V capability 6033");
}

TEST(KernelCapabilities, SubgroupsAreLookedUp) {
  const std::uint32_t words[] = {0x07230203, 0x10500, 0, 10, 0, 2U << 16 | 17, 63, 3U << 16 | 14, 0, 1};
  Features features;
  EXPECT_TRUE(unusable_capability({words, std::size(words)}, features));
  features.subgroup_operations = 4;  // arithmetic
  EXPECT_FALSE(unusable_capability({words, std::size(words)}, features));
}

/// Records launches of programs' kernels.
class CustomDispatchTest : public DeviceTest {
 protected:
  std::shared_ptr<const CustomKernel> load(const std::string& source) {
    return device_->load_kernels(words_of(source)).at(0);
  }
  struct Arguments {
    std::uint64_t source;
    std::uint64_t target;
    float by;
    std::uint32_t pair[2];
    float four[4];
  };
  static Dispatch dispatch(const std::shared_ptr<const CustomKernel>& kernel, const BufferRange& from,
                           const BufferRange& to, bool accesses_all_memory = false) {
    const Arguments arguments{from.address(), to.address(), 1, {}, {}};
    CustomLaunch launch;
    launch.kernel = kernel;
    launch.accesses_all_memory = accesses_all_memory;
    Dispatch made;
    made.shader = "custom";
    made.groups = {1, 1, 1};
    made.arguments.resize(sizeof(arguments));
    std::memcpy(made.arguments.data(), &arguments, sizeof(arguments));
    made.operands = {{from, Access::kRead}, {to, Access::kReadWrite}};
    made.custom = std::make_shared<const CustomLaunch>(launch);
    return made;
  }
};

TEST_F(CustomDispatchTest, DisjointLaunchesOverlapAndOthersDoNot) {
  const auto kernel = load(kAdd);
  const BufferRange a = upload(std::vector<float>(8, 1.0F));
  const BufferRange b = upload(std::vector<float>(8, 0.0F));
  const BufferRange c = upload(std::vector<float>(8, 0.0F));
  EXPECT_EQ(run([&](CommandRecorder& recorder) {
              recorder.dispatch(dispatch(kernel, a, b));
              recorder.dispatch(dispatch(kernel, a, c));
            })->barriers(),
            0u);
  EXPECT_EQ(run([&](CommandRecorder& recorder) {
              recorder.dispatch(dispatch(kernel, a, b));
              recorder.dispatch(dispatch(kernel, b, c));
            })->barriers(),
            1u);
  EXPECT_THAT(download<float>(c), testing::Each(3.0F));
}

TEST_F(CustomDispatchTest, KernelsThatMayAccessAllMemoryOverlapNothing) {
  const auto kernel = load(kAdd);
  const BufferRange a = upload(std::vector<float>(8, 1.0F));
  const BufferRange b = upload(std::vector<float>(8, 0.0F));
  const BufferRange c = upload(std::vector<float>(8, 0.0F));
  const BufferRange other = upload(std::vector<float>(8, 0.0F));
  const auto commands = run([&](CommandRecorder& recorder) {
    recorder.fill(other, 0);
    recorder.dispatch(dispatch(kernel, a, b, true));
    recorder.dispatch(dispatch(kernel, a, c, true));
    recorder.fill(other, 1);
  });
  EXPECT_EQ(commands->barriers(), 3u);
  EXPECT_TRUE(commands->writes(other));
}

TEST_F(CustomDispatchTest, ModuleWithItsBlockInMemoryIsValidToo) {
  const auto words = words_of(kAdd);
  const auto changed = with_block_in_memory(words, 3);
  EXPECT_EQ(changed.size(), words.size() + 8);
  EXPECT_EQ(code_of([&] { device_->load_kernels(changed); }), Code::kSuccess);
  const KernelInterface kernel = reflect(changed).at(0);
  EXPECT_EQ(kernel.buffers, 4u);
  EXPECT_EQ(kernel.block_bytes, 0u);
}

TEST_F(CustomDispatchTest, KernelMayGoBeforeItsCommands) {
  const BufferRange a = upload(std::vector<float>(8, 1.0F));
  const BufferRange b = upload(std::vector<float>(8, 0.0F));
  auto recorder = device_->record(Level::kPrimary);
  recorder->dispatch(dispatch(load(kAdd), a, b));
  auto commands = recorder->finish();
  recorder.reset();
  const TimelinePoint done = submit(commands);
  commands.reset();
  done.timeline->wait(done.value);
  EXPECT_THAT(download<float>(b), testing::Each(2.0F));
}

}  // namespace
}  // namespace aclvk::vk::test
