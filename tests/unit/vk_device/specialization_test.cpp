#include "vk_device/specialization.hpp"

#include <gtest/gtest.h>

#include <spirv-tools/libspirv.hpp>

#include "vk_device/shader_store.hpp"

namespace aclvk::vk {
namespace {

using Words = std::vector<std::uint32_t>;

/// How many instructions of a module have an opcode.
std::size_t count_of(const Words& words, std::uint32_t opcode) {
  constexpr std::size_t kHeader = 5;
  std::size_t count = 0;
  for (std::size_t at = kHeader; at < words.size(); at += words[at] >> 16) count += (words[at] & 0xFFFF) == opcode;
  return count;
}

constexpr std::uint32_t kSpecConstant = 50;
constexpr std::uint32_t kFunctionCall = 57;

/// A product of matrices in tiles of one row, the constants of shaders/matmul/matrices.glsl.
Words product_of(std::uint32_t dtype) {
  const EmbeddedShader* shader = find_shader("matmul/gemm_f32");
  std::vector<SpecializationValue> values;
  for (const std::uint32_t value : {4U, 4U, 1U, 1U, 1U, 1U, 0U, 0U, dtype, dtype, dtype, dtype, 0U}) {
    values.push_back({static_cast<std::uint32_t>(values.size()), value});
  }
  return specialized(unpack(*shader, 1), values);
}

TEST(Specialization, LeavesOutWhatConstantsRuleOut) {
  const Words all = unpack(*find_shader("matmul/gemm_f32"), 1);
  const Words floats = product_of(0);
  EXPECT_GT(count_of(all, kSpecConstant), 10U);
  EXPECT_EQ(count_of(floats, kSpecConstant), 0U);
  EXPECT_GT(count_of(all, kFunctionCall), 10U);
  EXPECT_EQ(count_of(floats, kFunctionCall), 0U);
  EXPECT_LT(floats.size(), all.size() / 3);
  EXPECT_NE(floats, product_of(1)) << "float16 is read in another way";
}

TEST(Specialization, MakesModulesThatAreValid) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_2);
  EXPECT_TRUE(tools.Validate(product_of(0)));
}

TEST(Specialization, LeavesAloneWhatIsNoModule) {
  const Words words{1, 2, 3};
  EXPECT_EQ(specialized(words, {}), words);
}

}  // namespace
}  // namespace aclvk::vk
