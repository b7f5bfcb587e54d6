#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_trans_convolution_weight.h"
#include "ops/convolution/convolution_reference.hpp"

namespace aclvk::test {
namespace {

/// Weights in blocks of 16 results and 16 channels.
class ConvolutionWeight : public OpTest {
 protected:
  static std::int64_t blocks_in(std::int64_t size) { return (size + 15) / 16; }
  static Shape storage_shape(const Shape& weight) {
    return {blocks_in(weight[1]) * weight[2] * weight[3], blocks_in(weight[0]), 16, 16};
  }
  /// A handle of the weight's shape over memory with room for the blocks.
  static aclTensor* tensor_over(const OpTensor& storage, const Shape& weight, aclFormat format) {
    const Shape& dims = format == ACL_FORMAT_FRACTAL_Z ? storage.shape() : weight;
    aclTensor* const tensor = aclCreateTensor(weight.data(), weight.size(), storage.type(), nullptr, 0, format,
                                              dims.data(), dims.size(), storage.memory());
    storage.also(tensor);
    return tensor;
  }
  /// What is at a place of the storage.
  static Number at_place(const OpTensor& weight, const Shape& storage, std::int64_t place) {
    const Shape at = coordinates_of(place, storage);
    const Shape& shape = weight.shape();
    const std::int64_t window = shape[2] * shape[3];
    const Shape element{at[1] * 16 + at[2], at[0] / window * 16 + at[3], at[0] % window / shape[3], at[0] % shape[3]};
    const bool inside = element[0] < shape[0] && element[1] < shape[1];
    return inside ? weight.before(element_at(element, shape)) : 0;
  }
};

TEST_F(ConvolutionWeight, BecomesBlocks) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT}) {
    for (const Shape& shape : {Shape{20, 17, 3, 2}, Shape{16, 32, 1, 1}, Shape{5, 3, 2, 3}}) {
      OpTensor weight(type, shape);
      fill_eighths(weight, 3);
      const OpTensor storage(ACL_FLOAT16, storage_shape(shape));
      std::vector<aclTensor*> handles;
      const auto bytes = run(
          [&](auto* n, auto** e) {
            handles.push_back(tensor_over(storage, shape, ACL_FORMAT_NCHW));
            return aclnnTransConvolutionWeightGetWorkspaceSize(weight.get(), false, 1, handles.back(), n, e);
          },
          aclnnTransConvolutionWeight, {&weight}, storage);
      expect_elements(
          storage, bytes, [&](std::int64_t place) { return at_place(weight, storage.shape(), place); }, true);
      aclFormat format = ACL_FORMAT_ND;
      EXPECT_EQ(aclGetFormat(handles.front(), &format), 0);
      EXPECT_EQ(format, ACL_FORMAT_FRACTAL_Z);
      for (const aclTensor* handle : handles) aclDestroyTensor(handle);
    }
  }
}

TEST_F(ConvolutionWeight, IsThatOfAConvolution) {
  const ConvolutionCase c{{2, 17, 9, 11}, {20, 17, 3, 2}, {1, 2}, {1, 0}, {1, 1}};
  OpTensor input(ACL_FLOAT16, c.input);
  OpTensor weight(ACL_FLOAT16, c.weight);
  fill_eighths(input, 1);
  fill_eighths(weight, 2);
  OpTensor storage(ACL_FLOAT16, storage_shape(c.weight));
  storage.fill([&](std::int64_t place) { return at_place(weight, storage.shape(), place); });
  aclTensor* blocks = tensor_over(storage, c.weight, ACL_FORMAT_FRACTAL_Z);
  const OpTensor output(ACL_FLOAT16, c.output());
  const OpInts stride(c.stride);
  const OpInts padding(c.padding);
  const OpInts dilation(c.dilation);
  const OpInts none{0, 0};
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnConvolutionGetWorkspaceSize(input.get(), blocks, nullptr, stride.get(), padding.get(),
                                                dilation.get(), false, none.get(), 1, output.get(), 0, n, e);
      },
      aclnnConvolution, {&input, &storage}, output);
  const auto expected = exact_convolution(c, input, weight, nullptr);
  expect_elements(
      output, bytes, [&](std::int64_t i) { return held(expected[static_cast<std::size_t>(i)], ACL_FLOAT16); }, true);
  EXPECT_EQ(aclDestroyTensor(blocks), 0);
}

TEST_F(ConvolutionWeight, RefusesOthers) {
  const Shape shape{16, 16, 2, 2};
  const OpTensor weight(ACL_FLOAT16, shape);
  const OpTensor brains(ACL_BF16, shape);
  const OpTensor matrix(ACL_FLOAT16, {16, 16});
  const OpTensor out(ACL_FLOAT16, shape);
  const OpTensor floats(ACL_FLOAT, shape);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, bool transposed, int64_t groups, const OpTensor& to) {
    return aclnnTransConvolutionWeightGetWorkspaceSize(from, transposed, groups, const_cast<aclTensor*>(to.get()),
                                                       &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, false, 1, out), 161001);
  EXPECT_EQ(plan(brains.get(), false, 1, out), 161002);
  EXPECT_EQ(plan(matrix.get(), false, 1, matrix), 161002);
  EXPECT_EQ(plan(weight.get(), false, 1, matrix), 161002);
  EXPECT_EQ(plan(weight.get(), false, 1, floats), 161002);
  EXPECT_EQ(plan(weight.get(), true, 1, out), 207000);
  EXPECT_EQ(plan(weight.get(), false, 2, out), 207000);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
