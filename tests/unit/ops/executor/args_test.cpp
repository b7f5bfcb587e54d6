#include "ops/executor/args.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "ops/args/elementwise.hpp"

namespace aclvk::ops {
namespace {

// A kind of parameter is not accepted in place of another.
static_assert(!std::is_convertible_v<OutputArg, InputArg>);
static_assert(!std::is_convertible_v<InputArg, OutputArg>);
static_assert(!std::is_convertible_v<UpdatedArg, InputArg>);
static_assert(!std::is_convertible_v<InputListArg, InputArg>);
static_assert(!std::is_convertible_v<ScalarArg, IntArrayArg>);

/// A handle; it is not looked up.
aclTensor* tensor_at(std::uintptr_t address) { return reinterpret_cast<aclTensor*>(address); }

TEST(Args, ATensorKnowsHowTheHeaderDeclaresIt) {
  const aclTensor* const read = tensor_at(0x10);
  EXPECT_TRUE(InputArg(read, "self").is_const);
  EXPECT_FALSE(OutputArg(tensor_at(0x20), "out").is_const);
  EXPECT_TRUE(OutputArg(read, "attentionOut").is_const);
}

TEST(Args, AnUpdatedTensorIsReadAndWrittenUnderItsName) {
  const UpdatedArg arg(tensor_at(0x10), "selfRef");
  EXPECT_EQ(arg.read().handle, arg.handle);
  EXPECT_EQ(arg.written().handle, arg.handle);
  EXPECT_STREQ(arg.read().name, "selfRef");
  EXPECT_STREQ(arg.written().name, "selfRef");
  EXPECT_FALSE(arg.read().is_const);
}

TEST(Args, AnotherNameIsForErrorsOnly) {
  const OutputArg arg = renamed(OutputArg(tensor_at(0x10), "outRef"), "out");
  EXPECT_STREQ(arg.name, "out");
  EXPECT_EQ(arg.handle, tensor_at(0x10));
}

TEST(Args, WithoutAHandleOneIsFalse) {
  EXPECT_FALSE(InputArg());
  EXPECT_FALSE(ScalarArg(nullptr, "alpha"));
  EXPECT_TRUE(InputArg(tensor_at(0x10), "self"));
}

TEST(Args, AStructVisitsItsMembersInTheOrderOfTheParameters) {
  const AddArgs args{
      {tensor_at(0x10), "self"}, {tensor_at(0x20), "other"}, {nullptr, "alpha"}, {tensor_at(0x30), "out"}};
  std::vector<std::string> names;
  args.for_each([&](const auto& arg) { names.emplace_back(arg.name); });
  EXPECT_EQ(names, (std::vector<std::string>{"self", "other", "alpha", "out"}));
  EXPECT_STREQ(AddArgs::kOperator, "aclnnAdd");
}

}  // namespace
}  // namespace aclvk::ops
