#include <cstring>

#include "aclnnop/aclnn_quant_convolution.h"
#include "ops/convolution/convolution_reference.hpp"

namespace aclvk::test {
namespace {

struct QuantCase {
  ConvolutionCase convolution;
  aclDataType scale = ACL_UINT64;
  aclDataType bias = ACL_INT32;
  bool has_bias = true;
  bool one_scale = false;
  std::int32_t padding = 0;
};

class QuantConvolution : public OpTest {
 protected:
  /// Scales, as floats in the lower half of 64 bits or as numbers.
  static Real scale_at(std::int64_t channel) { return Real(channel % 3 + 1) / 64; }
  static void fill_scales(OpTensor& scale) {
    const bool words = scale.type() == ACL_UINT64 || scale.type() == ACL_INT64;
    scale.fill([&](std::int64_t i) {
      const auto number = static_cast<float>(scale_at(i));
      std::uint32_t bits = 0;
      std::memcpy(&bits, &number, sizeof(bits));
      return words ? Real(bits) : Real(number);
    });
  }

  static void check(const QuantCase& q, aclDataType type, const View& view = {}) {
    const ConvolutionCase& c = q.convolution;
    SCOPED_TRACE(testing::Message() << "dtypes " << type << ", " << q.scale << ", " << q.bias);
    OpTensor input(ACL_INT8, c.input, view);
    OpTensor weight(ACL_INT8, c.weight);
    OpTensor bias(q.bias, {c.results()});
    OpTensor scale(q.scale, {q.one_scale ? 1 : c.results()});
    input.fill([](std::int64_t i) { return Real(i * 37 % 255 - 127); });
    weight.fill([](std::int64_t i) { return Real(i * 11 % 251 - 125); });
    bias.fill([](std::int64_t i) { return Real(i * 5 % 7 - 3) * 2; });
    fill_scales(scale);
    const OpTensor output(type, c.output());
    const OpInts stride(c.stride);
    const OpInts padding(c.padding);
    const OpInts dilation(c.dilation);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantConvolutionGetWorkspaceSize(
              input.get(), weight.get(), q.has_bias ? bias.get() : nullptr, scale.get(), nullptr, stride.get(),
              padding.get(), dilation.get(), false, nullptr, c.groups, q.padding, "rint", output.get(), n, e);
        },
        aclnnQuantConvolution, {&input, &weight, &bias, &scale}, output);
    // Padding by hand: the reference pads with zeros.
    ConvolutionCase padded = c;
    for (std::size_t i = 0; i < c.dims(); ++i) padded.input[2 + i] += 2 * c.padding[i];
    padded.padding = Shape(c.dims(), 0);
    OpTensor image(ACL_INT8, padded.input);
    image.fill([&](std::int64_t i) -> Number {
      Shape at = coordinates_of(i, padded.input);
      for (std::size_t k = 0; k < c.dims(); ++k) {
        at[2 + k] -= c.padding[k];
        if (at[2 + k] < 0 || at[2 + k] >= c.input[2 + k]) return Real(q.padding);
      }
      return input.before(element_at(at, c.input));
    });
    const auto sums = exact_convolution(padded, image, weight, nullptr);
    const std::int64_t plane = count_of(spatial_dims(output.shape()));
    expect_elements(
        output, bytes,
        [&](std::int64_t i) {
          const std::int64_t channel = i / plane % c.results();
          Real sum = sums[static_cast<std::size_t>(i)];
          const Real more = q.has_bias ? bias.before(channel).real() : 0;
          if (q.bias == ACL_INT32) sum += more;
          const Real scaled = sum * scale_at(q.one_scale ? 0 : channel);
          return rounded(q.bias == ACL_INT32 ? scaled : scaled + more, type);
        },
        false);
  }
};

TEST_F(QuantConvolution, SumsInIntegersAndScalesOnce) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    check({{{2, 3, 9, 11}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}}, type);
  }
  check({{{1, 64, 6, 6}, {16, 64, 3, 3}, {2, 1}, {1, 0}, {1, 2}}, ACL_INT64}, ACL_FLOAT16);
  check({{{1, 16, 5, 8}, {24, 16, 1, 1}, {1, 1}, {0, 0}, {1, 1}}, ACL_FLOAT}, ACL_FLOAT16);
  check({{{1, 8, 7, 7}, {8, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 8}}, ACL_FLOAT16);
  check({{{2, 4, 7, 7}, {6, 2, 2, 3}, {1, 1}, {0, 1}, {1, 1}, 2}, ACL_FLOAT, ACL_FLOAT}, ACL_FLOAT);
  check({{{1, 2, 4, 5, 6}, {3, 2, 2, 2, 2}, {1, 1, 1}, {0, 1, 0}, {1, 1, 1}}}, ACL_FLOAT16);
}

TEST_F(QuantConvolution, TakesOneScaleAndNoBias) {
  QuantCase q{{{2, 3, 9, 11}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}};
  q.has_bias = false;
  q.one_scale = true;
  check(q, ACL_FLOAT16);
  check(q, ACL_FLOAT16, {{1, 230, 2, 20}, 3});
}

TEST_F(QuantConvolution, PadsWithTheOffset) {
  QuantCase q{{{1, 3, 6, 5}, {4, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}};
  q.padding = -7;
  check(q, ACL_FLOAT16);
}

TEST_F(QuantConvolution, RefusesOthers) {
  const OpTensor input(ACL_INT8, {1, 3, 6, 5});
  const OpTensor weight(ACL_INT8, {4, 3, 3, 3});
  const OpTensor scale(ACL_FLOAT, {4});
  const OpTensor wrong(ACL_FLOAT, {3});
  const OpTensor output(ACL_FLOAT16, {1, 4, 4, 3});
  const OpTensor whole(ACL_INT8, {1, 4, 4, 3});
  const OpInts one({1, 1});
  const OpInts zero({0, 0});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* x, const aclTensor* factor, const aclTensor* offset, bool transposed,
                        std::int32_t padding, const char* mode, aclTensor* to) {
    return aclnnQuantConvolutionGetWorkspaceSize(x, weight.get(), nullptr, factor, offset, one.get(), zero.get(),
                                                 one.get(), transposed, nullptr, 1, padding, mode, to, &size,
                                                 &executor);
  };
  EXPECT_EQ(plan(nullptr, scale.get(), nullptr, false, 0, nullptr, output.get()), 161001);
  EXPECT_EQ(plan(input.get(), nullptr, nullptr, false, 0, nullptr, output.get()), 161001);
  EXPECT_EQ(plan(input.get(), scale.get(), nullptr, false, 0, nullptr, nullptr), 161001);
  EXPECT_EQ(plan(output.get(), scale.get(), nullptr, false, 0, nullptr, output.get()), 161002);
  EXPECT_EQ(plan(input.get(), wrong.get(), nullptr, false, 0, nullptr, output.get()), 161002);
  EXPECT_EQ(plan(input.get(), scale.get(), scale.get(), false, 0, nullptr, output.get()), 161002);
  EXPECT_EQ(plan(input.get(), scale.get(), nullptr, true, 0, nullptr, output.get()), 161002);
  EXPECT_EQ(plan(input.get(), scale.get(), nullptr, false, 128, nullptr, output.get()), 161002);
  EXPECT_EQ(plan(input.get(), scale.get(), nullptr, false, 0, "floor", output.get()), 161002);
  EXPECT_EQ(plan(input.get(), scale.get(), nullptr, false, 0, nullptr, whole.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(QuantConvolution, ReadsNoBlocksOfWeights) {
  const OpTensor input(ACL_INT8, {1, 3, 6, 5});
  const OpTensor plain(ACL_INT8, {4, 3, 3, 3});
  const OpTensor scale(ACL_FLOAT, {4});
  const OpTensor output(ACL_FLOAT16, {1, 4, 4, 3});
  const OpInts one({1, 1});
  const OpInts zero({0, 0});
  const Shape shape{4, 3, 3, 3};
  const Shape strides = OpTensor::row_major(shape);
  const std::int64_t storage = 9 * 16 * 32;
  aclTensor* blocks = aclCreateTensor(shape.data(), shape.size(), ACL_INT8, strides.data(), 0, ACL_FORMAT_FRACTAL_Z,
                                      &storage, 1, plain.memory());
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* weight) {
    return aclnnQuantConvolutionWeightNzGetWorkspaceSize(input.get(), weight, nullptr, scale.get(), nullptr, one.get(),
                                                         zero.get(), one.get(), false, nullptr, 1, 0, nullptr,
                                                         output.get(), &size, &executor);
  };
  EXPECT_EQ(plan(blocks), 207000);
  EXPECT_EQ(executor, nullptr);
  EXPECT_EQ(plan(plain.get()), 0);
  aclDestroyAclOpExecutor(executor);
  aclDestroyTensor(blocks);
}

}  // namespace
}  // namespace aclvk::test
