#include "ops/executor/call_arguments.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_numbers.hpp"
#include "ops/tensor/tensor_slots.hpp"

namespace aclvk::ops {
namespace {

Tensor tensor_at(std::uintptr_t address, std::int64_t count = 4) {
  Tensor tensor;
  tensor.shape = {count};
  tensor.strides = {1};
  tensor.data = reinterpret_cast<void*>(address);
  tensor.handle = tensor_handles().insert(std::make_shared<Tensor>(tensor));
  return tensor;
}

/// The tensors of a call, as its arguments and by their numbers.
class TensorsOfCall {
 public:
  void add(const char* name, const void* handle, bool is_const) {
    arguments_.add_tensor(name, handle, !is_const);
    numbers_.add_tensor(name, handle, is_const);
  }
  void add_list(const char* name, const void* handle) {
    arguments_.add_tensor_list(name, handle, false);
    numbers_.add_list(name, handle, true);
  }

  const std::vector<CallArguments::Argument>& match(const TensorSlots& inputs, const TensorSlots& outputs,
                                                    const InlineVector<UpdatedSlots, 4>& updated = {}) {
    numbers_.match(inputs, outputs, updated);
    arguments_.match(numbers_, inputs, outputs);
    return arguments_.all();
  }

 private:
  CallArguments arguments_;
  TensorNumbers numbers_;
};

TEST(CallArguments, ValuesAreJson) {
  CallArguments arguments;
  arguments.add_int("dim", -1);
  arguments.add_float("eps", 0.5);
  arguments.add_float("limit", -INFINITY);
  arguments.add_bool("keep", true);
  arguments.add_string("mode", "a \"word\"");
  arguments.add_string("none", nullptr);
  arguments.add_dtype("dtype", 27);
  const char* expected[] = {"-1", "0.5", "\"-inf\"", "true", R"("a \"word\"")", "null", "\"BF16\""};
  ASSERT_EQ(arguments.all().size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(arguments.all()[i].value, expected[i]);
}

TEST(CallArguments, ScalarsAndArraysHaveTheirValues) {
  const float complex[] = {1, NAN};
  const void* scalar = scalar_handles().insert(std::make_shared<Scalar>(complex, DType::kComplex64));
  const void* list = scalar_list_handles().insert(std::make_shared<ScalarList>(ScalarList{{scalar, nullptr}}));
  CallArguments arguments;
  arguments.add_scalar({static_cast<const aclScalar*>(scalar), "value"});
  arguments.add_scalar_list({static_cast<const aclScalarList*>(list), "values"});
  arguments.add_int_array(
      {static_cast<const aclIntArray*>(int_array_handles().insert(std::make_shared<IntArray>(IntArray{1, -2}))),
       "sizes"});
  arguments.add_float_array(
      {static_cast<const aclFloatArray*>(float_array_handles().insert(std::make_shared<FloatArray>(FloatArray{0.5F}))),
       "scales"});
  arguments.add_bool_array(
      {static_cast<const aclBoolArray*>(bool_array_handles().insert(std::make_shared<BoolArray>(BoolArray{1, 0}))),
       "mask"});
  arguments.add_scalar({nullptr, "optional"});
  EXPECT_EQ(arguments.all()[0].value, R"({"dtype":"COMPLEX64","value":[1.0,"nan"]})");
  EXPECT_EQ(arguments.all()[1].value, R"([{"dtype":"COMPLEX64","value":[1.0,"nan"]},null])");
  EXPECT_EQ(arguments.all()[2].value, "[1,-2]");
  EXPECT_EQ(arguments.all()[3].value, "[0.5]");
  EXPECT_EQ(arguments.all()[4].value, "[true,false]");
  EXPECT_EQ(arguments.all()[5].value, "null");
}

TEST(CallArguments, TensorsFindTheirParameters) {
  const Tensor x = tensor_at(0x1000), y = tensor_at(0x2000), out = tensor_at(0x3000);
  TensorsOfCall call;
  call.add("self", x.handle, true);
  call.add("optional", nullptr, true);
  call.add("other", y.handle, true);
  call.add("out", out.handle, false);
  const auto& arguments = call.match({&x, &y}, {&out});
  EXPECT_EQ(arguments[0].input, 0U);
  EXPECT_FALSE(arguments[1].input || arguments[1].output);
  EXPECT_EQ(arguments[2].input, 1U);
  EXPECT_FALSE(arguments[2].output);
  EXPECT_EQ(arguments[3].output, 0U);
  EXPECT_FALSE(arguments[3].input);
}

TEST(CallArguments, WhatIsUpdatedIsReadAndWrittenWhateverItsConst) {
  const Tensor x = tensor_at(0x1000), y = tensor_at(0x2000);
  for (const bool is_const : {false, true}) {
    for (const char* name : {"selfRef", "varRef", "query"}) {
      TensorsOfCall call;
      call.add(name, x.handle, is_const);
      call.add("other", y.handle, true);
      const auto& arguments = call.match({&x, &y}, {&x}, {{0, 0}});
      EXPECT_EQ(arguments[0].input, 0U);
      EXPECT_EQ(arguments[0].output, 0U);
    }
  }
}

TEST(CallArguments, AConstOutputIsFound) {
  const Tensor x = tensor_at(0x1000), out = tensor_at(0x3000);
  TensorsOfCall call;
  call.add("self", x.handle, true);
  call.add("out", out.handle, true);
  const auto& arguments = call.match({&x}, {&out});
  EXPECT_EQ(arguments[1].output, 0U);
  EXPECT_FALSE(arguments[1].input);
}

TEST(CallArguments, ListsFindTheirParameterAsAWhole) {
  const Tensor x = tensor_at(0x1000), y = tensor_at(0x2000);
  const Tensor both[] = {x, y};
  TensorSlots inputs{&x};
  inputs.add(both, both + 2);
  TensorsOfCall call;
  const TensorList list{{x.handle, y.handle}};
  call.add("self", x.handle, true);
  call.add_list("tensors", tensor_list_handles().insert(std::make_shared<TensorList>(list)));
  const auto& arguments = call.match(inputs, {});
  EXPECT_EQ(arguments[1].tensors.size(), 2U);
  EXPECT_EQ(arguments[1].input, 1U);
}

}  // namespace
}  // namespace aclvk::ops
