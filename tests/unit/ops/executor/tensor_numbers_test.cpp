#include "ops/executor/tensor_numbers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

using Count = TensorNumbers::Count;

/// A tensor of a program.
Tensor tensor() {
  auto made = std::make_shared<Tensor>();
  made->handle = tensor_handles().insert(made);
  return *made;
}

std::string name_of(const TensorNumbers& numbers, Count count, std::size_t number) {
  const TensorNumbers::Parameter* const parameter = numbers.parameter(count, number);
  return parameter ? parameter->name : "none";
}

TEST(TensorNumbers, FollowTheSignatureWhateverTheOrderOfTheSlots) {
  const Tensor self = tensor(), src = tensor();
  TensorNumbers numbers;
  numbers.add_tensor("selfRef", self.handle, false);
  numbers.add_tensor("src", src.handle, true);
  numbers.match({&src}, {&self}, {});
  EXPECT_EQ(name_of(numbers, Count::kAll, 0), "selfRef");
  EXPECT_EQ(name_of(numbers, Count::kAll, 1), "src");
  EXPECT_EQ(name_of(numbers, Count::kAll, 2), "selfRef");
  EXPECT_EQ(name_of(numbers, Count::kAll, 3), "none");
  EXPECT_EQ(name_of(numbers, Count::kInputs, 0), "selfRef");
  EXPECT_EQ(name_of(numbers, Count::kInputs, 1), "src");
  EXPECT_EQ(name_of(numbers, Count::kOutputs, 0), "selfRef");
  EXPECT_EQ(name_of(numbers, Count::kOutputs, 1), "none");
  EXPECT_EQ(numbers.parameter(Count::kAll, 0)->output, 0);
  EXPECT_EQ(numbers.parameter(Count::kAll, 0)->input, TensorNumbers::kNone);
  EXPECT_EQ(numbers.parameter(Count::kAll, 1)->input, 0);
  EXPECT_STREQ(numbers.name_of_slot(true, 0), "selfRef");
}

TEST(TensorNumbers, WhatWasLeftOutKeepsItsNumber) {
  const Tensor x = tensor(), scale = tensor(), y = tensor();
  TensorNumbers numbers;
  numbers.add_tensor("x", x.handle, true);
  numbers.add_tensor("offset", nullptr, true);
  numbers.add_tensor("scale", scale.handle, true);
  numbers.add_tensor("meanOut", nullptr, true);  // a result, though it is const
  numbers.add_tensor("yOut", y.handle, true);
  TensorSlots inputs{&x, &scale};
  numbers.match(inputs, {&y}, {});
  EXPECT_EQ(numbers.parameter(Count::kInputs, 1)->members, 0U);
  EXPECT_EQ(name_of(numbers, Count::kInputs, 2), "scale");
  EXPECT_EQ(name_of(numbers, Count::kInputs, 3), "none");
  EXPECT_EQ(name_of(numbers, Count::kOutputs, 0), "meanOut");
  EXPECT_EQ(name_of(numbers, Count::kOutputs, 1), "yOut");
  EXPECT_EQ(numbers.parameter(Count::kOutputs, 1)->output, 0);
}

TEST(TensorNumbers, OneTensorMayBeTwoParameters) {
  const Tensor x = tensor(), out = tensor();
  TensorNumbers numbers;
  numbers.add_tensor("self", x.handle, true);
  numbers.add_tensor("other", x.handle, true);
  numbers.add_tensor("out", out.handle, false);
  numbers.match({&x, &x}, {&out}, {});
  EXPECT_EQ(numbers.parameter(Count::kAll, 0)->input, 0);
  EXPECT_EQ(numbers.parameter(Count::kAll, 1)->input, 1);
  EXPECT_FALSE(numbers.parameter(Count::kAll, 2)->is_updated);
}

TEST(TensorNumbers, WhatIsUpdatedHasBothSlots) {
  const Tensor self = tensor(), noise = tensor();
  TensorNumbers numbers;
  numbers.add_tensor("self", self.handle, true);
  numbers.add_tensor("noise", noise.handle, true);
  numbers.match({&noise, &self}, {&self}, {{1, 0}});
  EXPECT_EQ(numbers.parameter(Count::kAll, 0)->input, 1);
  EXPECT_EQ(numbers.parameter(Count::kAll, 0)->output, 0);
  EXPECT_EQ(name_of(numbers, Count::kAll, 2), "self");
}

TEST(TensorNumbers, MembersOfListsCountOneByOne) {
  const Tensor first = tensor(), second = tensor(), out = tensor();
  const void* const list =
      tensor_list_handles().insert(std::make_shared<TensorList>(TensorList{{first.handle, second.handle}}));
  TensorNumbers numbers;
  numbers.add_list("tensors", list, true);
  numbers.add_tensor("out", out.handle, false);
  TensorSlots inputs;
  const Tensor members[] = {first, second};
  inputs.add(members, members + 2);
  numbers.match(inputs, {&out}, {});
  const TensorNumbers::Member last = numbers.member(Count::kAll, 1);
  EXPECT_STREQ(last.parameter->name, "tensors");
  EXPECT_EQ(last.index, 1U);
  EXPECT_STREQ(numbers.member(Count::kAll, 2).parameter->name, "out");
  EXPECT_EQ(numbers.member(Count::kAll, 3).parameter, nullptr);
  EXPECT_EQ(name_of(numbers, Count::kAll, 1), "out");
}

}  // namespace
}  // namespace aclvk::ops
