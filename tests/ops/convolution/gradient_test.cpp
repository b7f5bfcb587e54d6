#include "aclnnop/aclnn_convolution_backward.h"
#include "ops/convolution/convolution_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// How the tensors of a case lie in memory.
struct Views {
  View gradient{};
  View input{};
  View weight{};
  View input_out{};
  View weight_out{};
};

class ConvolutionGradient : public OpTest {
 protected:
  static void expect_sums(const OpTensor& out, const std::vector<std::byte>& bytes, const std::vector<Real>& sums,
                          bool wanted) {
    EXPECT_TRUE(out.only_elements_changed(bytes));
    expect_elements(
        out, bytes,
        [&](std::int64_t i) { return wanted ? held(sums[static_cast<std::size_t>(i)], out.type()) : out.before(i); },
        true);
  }

  static void check(const ConvolutionCase& c, aclDataType type, unsigned mask = 7, const Views& views = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", mask " << mask << (c.transposed ? ", transposed" : ""));
    OpTensor gradient(type, c.output(), views.gradient);
    OpTensor input(type, c.input, views.input);
    OpTensor weight(type, c.weight, views.weight);
    for (OpTensor* tensor : {&gradient, &input, &weight}) {
      fill_eighths(*tensor, 3 + static_cast<unsigned>(tensor->count()));
    }
    const OpTensor dx(type, c.input, views.input_out);
    if ((mask & 1U) == 0) dx.also(dx.get());  // its format is not looked at
    const OpTensor dw(type, c.weight, views.weight_out);
    const OpTensor db(type, {c.results()});
    const OpInts sizes({c.results()});
    const OpInts stride(c.stride);
    const OpInts padding(c.pads());
    const OpInts dilation(c.dilation);
    const OpInts output_padding(c.transposed ? c.output_padding : Shape(c.dims(), 0));
    const OpMask wanted(mask);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnConvolutionBackwardGetWorkspaceSize(
              gradient.get(), input.get(), weight.get(), sizes.get(), stride.get(), padding.get(), dilation.get(),
              c.transposed, output_padding.get(), static_cast<int>(c.groups), wanted.get(), 0, dx.get(),
              wanted.has(1, dw), wanted.has(2, db), n, e);
        },
        aclnnConvolutionBackward, {&gradient, &input, &weight, &dw, &db}, dx);
    const ConvolutionGradients expected = exact_gradients(c, gradient, input, weight);
    expect_sums(dx, bytes, expected.input, (mask & 1U) != 0);
    expect_sums(dw, dw.download(), expected.weight, (mask & 2U) != 0);
    expect_sums(db, db.download(), expected.bias, (mask & 4U) != 0);
  }
};

TEST_F(ConvolutionGradient, WhateverIsWanted) {
  for (unsigned mask = 0; mask < 8; ++mask) {
    check({{2, 3, 9, 11}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, ACL_FLOAT, mask);
    check({{2, 3, 5, 7}, {3, 4, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, true, {1, 0}}, ACL_FLOAT, mask);
  }
}

TEST_F(ConvolutionGradient, OverTwoDims) {
  for (const aclDataType type : kFloats) {
    check({{2, 3, 9, 11}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, type);
    check({{2, 3, 11, 13}, {4, 3, 3, 2}, {2, 3}, {0, 1}, {1, 2}}, type);
  }
  check({{1, 8, 8, 8}, {16, 8, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, ACL_FLOAT);
  check({{2, 16, 5, 8}, {24, 16, 1, 1}, {1, 1}, {0, 0}, {1, 1}}, ACL_FLOAT);
  check({{2, 7, 9, 10}, {5, 7, 1, 1}, {2, 3}, {0, 0}, {1, 1}}, ACL_FLOAT);
}

TEST_F(ConvolutionGradient, OverOneDimAndOverThree) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    check({{3, 3, 17}, {5, 3, 4}, {2}, {3}, {2}}, type);
    check({{2, 2, 5, 6, 7}, {3, 2, 2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}}, type);
  }
}

TEST_F(ConvolutionGradient, OfGroups) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    check({{2, 6, 7, 9}, {9, 2, 3, 3}, {1, 2}, {1, 1}, {1, 1}, 3}, type);
    check({{2, 5, 9, 8}, {5, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 5}, type);
    check({{2, 6, 7, 9}, {6, 3, 3, 3}, {2, 1}, {1, 0}, {1, 1}, 2, true, {1, 0}}, type);
  }
  check({{2, 3, 9, 8}, {6, 1, 3, 2}, {2, 1}, {1, 0}, {2, 3}, 3}, ACL_FLOAT);
  check({{1, 4, 4, 5, 6}, {4, 2, 2, 2, 2}, {1, 1, 1}, {0, 1, 0}, {1, 1, 1}, 2}, ACL_FLOAT);
}

TEST_F(ConvolutionGradient, OfTransposedOnes) {
  for (const aclDataType type : kFloats) {
    check({{2, 3, 5, 7}, {3, 4, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, true, {1, 0}}, type);
  }
  check({{2, 3, 7}, {3, 4, 5}, {3}, {2}, {2}, 1, true, {1}}, ACL_FLOAT);
  check({{2, 2, 3, 4, 3}, {2, 3, 2, 3, 2}, {2, 1, 3}, {0, 1, 1}, {1, 2, 1}, 1, true, {1, 1, 2}}, ACL_FLOAT);
  check({{2, 3, 4, 5}, {3, 4, 2, 1}, {3, 2}, {0, 0}, {1, 1}, 1, true, {2, 1}}, ACL_FLOAT);
}

TEST_F(ConvolutionGradient, WithPaddingOfEachSide) {
  ConvolutionCase c{{2, 4, 5, 8}, {6, 2, 4, 2}, {2, 2}, {1, 0}, {1, 1}, 2};
  c.padding_after = {2, 1};
  check(c, ACL_FLOAT);
  ConvolutionCase line{{2, 4, 9}, {6, 4, 4}, {1}, {1}, {1}};
  line.padding_after = {2};
  check(line, ACL_FLOAT16);
}

TEST_F(ConvolutionGradient, OfViews) {
  const ConvolutionCase c{{2, 3, 6, 8}, {4, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}};
  Views views;
  views.gradient = {{192, 1, 32, 4}, 3};  // channels last
  views.input = {{144, 1, 24, 3}, 2};
  views.weight = {{36, 1, 12, 4}, 1};
  views.input_out = {{600, 200, 16, 2}, 1};
  views.weight_out = {{27, 1, 9, 3}, 2};
  check(c, ACL_FLOAT, 7, views);
  check(c, ACL_FLOAT16, 7, views);
  Views repeated;
  repeated.gradient = {{0, 48, 8, 1}, 0};
  repeated.weight_out = {{100, 30, 10, 3}, 2};
  check(c, ACL_FLOAT, 7, repeated);
}

TEST_F(ConvolutionGradient, IsMadeInPartsWhenItIsLarge) {
  // More than 4 MiB of columns: some images, or some rows of one, at a time.
  check({{1, 19, 70, 67}, {8, 19, 5, 3}, {1, 1}, {2, 1}, {1, 1}}, ACL_FLOAT);
  check({{19, 16, 33, 32}, {3, 16, 3, 3}, {1, 1}, {0, 0}, {1, 1}}, ACL_FLOAT);
  check({{11, 5, 70001}, {3, 5, 1}, {1}, {0}, {1}}, ACL_FLOAT, 2);
}

TEST_F(ConvolutionGradient, OfAnEmptyBatchIsZero) {
  check({{0, 3, 6, 8}, {4, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, ACL_FLOAT);
  check({{0, 3, 6, 8}, {3, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, true, {0, 0}}, ACL_FLOAT);
}

/// (time, batch, channel) as (batch, channel, time), and a weight of (time, C, Cout) as (Cout, C, time).
TEST_F(ConvolutionGradient, TbcMovesOverTime) {
  for (const aclDataType type : kFloats) {
    OpTensor gradient(type, {12, 2, 5});
    OpTensor input(type, {11, 2, 3});
    OpTensor weight(type, {4, 3, 5});
    const OpTensor bias(type, {5});
    for (OpTensor* tensor : {&gradient, &input, &weight}) fill_eighths(*tensor, 9);
    const OpTensor dx(type, {11, 2, 3});
    const OpTensor dw(type, {4, 3, 5});
    const OpTensor db(type, {5});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnConvTbcBackwardGetWorkspaceSize(gradient.get(), input.get(), weight.get(), bias.get(), 2, 0,
                                                      dx.get(), dw.get(), db.get(), n, e);
        },
        aclnnConvTbcBackward, {&gradient, &input, &weight, &bias, &dw, &db}, dx);
    std::vector<Real> inputs(66);
    std::vector<Real> weights(60);
    std::vector<Real> sums(5);
    for (std::int64_t i = 0; i < gradient.count(); ++i) {
      const Shape at = coordinates_of(i, {12, 2, 5});
      const Real g = gradient.before(i).real();
      sums[static_cast<std::size_t>(at[2])] += g;
      for (std::int64_t tap = 0; tap < 4; ++tap) {
        const std::int64_t time = at[0] - 2 + tap;
        for (std::int64_t channel = 0; time >= 0 && time < 11 && channel < 3; ++channel) {
          const std::int64_t x = element_at({time, at[1], channel}, {11, 2, 3});
          const std::int64_t w = element_at({tap, channel, at[2]}, {4, 3, 5});
          inputs[static_cast<std::size_t>(x)] += g * weight.before(w).real();
          weights[static_cast<std::size_t>(w)] += g * input.before(x).real();
        }
      }
    }
    expect_sums(dx, bytes, inputs, true);
    expect_sums(dw, dw.download(), weights, true);
    expect_sums(db, db.download(), sums, true);
  }
}

TEST_F(ConvolutionGradient, IsRefusedWhereTensorsDoNotFit) {
  const OpTensor gradient(ACL_FLOAT, {2, 6, 9, 9});
  const OpTensor input(ACL_FLOAT, {2, 4, 9, 9});
  const OpTensor weight(ACL_FLOAT, {6, 4, 3, 3});
  const OpTensor dx(ACL_FLOAT, {2, 4, 9, 9});
  const OpTensor dw(ACL_FLOAT, {6, 4, 3, 3});
  const OpTensor db(ACL_FLOAT, {6});
  const OpTensor integers(ACL_INT32, {2, 6, 9, 9});
  const OpInts one({1});
  const OpInts two({2, 2});
  const OpInts zero({0});
  const OpInts six({6});
  const OpMask all(7);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* dy, const OpInts& sizes, auto* padding, int groups, auto* mask, auto* input_out,
                        auto* weight_out, auto* bias_out) {
    return aclnnConvolutionBackwardGetWorkspaceSize(dy, input.get(), weight.get(), sizes.get(), one.get(), padding,
                                                    one.get(), false, zero.get(), groups, mask, 0, input_out,
                                                    weight_out, bias_out, &n, &e);
  };
  aclTensor* none = nullptr;
  aclIntArray* no_array = nullptr;
  aclBoolArray* no_mask = nullptr;
  EXPECT_EQ(plan(none, six, one.get(), 1, all.get(), dx.get(), dw.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), six, no_array, 1, all.get(), dx.get(), dw.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 1, no_mask, dx.get(), dw.get(), db.get()), 161001);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 1, all.get(), dx.get(), none, db.get()), 161001);
  EXPECT_EQ(plan(integers.get(), six, one.get(), 1, all.get(), dx.get(), dw.get(), db.get()), 161002);
  EXPECT_EQ(plan(input.get(), six, one.get(), 1, all.get(), dx.get(), dw.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), six, two.get(), 1, all.get(), dx.get(), dw.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 2, all.get(), dx.get(), dw.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), two, one.get(), 1, all.get(), dx.get(), dw.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 1, all.get(), dw.get(), dw.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 1, all.get(), dx.get(), dx.get(), db.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 1, all.get(), dx.get(), dw.get(), dx.get()), 161002);
  EXPECT_EQ(plan(gradient.get(), six, one.get(), 1, all.get(), input.get(), dw.get(), db.get()), 161002)
      << "the gradient shares memory with the input";
}

}  // namespace
}  // namespace aclvk::test
