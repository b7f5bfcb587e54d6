#include "ops/executor/tensor_parameters.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

aclTensor* const kNull = nullptr;

/// The handle of a contiguous vector of five floats.
aclTensor* vector_at(std::uintptr_t address, DType dtype = DType::kFloat) {
  Tensor tensor;
  tensor.shape = {5};
  tensor.strides = {1};
  tensor.dtype = dtype;
  tensor.data = reinterpret_cast<void*>(address);
  return static_cast<aclTensor*>(tensor_handles().insert(std::make_shared<Tensor>(tensor)));
}

Code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kSuccess;
}

TEST(TensorParameters, ARequiredOneMayNotBeNullAnOptionalOneMay) {
  TensorParameters tensors;
  EXPECT_EQ(code_of([&] { tensors.input({kNull, "x"}); }), Code::kNnNullptr);
  EXPECT_EQ(code_of([&] { tensors.output({kNull, "y"}); }), Code::kNnNullptr);
  EXPECT_FALSE(tensors.has(tensors.optional_input({kNull, "bias"})));
  EXPECT_TRUE(tensors.has(tensors.optional_input({vector_at(0x1000), "bias"})));
}

TEST(TensorParameters, DtypesComeBeforeViews) {
  TensorParameters tensors;
  tensors.input({vector_at(0x1001), "x"});  // no multiple of four
  tensors.optional_output({kNull, "left out"});
  tensors.output({vector_at(0x2000, DType::kInt8), "y"});
  std::string sentence;
  try {
    tensors.check_all({DType::kFloat});
  } catch (const Error& error) {
    sentence = error.what();
  }
  EXPECT_NE(sentence.find("y has dtype"), std::string::npos) << sentence;
}

TEST(TensorParameters, AShapeIsCheckedUnlessTheTensorWasLeftOut) {
  TensorParameters tensors;
  const auto x = tensors.input({vector_at(0x1000), "x"});
  const auto bias = tensors.optional_input({kNull, "bias"});
  EXPECT_NO_THROW(tensors.check_shape(x, {5}, "expected is"));
  EXPECT_NO_THROW(tensors.check_shape(bias, {7}, "expected is"));
  EXPECT_EQ(code_of([&] { tensors.check_shape(x, {7}, "expected is"); }), Code::kNnInvalid);
}

TEST(TensorParameters, ARunSeesItsOwnAddresses) {
  TensorParameters tensors;
  const auto y = tensors.output({vector_at(0x3000), "y"});
  const auto bias = tensors.optional_input({kNull, "bias"});
  const auto x = tensors.input({vector_at(0x1000), "x"});
  Executor::Operands operands = tensors.operands();
  EXPECT_EQ(operands.inputs.size(), 2U);
  operands.inputs.set_address(operands.inputs.number_of(1, 0), reinterpret_cast<void*>(0x2000));
  const TensorParameters::BoundTensors bound(tensors, operands);
  EXPECT_EQ(bound[x]->data, reinterpret_cast<void*>(0x2000));
  EXPECT_EQ(bound[y]->data, reinterpret_cast<void*>(0x3000));
  EXPECT_EQ(bound[bias], nullptr);
}

TEST(TensorParameters, AnInputAndAnOutputOfOneNameAreOneParameter) {
  aclTensor* const handle = vector_at(0x1000);
  TensorParameters tensors;
  tensors.optional_input({kNull, "out"});
  tensors.input({vector_at(0x2000), "x"});
  tensors.input({handle, "selfRef"});
  tensors.output({handle, "out"});  // the same tensor is not enough
  tensors.output({handle, "selfRef"});
  const Executor::Operands operands = tensors.operands();
  ASSERT_EQ(operands.updated.size(), 1U);
  EXPECT_EQ(operands.updated[0].input, 2U);
  EXPECT_EQ(operands.updated[0].output, 1U);
}

TEST(TensorParameters, AnOutputIsDisjointFromInputsOrIsOneOfThem) {
  TensorParameters tensors;
  tensors.input({vector_at(0x1000), "x"});
  tensors.output({vector_at(0x1000), "y"});
  Executor::Operands operands = tensors.operands();
  const TensorParameters::BoundTensors bound(tensors, operands);
  EXPECT_NO_THROW(bound.check_memory());
  operands.outputs.set_address(0, reinterpret_cast<void*>(0x1004));
  EXPECT_EQ(code_of([&] { bound.check_memory(); }), Code::kNnInvalid);
}

}  // namespace
}  // namespace aclvk::ops
