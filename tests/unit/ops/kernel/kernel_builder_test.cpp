#include "ops/kernel/kernel_builder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

#define PART_MEMBERS(ARGUMENT, ARRAY) \
  ARGUMENT(uint, size)                \
  ARGUMENT(int, step)
#define TEST_ARGUMENTS(ARGUMENT, ARRAY) \
  ARRAY(Part, parts, 2)                 \
  ARGUMENT(float, factor)               \
  ARRAY(uint, strides, 3)
#define TEST_CONSTANTS(CONSTANT, LOCAL_SIZE) \
  CONSTANT(0, uint, kLanes, 8)               \
  LOCAL_SIZE(1)                              \
  CONSTANT(2, bool, kMasked, false)

ARGUMENT_STRUCT(Part, PART_MEMBERS);
ARGUMENT_STRUCT(TestArguments, TEST_ARGUMENTS);
CONSTANT_STRUCT(TestConstants, TEST_CONSTANTS);

std::vector<std::uint32_t> words_of(const runtime::Kernel& kernel) {
  std::vector<std::uint32_t> words(kernel.arguments.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), kernel.arguments.data(), kernel.arguments.size());
  return words;
}

std::vector<std::uint32_t> constants_of(const runtime::Kernel& kernel) {
  return {kernel.constants.begin(), kernel.constants.end()};
}

/// The code with which an action is refused; kOk without one.
template <typename Action>
Code refusal_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kSuccess;
}

TEST(Word, HoldsThirtyTwoBitsWithOrWithoutASign) {
  EXPECT_EQ(word(0xFFFFFFFF), 0xFFFFFFFFU);
  EXPECT_EQ(word(-1), 0xFFFFFFFFU);
  EXPECT_EQ(word(INT32_MIN), 0x80000000U);
  EXPECT_EQ(signed_word(INT32_MAX), INT32_MAX);
  for (const std::int64_t value : {std::int64_t{1} << 32, std::int64_t{INT32_MIN} - 1, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(refusal_of([&] { word(value); }), Code::kNnInvalid) << value;
    EXPECT_EQ(refusal_of([&] { signed_word(value); }), Code::kNnInvalid) << value;
  }
  EXPECT_EQ(refusal_of([] { signed_word(std::int64_t{1} << 31); }), Code::kNnInvalid);
}

TEST(KernelBuilder, RefusesArgumentsThatDoNotFit) {
  const std::int64_t huge = std::int64_t{1} << 32;
  KernelBuilder kernel("test", "create/fill_bits");
  EXPECT_EQ(refusal_of([&] { kernel.add_word(huge); }), Code::kNnInvalid);
  EXPECT_EQ(refusal_of([&] { kernel.add_dims({huge}, {{1}}); }), Code::kNnInvalid);
  EXPECT_EQ(refusal_of([&] { kernel.add_dims({2}, {{huge}}); }), Code::kNnInvalid);
  TestArguments arguments;
  EXPECT_EQ(refusal_of([&] { assign_words(arguments.strides, std::vector<std::int64_t>{huge}); }), Code::kNnInvalid);
}

TEST(KernelBuilder, TakesAnyStrideOfADimOfOneElement) {
  KernelBuilder kernel("test", "create/fill_bits");
  kernel.add_dims({1, 3}, {{std::int64_t{1} << 40, 1}, {7, 1}});
  EXPECT_EQ(words_of(kernel.build()), (std::vector<std::uint32_t>{1, 0, 7, 3, 1, 1}));
}

TEST(KernelBuilder, RefusesOperandsAndThreadsPastThirtyTwoBits) {
  const std::uint64_t huge = std::uint64_t{1} << 32;
  KernelBuilder kernel("test", "create/fill_bits");
  EXPECT_EQ(refusal_of([&] { kernel.add_operand(nullptr, huge, runtime::Access::kRead); }), Code::kFeatureNotSupported);
  EXPECT_EQ(refusal_of([&] { kernel.add_operand(nullptr, kMaxOperandBytes, runtime::Access::kRead); }), Code::kSuccess);
  EXPECT_EQ(refusal_of([&] { kernel.set_threads(huge); }), Code::kFeatureNotSupported);
  kernel.set_threads(kMaxThreads);
  const auto groups = kernel.build().groups;
  // No thread has the number of another one, those past the end included.
  EXPECT_LE(std::uint64_t{groups[0]} * groups[1] * 64, huge);
}

TEST(Declare, FieldsAreWhereTheListSays) {
  EXPECT_EQ(offsetof(TestArguments, parts), 0U);
  EXPECT_EQ(offsetof(TestArguments, factor), 16U);
  EXPECT_EQ(offsetof(TestArguments, strides), 20U);
  EXPECT_EQ(sizeof(TestArguments), 32U);
  EXPECT_EQ(TestConstants::number_of_local_size, 1U);
  EXPECT_EQ(TestConstants::number_of_kMasked, 2U);
}

TEST(Declare, TheOrderOfAssignmentsDoesNotMatter) {
  KernelBuilder kernel("test", "create/fill_bits");
  TestConstants constants;
  constants.kMasked = true;
  constants.local_size = 64;
  constants.kLanes = 4;
  kernel.add_constants(constants);
  TestArguments arguments;
  arguments.strides = {7, 8, 9};
  arguments.factor = 0.5F;
  arguments.parts[1].step = -1;
  arguments.parts[0].size = 5;
  kernel.add_arguments(arguments);
  const runtime::Kernel built = kernel.build();
  EXPECT_EQ(constants_of(built), (std::vector<std::uint32_t>{4, 64, 1}));
  EXPECT_EQ(words_of(built), (std::vector<std::uint32_t>{5, 0, 0, ~0U, 0x3F000000, 7, 8, 9}));
}

TEST(Declare, FieldsThatAreNotAssignedAreZero) {
  runtime::Kernel kernel;
  set_constants(kernel, TestConstants{});
  set_arguments(kernel, TestArguments{});
  set_constants(kernel, TestConstants{});
  EXPECT_EQ(constants_of(kernel), std::vector<std::uint32_t>(3));
  EXPECT_EQ(words_of(kernel), std::vector<std::uint32_t>(8));
}

TEST(Declare, ValuesAreCopiedToTheFirstElements) {
  TestArguments arguments;
  arguments.strides.fill(1);
  assign_words(arguments.strides, std::vector<std::int64_t>{6, -1});
  EXPECT_EQ(arguments.strides, (std::array<std::uint32_t, 3>{6, ~0U, 1}));
}

TEST(KernelBuilder, BlocksThatDoNotFitIntoPushConstantsHaveAllDims) {
  const auto words_for = [](std::size_t before) {
    KernelBuilder kernel("test", "create/fill_bits");
    kernel.add_operand(nullptr, 4, runtime::Access::kWrite);
    for (std::size_t i = 0; i < before; ++i) kernel.add_word(1);
    kernel.add_dims({2, 3}, {{3, 1}});
    return words_of(kernel.build());
  };
  EXPECT_EQ(words_for(0), (std::vector<std::uint32_t>{2, 3, 3, 1}));
  EXPECT_EQ(words_for(26).size(), 30U);  // 8 bytes of slots and 120 of words
  EXPECT_EQ(words_for(27).size(), 27 + 2 * kMaxRank);
}

}  // namespace
}  // namespace aclvk::ops
