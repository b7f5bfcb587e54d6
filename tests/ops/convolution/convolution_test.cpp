#include "aclnnop/aclnn_convolution.h"
#include "ops/convolution/convolution_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

/// How the tensors of a case lie in memory.
struct Views {
  View input{};
  View weight{};
  View output{};
};

class ConvolutionOp : public OpTest {
 protected:
  static void check(const ConvolutionCase& c, aclDataType type, bool has_bias = true, const Views& views = {},
                    bool exact = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << (c.transposed ? ", transposed" : ""));
    OpTensor input(type, c.input, views.input);
    OpTensor weight(type, c.weight, views.weight);
    OpTensor bias(type, {c.results()});
    for (OpTensor* tensor : {&input, &weight, &bias}) {
      exact ? fill_eighths(*tensor, 3 + static_cast<unsigned>(tensor->count())) : tensor->fill_random(5);
    }
    check(c, input, weight, has_bias ? &bias : nullptr, OpTensor(type, c.output(), views.output), exact);
  }

  static std::vector<std::byte> result_of(const ConvolutionCase& c, const OpTensor& input, const OpTensor& weight,
                                          const OpTensor* bias, const OpTensor& output) {
    const OpInts stride(c.stride);
    const OpInts padding(c.pads());
    const OpInts dilation(c.dilation);
    const OpInts output_padding(c.transposed ? c.output_padding : Shape(c.dims(), 0));
    std::vector<const OpTensor*> read{&input, &weight};
    if (bias) read.push_back(bias);
    return run(
        [&](auto* n, auto** e) {
          return aclnnConvolutionGetWorkspaceSize(input.get(), weight.get(), bias ? bias->get() : nullptr, stride.get(),
                                                  padding.get(), dilation.get(), c.transposed, output_padding.get(),
                                                  c.groups, output.get(), 0, n, e);
        },
        aclnnConvolution, read, output);
  }

  static void check(const ConvolutionCase& c, const OpTensor& input, const OpTensor& weight, const OpTensor* bias,
                    const OpTensor& output, bool exact) {
    const auto bytes = result_of(c, input, weight, bias, output);
    const auto expected = exact_convolution(c, input, weight, bias);
    expect_elements(
        output, bytes, [&](std::int64_t i) { return held(expected[static_cast<std::size_t>(i)], output.type()); },
        exact);
  }
};

TEST_F(ConvolutionOp, MovesOverTwoDims) {
  for (const aclDataType type : kFloats) {
    check({{2, 3, 9, 11}, {5, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, type);
  }
  check({{1, 8, 8, 8}, {16, 8, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, ACL_FLOAT, false);
  check({{1, 8, 8, 8}, {16, 8, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, ACL_FLOAT16);
  check({{2, 3, 11, 13}, {4, 3, 3, 2}, {2, 3}, {0, 1}, {1, 2}}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, MovesOverOneDimAndOverThree) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    check({{2, 3, 17}, {5, 3, 4}, {2}, {3}, {2}}, type);
    check({{1, 2, 5, 6, 7}, {3, 2, 2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}}, type);
  }
}

TEST_F(ConvolutionOp, WindowsMayBeWide) {
  check({{2, 2, 6, 40}, {3, 2, 1, 9}, {1, 1}, {0, 4}, {1, 1}}, ACL_FLOAT);
  check({{1, 2, 13, 43}, {3, 2, 11, 11}, {4, 4}, {2, 5}, {1, 1}}, ACL_FLOAT16);
  check({{1, 2, 7, 45}, {3, 2, 3, 3}, {1, 1}, {1, 20}, {1, 20}}, ACL_FLOAT);
  check({{1, 3, 16, 32}, {8, 3, 8, 8}, {8, 8}, {0, 0}, {1, 1}}, ACL_FLOAT);
  check({{1, 3, 131}, {8, 3, 50}, {7}, {10}, {1}}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, AWindowOfOneElementIsAProduct) {
  for (const aclDataType type : kFloats) check({{2, 16, 5, 8}, {24, 16, 1, 1}, {1, 1}, {0, 0}, {1, 1}}, type);
  check({{2, 7, 9, 10}, {5, 7, 1, 1}, {2, 3}, {0, 0}, {1, 1}}, ACL_FLOAT);
  check({{2, 7, 9, 10}, {5, 7, 1, 1}, {1, 1}, {1, 2}, {1, 1}}, ACL_FLOAT);
  check({{2, 8, 9, 10}, {6, 4, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 2}, ACL_FLOAT);
  check({{2, 8, 9, 10}, {8, 5, 1, 1}, {1, 1}, {0, 0}, {1, 1}, 1, true, {0, 0}}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, GroupsDoNotMeet) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    check({{2, 6, 7, 9}, {9, 2, 3, 3}, {1, 2}, {1, 1}, {1, 1}, 3}, type);
    check({{2, 6, 7, 9}, {6, 3, 3, 3}, {2, 1}, {1, 0}, {1, 1}, 2, true, {1, 0}}, type);
  }
  check({{1, 4, 4, 5, 6}, {4, 2, 2, 2, 2}, {1, 1, 1}, {0, 1, 0}, {1, 1, 1}, 2}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, AChannelMayBeAGroup) {
  for (const aclDataType type : kFloats) {
    check({{2, 5, 9, 8}, {5, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 5}, type);
    check({{2, 3, 9, 8}, {6, 1, 3, 2}, {2, 1}, {1, 0}, {2, 3}, 3}, type, false);
  }
  check({{2, 3, 9, 31}, {3, 1, 3, 9}, {1, 1}, {1, 4}, {1, 1}, 3}, ACL_FLOAT);
  check({{2, 3, 9, 50}, {3, 1, 3, 3}, {2, 8}, {1, 1}, {1, 1}, 3}, ACL_FLOAT);
  check({{2, 3, 7, 9}, {6, 1, 3, 3}, {2, 3}, {1, 1}, {1, 1}, 3}, ACL_FLOAT);
  check({{2, 3, 17}, {6, 1, 4}, {2}, {3}, {2}, 3}, ACL_FLOAT);
  check({{1, 3, 4, 5, 6}, {3, 1, 2, 3, 2}, {1, 2, 1}, {1, 0, 1}, {1, 1, 2}, 3}, ACL_FLOAT);
  check({{2, 3, 5, 4}, {3, 2, 3, 2}, {2, 3}, {1, 0}, {1, 2}, 3, true, {1, 2}}, ACL_FLOAT);
  check({{2, 1, 9, 8}, {16, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, TransposedItSpreadsTheInput) {
  for (const aclDataType type : kFloats) {
    check({{2, 3, 5, 7}, {3, 4, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, true, {1, 0}}, type);
    check({{1, 8, 4, 8}, {8, 8, 2, 2}, {2, 2}, {0, 0}, {1, 1}, 1, true, {0, 0}}, type, false);
  }
  check({{2, 3, 7}, {3, 4, 5}, {3}, {2}, {2}, 1, true, {1}}, ACL_FLOAT);
  check({{1, 2, 3, 4, 3}, {2, 3, 2, 3, 2}, {2, 1, 3}, {0, 1, 1}, {1, 2, 1}, 1, true, {1, 1, 2}}, ACL_FLOAT);
  check({{2, 3, 5, 7}, {3, 4, 1, 1}, {2, 3}, {0, 0}, {1, 1}, 1, true, {0, 0}}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, TransposedItsStepMayBeLargerThanTheWindow) {
  for (const bool has_bias : {false, true}) {
    check({{2, 3, 4, 5}, {3, 4, 2, 1}, {3, 2}, {0, 0}, {1, 1}, 1, true, {2, 1}}, ACL_FLOAT, has_bias);
    check({{1, 3, 4, 5}, {3, 1, 2, 2}, {4, 3}, {1, 0}, {2, 3}, 3, true, {1, 0}}, ACL_FLOAT, has_bias);
  }
}

TEST_F(ConvolutionOp, AWindowOfAChannelMayBeLarge) {
  const ConvolutionCase c{{1, 2, 258, 266}, {2, 1, 256, 260}, {1, 1}, {0, 0}, {1, 1}, 2};
  OpTensor input(ACL_FLOAT, c.input);
  OpTensor weight(ACL_FLOAT, c.weight);
  for (OpTensor* ones : {&input, &weight}) ones->fill([](std::int64_t) { return Real(1); });
  const OpTensor output(ACL_FLOAT, c.output());
  const auto number_of_ones = [](std::int64_t) { return Number(Real(256 * 260)); };
  expect_elements(output, result_of(c, input, weight, nullptr, output), number_of_ones, true);
}

TEST_F(ConvolutionOp, TensorsMayBeAnyViews) {
  const ConvolutionCase c{{2, 3, 6, 8}, {4, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}};
  check(c, ACL_FLOAT, true, {{{144, 1, 24, 3}, 2}, {{36, 1, 12, 4}, 1}, {{192, 1, 32, 4}, 3}});  // channels last
  check(c, ACL_FLOAT16, true, {{{0, 48, 8, 1}, 0}, {}, {{200, 50, 8, 1}, 1}});
  check(c, ACL_FLOAT, true, {{}, {}, {{400, 100, 16, 2}, 1}});
  const ConvolutionCase swapped{{2, 3, 6, 8}, {3, 4, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, true, {1, 1}};
  check(swapped, ACL_FLOAT, true, {{{144, 1, 24, 3}, 2}, {{9, 27, 1, 3}, 1}, {{800, 1, 64, 4}, 3}});
  const ConvolutionCase pointwise{{2, 8, 6, 8}, {8, 8, 1, 1}, {1, 1}, {0, 0}, {1, 1}};
  check(pointwise, ACL_FLOAT, true, {{{384, 1, 64, 8}, 0}, {}, {{384, 1, 64, 8}, 0}});
  check(pointwise, ACL_FLOAT, true, {{{1000, 100, 10, 1}, 0}, {}, {{2000, 200, 20, 2}, 0}});
  const ConvolutionCase single{{2, 3, 6, 8}, {3, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 3};
  check(single, ACL_FLOAT, true, {{{144, 1, 24, 3}, 2}, {{1, 1, 9, 3}, 1}, {{144, 1, 24, 3}, 3}});
  check(single, ACL_BF16, true, {{{200, 60, 9, 1}, 2}, {}, {{400, 100, 16, 2}, 3}});
}

TEST_F(ConvolutionOp, IsMadeInPartsWhenItIsLarge) {
  // More than 4 MiB of columns: rows of an image at a time, or channels of a transposed one.
  check({{1, 19, 70, 67}, {8, 19, 5, 3}, {1, 1}, {2, 1}, {1, 1}}, ACL_FLOAT, true, {}, false);
  check({{19, 16, 33, 32}, {3, 16, 3, 3}, {1, 1}, {0, 0}, {1, 1}}, ACL_FLOAT16, true, {}, false);
  check({{2, 3, 64, 65}, {3, 37, 3, 3}, {2, 2}, {1, 1}, {1, 1}, 1, true, {1, 1}}, ACL_FLOAT, true, {}, false);
}

TEST_F(ConvolutionOp, SumsInFloat) {
  // In float16 a sum of 1s would stop at 2048.
  const ConvolutionCase c{{1, 512, 3, 3}, {1, 512, 3, 3}, {1, 1}, {0, 0}, {1, 1}};
  OpTensor input(ACL_FLOAT16, c.input);
  OpTensor weight(ACL_FLOAT16, c.weight);
  input.fill([](std::int64_t) { return 1; });
  weight.fill([](std::int64_t) { return 1; });
  check(c, input, weight, nullptr, OpTensor(ACL_FLOAT16, c.output()), true);
}

TEST_F(ConvolutionOp, Promotes) {
  const ConvolutionCase c{{2, 3, 6, 8}, {8, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}};
  OpTensor input(ACL_FLOAT16, c.input);
  OpTensor weight(ACL_FLOAT, c.weight);
  OpTensor bias(ACL_BF16, {8});
  for (OpTensor* tensor : {&input, &weight, &bias}) fill_eighths(*tensor, 9);
  check(c, input, weight, &bias, OpTensor(ACL_FLOAT, c.output()), true);
  check(c, input, weight, &bias, OpTensor(ACL_FLOAT16, c.output()), true);
}

TEST_F(ConvolutionOp, NanAndInfinityStayInTheirWindows) {
  const ConvolutionCase c{{1, 2, 5, 6}, {3, 2, 2, 2}, {1, 1}, {1, 1}, {1, 1}};
  OpTensor input(ACL_FLOAT, c.input);
  OpTensor weight(ACL_FLOAT, c.weight);
  input.fill([](std::int64_t i) -> Number {
    if (i == 14) return std::numeric_limits<Real>::quiet_NaN();
    return i == 47 ? std::numeric_limits<Real>::infinity() : Real(i % 7);
  });
  weight.fill([](std::int64_t i) -> Number { return Real(1 + i % 3); });
  check(c, input, weight, nullptr, OpTensor(ACL_FLOAT, c.output()), true);
}

TEST_F(ConvolutionOp, NothingIsDoneForAnEmptyBatch) {
  check({{0, 3, 6, 8}, {4, 3, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, ACL_FLOAT);
  check({{0, 3, 6, 8}, {3, 1, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 3}, ACL_FLOAT);
  check({{0, 3, 6, 8}, {3, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, 1, true, {0, 0}}, ACL_FLOAT);
}

TEST_F(ConvolutionOp, OneValueOfAnArrayCountsForAllDims) {
  const ConvolutionCase c{{1, 3, 6, 8}, {4, 3, 3, 3}, {2, 2}, {1, 1}, {1, 1}};
  OpTensor input(ACL_FLOAT, c.input);
  OpTensor weight(ACL_FLOAT, c.weight);
  fill_eighths(input, 1);
  fill_eighths(weight, 2);
  const OpTensor output(ACL_FLOAT, c.output());
  const OpInts one({1});
  const OpInts two({2});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnConvolutionGetWorkspaceSize(input.get(), weight.get(), nullptr, two.get(), one.get(), one.get(),
                                                false, one.get(), 1, output.get(), 4, n, e);
      },
      aclnnConvolution, {&input, &weight}, output);
  const auto expected = exact_convolution(c, input, weight, nullptr);
  expect_elements(
      output, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, true);
}

TEST_F(ConvolutionOp, DepthwiseTakesTheKernelSizeAgain) {
  const ConvolutionCase c{{2, 3, 9, 8}, {6, 1, 3, 2}, {2, 1}, {1, 0}, {2, 3}, 3};
  for (const aclDataType type : kFloats) {
    OpTensor self(type, c.input);
    OpTensor weight(type, c.weight);
    OpTensor bias(type, {6});
    for (OpTensor* tensor : {&self, &weight, &bias}) fill_eighths(*tensor, 9);
    const OpTensor out(type, c.output());
    const OpInts kernel({3, 2});
    const OpInts stride(c.stride);
    const OpInts padding(c.padding);
    const OpInts dilation(c.dilation);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnConvDepthwise2dGetWorkspaceSize(self.get(), weight.get(), kernel.get(), bias.get(), stride.get(),
                                                      padding.get(), dilation.get(), out.get(), 0, n, e);
        },
        aclnnConvDepthwise2d, {&self, &weight, &bias}, out);
    const auto expected = exact_convolution(c, self, weight, &bias);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return held(expected[static_cast<std::size_t>(i)], type); }, true);
  }
}

/// "Same" convolutions with even windows: more padding after the image than before it.
TEST_F(ConvolutionOp, SidesMayBePaddedDifferently) {
  const auto padded = [](ConvolutionCase c, const Shape& after) {
    c.padding_after = after;
    return c;
  };
  for (const aclDataType type : kFloats) {
    check(padded({{1, 4, 5, 7}, {6, 4, 2, 2}, {1, 1}, {0, 0}, {1, 1}}, {1, 1}), type);
    check(padded({{1, 4, 9}, {6, 4, 4}, {1}, {1}, {1}}, {2}), type);
  }
  check(padded({{1, 4, 5, 7}, {6, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}}, {1, 1}), ACL_FLOAT);
  check(padded({{1, 4, 5, 8}, {6, 2, 4, 2}, {2, 2}, {1, 0}, {1, 1}, 2}, {2, 1}), ACL_FLOAT);
  check(padded({{2, 4, 6, 6}, {6, 4, 3, 3}, {1, 1}, {2, 3}, {2, 2}}, {0, 1}), ACL_FLOAT);
  check(padded({{2, 5, 9, 8}, {5, 1, 3, 2}, {1, 1}, {0, 1}, {1, 1}, 5}, {2, 0}), ACL_FLOAT);
  check(padded({{1, 2, 5, 6, 7}, {3, 2, 2, 3, 3}, {1, 2, 1}, {1, 0, 1}, {1, 1, 1}}, {0, 2, 3}), ACL_FLOAT);
  check(padded({{2, 3, 5, 7}, {3, 4, 3, 3}, {2, 2}, {1, 0}, {1, 1}, 1, true, {1, 0}}, {0, 2}), ACL_FLOAT);
}

/// (time, batch, channel) as (batch, channel, time), and a weight of (time, C, Cout) as (Cout, C, time).
TEST_F(ConvolutionOp, TbcMovesOverTime) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {11, 2, 3});
    OpTensor weight(type, {4, 3, 5});
    OpTensor bias(type, {5});
    for (OpTensor* tensor : {&self, &weight, &bias}) fill_eighths(*tensor, 9);
    const OpTensor out(type, {12, 2, 5});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnConvTbcGetWorkspaceSize(self.get(), weight.get(), bias.get(), 2, out.get(), 0, n, e);
        },
        aclnnConvTbc, {&self, &weight, &bias}, out);
    const auto expected = [&](std::int64_t i) {
      const Shape at = coordinates_of(i, {12, 2, 5});
      Number sum = bias.before(at[2]);
      for (std::int64_t tap = 0; tap < 4; ++tap) {
        const std::int64_t time = at[0] - 2 + tap;
        for (std::int64_t channel = 0; time >= 0 && time < 11 && channel < 3; ++channel) {
          sum += self.before(element_at({time, at[1], channel}, {11, 2, 3})) *
                 weight.before(element_at({tap, channel, at[2]}, {4, 3, 5}));
        }
      }
      return held(sum, type);
    };
    expect_elements(out, bytes, expected, true);
  }
}

class ConvolutionRefuses : public ConvolutionOp {
 protected:
  static inline uint64_t size = 0;
  static inline aclOpExecutor* executor = nullptr;

  struct Call {
    Shape input{2, 4, 9, 9};
    Shape weight{6, 4, 3, 3};
    Shape bias{6};
    Shape output{2, 6, 9, 9};
    Shape stride{1, 1};
    Shape padding{1, 1};
    Shape dilation{1, 1};
    Shape output_padding{0, 0};
    bool transposed = false;
    std::int64_t groups = 1;
    std::int8_t cube = 0;
    aclDataType type = ACL_FLOAT;
    aclDataType weight_type = ACL_FLOAT;
    aclDataType output_type = ACL_FLOAT;
  };
  template <typename Change>
  static aclnnStatus changed(Change&& change) {
    Call call;
    change(call);
    const OpTensor input(call.type, call.input);
    const OpTensor weight(call.weight_type, call.weight);
    const OpTensor bias(call.type, call.bias);
    const OpTensor output(call.output_type, call.output);
    const OpInts stride(call.stride);
    const OpInts padding(call.padding);
    const OpInts dilation(call.dilation);
    const OpInts output_padding(call.output_padding);
    const aclnnStatus status = aclnnConvolutionGetWorkspaceSize(
        input.get(), weight.get(), bias.get(), stride.get(), padding.get(), dilation.get(), call.transposed,
        output_padding.get(), call.groups, output.get(), call.cube, &size, &executor);
    if (status == 0) aclDestroyAclOpExecutor(executor);
    return status;
  }
};

TEST_F(ConvolutionRefuses, WhatIsNull) {
  const OpTensor x(ACL_FLOAT, {1, 4, 4, 4});
  const OpTensor w(ACL_FLOAT, {4, 4, 1, 1});
  const OpTensor y(ACL_FLOAT, {1, 4, 4, 4});
  const OpInts one({1});
  const OpInts zero({0});
  const auto plan = [&](int null, aclTensor* bias = nullptr) {
    const auto tensor = [&](int number, const OpTensor& given) { return null == number ? nullptr : given.get(); };
    const auto array = [&](int number, const OpInts& given) { return null == number ? nullptr : given.get(); };
    return aclnnConvolutionGetWorkspaceSize(tensor(0, x), tensor(1, w), bias, array(2, one), array(3, zero),
                                            array(4, one), false, array(5, zero), 1, tensor(6, y), 0,
                                            null == 7 ? nullptr : &size, null == 8 ? nullptr : &executor);
  };
  for (int null = 0; null < 9; ++null) EXPECT_EQ(plan(null), 161001) << null;
  EXPECT_EQ(plan(9), 0);
  aclDestroyAclOpExecutor(executor);
  EXPECT_EQ(aclnnConvTbcGetWorkspaceSize(x.get(), w.get(), nullptr, 0, y.get(), 0, &size, &executor), 161001);
  EXPECT_EQ(aclnnConvDepthwise2dGetWorkspaceSize(x.get(), w.get(), nullptr, nullptr, one.get(), zero.get(), one.get(),
                                                 y.get(), 0, &size, &executor),
            161001);
}

TEST_F(ConvolutionRefuses, OtherDtypes) {
  EXPECT_EQ(changed([](Call&) {}), 0);
  EXPECT_EQ(changed([](Call& call) { call.type = ACL_DOUBLE; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.weight_type = ACL_INT8; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.output_type = ACL_INT32; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.type = ACL_FLOAT16; }), 0);
}

TEST_F(ConvolutionRefuses, ShapesThatDoNotFit) {
  EXPECT_EQ(changed([](Call& call) { call.input = {4, 9, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.input = {2, 5, 9, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.input = {2, 4, 0, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.weight = {6, 4, 3}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.weight = {6, 4, 3, 0}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.bias = {5}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.bias = {1, 6}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.output = {2, 6, 9, 8}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.output = {2, 5, 9, 9}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.weight = {6, 4, 12, 12}; }), 161002);
}

TEST_F(ConvolutionRefuses, AttributesThatDoNotFit) {
  EXPECT_EQ(changed([](Call& call) { call.stride = {0, 1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.stride = {1, 1, 1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.padding = {-1, 1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.padding = {1, 1, 1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.padding = {1, 1, 1, -1}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.padding = {1, 1, 1, 2}; }), 161002) << "output has another shape then";
  EXPECT_EQ(changed([](Call& call) { call.dilation = {1, 0}; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.groups = 0; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.groups = 3; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.cube = 5; }), 161002);
  EXPECT_EQ(changed([](Call& call) { call.cube = -1; }), 161002);
  const auto swapped = [](Call& call) {
    call.transposed = true;
    call.weight = {4, 6, 3, 3};
  };
  EXPECT_EQ(changed(swapped), 0);
  EXPECT_EQ(changed([&](Call& call) {
              swapped(call);
              call.output_padding = {1, 0};
            }),
            161002);
  EXPECT_EQ(changed([&](Call& call) {
              swapped(call);
              call.stride = {5000, 1};
              call.output = {2, 6, 40001, 9};
            }),
            207000)
      << "each place of a step has kernels of its own";
  EXPECT_EQ(changed([&](Call& call) {
              swapped(call);
              call.weight = {6, 4, 3, 3};
            }),
            161002);
}

/// By the number of places, before any kernel is made: those of all dims together.
TEST_F(ConvolutionRefuses, StridesThatAreTooLargeTogether) {
  EXPECT_EQ(changed([&](Call& call) {
              call.transposed = true;
              call.input = {1, 1, 1, 1};
              call.weight = call.output = {1, 1, 600, 500};
              call.bias = {1};
              call.stride = {600, 500};
              call.padding = {0, 0};
            }),
            207000);
  const char* message = aclGetRecentErrMsg();
  const std::string sentence = message ? message : "";
  EXPECT_NE(sentence.find("300000 convolutions"), std::string::npos) << sentence;
}

TEST_F(ConvolutionRefuses, ChannelsThatComeLast) {
  const Shape shape{1, 4, 4, 4};
  const OpTensor w(ACL_FLOAT, {4, 4, 1, 1});
  const OpTensor y(ACL_FLOAT, shape);
  const OpTensor storage(ACL_FLOAT, shape);
  const Shape strides = OpTensor::row_major(shape);
  const OpInts one({1});
  const OpInts zero({0});
  for (const auto& [format, code] : {std::pair{ACL_FORMAT_NHWC, 161002}, {ACL_FORMAT_NCHW, 0}}) {
    aclTensor* x =
        aclCreateTensor(shape.data(), 4, ACL_FLOAT, strides.data(), 0, format, shape.data(), 4, storage.memory());
    EXPECT_EQ(aclnnConvolutionGetWorkspaceSize(x, w.get(), nullptr, one.get(), zero.get(), one.get(), false, zero.get(),
                                               1, y.get(), 0, &size, &executor),
              code);
    if (code == 0) aclDestroyAclOpExecutor(executor);
    aclDestroyTensor(x);
  }
}

TEST_F(ConvolutionRefuses, AnotherKernelSizeForDepthwise) {
  const OpTensor x(ACL_FLOAT, {1, 4, 6, 6});
  const OpTensor w(ACL_FLOAT, {4, 1, 3, 3});
  const OpTensor y(ACL_FLOAT, {1, 4, 4, 4});
  const OpInts one({1});
  const OpInts zero({0});
  const OpInts two({2, 3});
  EXPECT_EQ(aclnnConvDepthwise2dGetWorkspaceSize(x.get(), w.get(), two.get(), nullptr, one.get(), zero.get(), one.get(),
                                                 y.get(), 0, &size, &executor),
            161002);
}

}  // namespace
}  // namespace aclvk::test
