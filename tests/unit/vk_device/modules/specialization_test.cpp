#include "vk_device/modules/specialization.hpp"

#include <gtest/gtest.h>

#include <spirv-tools/libspirv.hpp>

#include "vk_device/modules/module_words.hpp"
#include "vk_device/modules/shader_store.hpp"

namespace aclvk::vk {
namespace {

using Words = std::vector<std::uint32_t>;

/// Returns the number of instructions with an opcode.
std::size_t count_of(const Words& words, spv::Op opcode) {
  std::size_t count = 0;
  for_each_instruction(words, [&](spv::Op op, const std::uint32_t*, std::size_t) { count += op == opcode; });
  return count;
}

/// Returns the number of loops with the Unroll control.
std::size_t unrolled_loops(const Words& words) {
  std::size_t count = 0;
  for_each_instruction(words, [&](spv::Op op, const std::uint32_t* instruction, std::size_t) {
    count += op == spv::OpLoopMerge && (instruction[3] & spv::LoopControlUnrollMask) != 0;
  });
  return count;
}

const Words& product() {
  static const Words words = unpack(*find_shader("matmul/products/gemm_f32"), 1);
  return words;
}

/// The constants of shaders/matmul/products/matrices.glsl for a matrix product in tiles of one row.
std::vector<SpecializationValue> constants_of(std::uint32_t dtype) {
  std::vector<SpecializationValue> values;
  for (const std::uint32_t value : {4U, 4U, 1U, 1U, 1U, 1U, 0U, 0U, dtype, dtype, dtype, dtype, 0U}) {
    values.push_back({static_cast<std::uint32_t>(values.size()), value});
  }
  return values;
}

Words product_of(std::uint32_t dtype) { return specialized(product(), constants_of(dtype)); }
Words inlined_product_of(std::uint32_t dtype) { return specialized_and_inlined(product(), constants_of(dtype)); }

TEST(Specialization, LeavesOutWhatConstantsRuleOut) {
  const Words floats = product_of(0);
  EXPECT_GT(count_of(product(), spv::OpSpecConstant), 10U);
  EXPECT_EQ(count_of(floats, spv::OpSpecConstant), 0U);
  EXPECT_LT(count_of(floats, spv::OpFunction), count_of(product(), spv::OpFunction));
  EXPECT_LT(floats.size(), product().size());
  EXPECT_NE(floats, product_of(1)) << "float16 is read in another way";
}

TEST(Specialization, LeavesLoopsToTheDriver) { EXPECT_GT(unrolled_loops(product_of(0)), 5U); }

TEST(Specialization, InlinesFunctionsAndLeavesOutWhatTheirArgumentsRuleOut) {
  const Words floats = inlined_product_of(0);
  EXPECT_GT(count_of(product_of(0), spv::OpFunctionCall), 10U);
  EXPECT_EQ(count_of(floats, spv::OpFunctionCall), 0U);
  EXPECT_EQ(count_of(floats, spv::OpSpecConstant), 0U);
  EXPECT_LT(floats.size(), product().size() / 3);
  EXPECT_NE(floats, inlined_product_of(1)) << "float16 is read in another way";
}

TEST(Specialization, DoesNotUnrollLoopsThatItInlines) {
  const Words floats = inlined_product_of(0);
  EXPECT_GT(count_of(floats, spv::OpLoopMerge), 5U);
  EXPECT_EQ(unrolled_loops(floats), 0U);
}

TEST(Specialization, MakesModulesThatAreValid) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_2);
  EXPECT_TRUE(tools.Validate(product_of(0)));
  EXPECT_TRUE(tools.Validate(inlined_product_of(0)));
}

TEST(Specialization, ReturnsWhatIsNoModuleUnchanged) {
  const Words words{1, 2, 3};
  EXPECT_EQ(specialized(words, {}), words);
  EXPECT_EQ(specialized_and_inlined(words, {}), words);
}

}  // namespace
}  // namespace aclvk::vk
