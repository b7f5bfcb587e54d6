#include "aclnnop/aclnn_batchmatmul_quant.h"
#include "aclnnop/aclnn_quant_matmul_v3.h"
#include "aclnnop/aclnn_trans_quant_param_v2.h"
#include "aclnnop/aclnn_trans_quant_param_v3.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// The word of a scale, whose bits beyond 19 are cut off or rounded, and of an offset.
std::uint64_t word_of(Real scale, Real offset, bool rounds) {
  std::uint32_t bits = bits_of(static_cast<float>(scale));
  const std::uint32_t rest = bits % 8192;
  bits -= rest;
  const bool up = rest > 4096 || (rest == 4096 && bits / 8192 % 2 == 1);
  if (rounds && up && std::isfinite(scale)) bits += 8192;
  const auto whole = static_cast<std::int64_t>(std::clamp(std::nearbyint(offset), Real(-256), Real(255)));
  return std::uint64_t{1} << 46 | (static_cast<std::uint64_t>(whole) & 0x1FF) << 37 | bits;
}

class QuantWord : public OpTest {
 protected:
  static constexpr std::int64_t kN = 23;

  static void fill_scale(OpTensor& scale) {
    scale.fill([](std::int64_t i) -> Number {
      if (i == 3) return Real(1 + 0x1p-11L);  // half a step, beside an even number
      if (i == 4) return Real(1 + 3 * 0x1p-11L);
      if (i == 5) return std::numeric_limits<Real>::infinity();
      return Real(i - 11) / 7;
    });
  }
};

TEST_F(QuantWord, HoldsAScaleAndAnOffset) {
  for (const aclDataType type : {ACL_UINT64, ACL_INT64}) {
    for (const bool has_offset : {false, true}) {
      for (const int version : {2, 30, 31}) {
        SCOPED_TRACE(testing::Message() << "version " << version << ", offset " << has_offset);
        const bool one_scale = version == 2 && has_offset;
        OpTensor scale(ACL_FLOAT, one_scale ? Shape{1} : Shape{kN});
        OpTensor offset(ACL_FLOAT, {kN});
        fill_scale(scale);
        offset.fill([](std::int64_t i) { return Number(Real(i - 11) * Real(25.5)); });  // also beyond nine bits
        const OpTensor out(type, {kN});
        const aclTensor* given = has_offset ? offset.get() : nullptr;
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return version == 2
                         ? aclnnTransQuantParamV2GetWorkspaceSize(scale.get(), given, out.get(), n, e)
                         : aclnnTransQuantParamV3GetWorkspaceSize(scale.get(), given, version - 30, out.get(), n, e);
            },
            version == 2 ? aclnnTransQuantParamV2 : aclnnTransQuantParamV3, {&scale, &offset}, out);
        expect_elements(
            out, bytes,
            [&](std::int64_t i) -> Number {
              const Real shift = has_offset ? offset.before(i).real() : 0;
              return Real(word_of(scale.before(one_scale ? 0 : i).real(), shift, version == 31));
            },
            true);
      }
    }
  }
}

TEST_F(QuantWord, MayHaveGapsBetween) {
  OpTensor scale(ACL_FLOAT, {1, kN}, {{kN * 2, 2}, 1});
  fill_scale(scale);
  const OpTensor out(ACL_UINT64, {1, kN}, {{kN * 3, 3}, 2});
  const auto bytes = run(
      [&](auto* n, auto** e) { return aclnnTransQuantParamV2GetWorkspaceSize(scale.get(), nullptr, out.get(), n, e); },
      aclnnTransQuantParamV2, {&scale}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) -> Number { return Real(word_of(scale.before(i).real(), 0, false)); }, true);
}

/// What the words of one operator say to others.
TEST_F(QuantWord, IsReadByProducts) {
  constexpr std::int64_t kM = 5, kK = 16;
  OpTensor scale(ACL_FLOAT, {kN});
  OpTensor offset(ACL_FLOAT, {kN});
  scale.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1 + i % 3), -5); });
  offset.fill([](std::int64_t i) -> Number { return Real(i % 7 - 3); });
  const OpTensor words(ACL_UINT64, {kN});
  run([&](auto* n,
          auto** e) { return aclnnTransQuantParamV2GetWorkspaceSize(scale.get(), offset.get(), words.get(), n, e); },
      aclnnTransQuantParamV2, {&scale, &offset}, words);
  // The words stay where they are.
  OpTensor x1(ACL_INT8, {kM, kK});
  OpTensor x2(ACL_INT8, {kK, kN});
  x1.fill([](std::int64_t i) -> Number { return Real(i * 7 % 15 - 7); });
  x2.fill([](std::int64_t i) -> Number { return Real(i * 11 % 15 - 7); });
  const OpTensor out(ACL_FLOAT16, {kM, kN});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnQuantMatmulV3GetWorkspaceSize(x1.get(), x2.get(), words.get(), nullptr, nullptr, false, false,
                                                  out.get(), n, e);
      },
      aclnnQuantMatmulV3, {&x1, &x2}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) {
        return held(exact_product({x1}, {x2}, {i / kN, i % kN}) * scale.before(i % kN), ACL_FLOAT16);
      },
      true);

  const OpTensor small(ACL_INT8, {kM, kN});
  const auto with_offset = run(
      [&](auto* n, auto** e) {
        return aclnnQuantMatmulV3GetWorkspaceSize(x1.get(), x2.get(), words.get(), nullptr, nullptr, false, false,
                                                  small.get(), n, e);
      },
      aclnnQuantMatmulV3, {&x1, &x2}, small);
  expect_elements(
      small, with_offset,
      [&](std::int64_t i) -> Number {
        const Real sum = exact_product({x1}, {x2}, {i / kN, i % kN}).real();
        const Real shifted = sum * scale.before(i % kN).real() + offset.before(i % kN).real();
        return std::clamp(std::nearbyint(shifted), Real(-128), Real(127));
      },
      true);

  OpTensor a(ACL_FLOAT16, {2, kK, kM});
  OpTensor b(ACL_FLOAT16, {2, kK, kN});
  OpTensor bias(ACL_FLOAT16, {kN});
  fill_eighths(a, 1);
  fill_eighths(b, 2);
  fill_eighths(bias, 3);
  const OpTensor rounded(ACL_INT8, {2, kM, kN});
  const auto integers = run(
      [&](auto* n, auto** e) {
        return aclnnBatchMatmulQuantGetWorkspaceSize(a.get(), b.get(), words.get(), bias.get(), true, false,
                                                     rounded.get(), n, e);
      },
      aclnnBatchMatmulQuant, {&a, &b, &bias}, rounded);
  expect_elements(
      rounded, integers,
      [&](std::int64_t i) -> Number {
        const Real sum = exact_product({a, true}, {b}, coordinates_of(i, rounded.shape())).real();
        const Real shifted = (sum + bias.before(i % kN).real()) * scale.before(i % kN).real();
        return std::clamp(std::nearbyint(shifted + offset.before(i % kN).real()), Real(-128), Real(127));
      },
      true);
}

/// As many words as 23 columns filled up to blocks of 16 have; what fills up is not read.
TEST_F(QuantWord, MayBeFilledUpToBlocks) {
  constexpr std::int64_t kM = 5, kK = 16, kFilled = 32;
  const auto scale = [](std::int64_t column) { return std::ldexp(Real(1 + column % 3), -5); };
  OpTensor x1(ACL_INT8, {kM, kK});
  OpTensor x2(ACL_INT8, {kK, kN});
  x1.fill([](std::int64_t i) -> Number { return Real(i * 7 % 15 - 7); });
  x2.fill([](std::int64_t i) -> Number { return Real(i * 11 % 15 - 7); });
  for (const Shape& shape : {Shape{kFilled}, Shape{1, kFilled}}) {
    OpTensor words(ACL_UINT64, shape);
    words.fill([&](std::int64_t i) -> Number {
      return Real(word_of(i < kN ? scale(i) : std::numeric_limits<Real>::infinity(), 0, false));
    });
    const OpTensor out(ACL_FLOAT16, {kM, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulV3GetWorkspaceSize(x1.get(), x2.get(), words.get(), nullptr, nullptr, false, false,
                                                    out.get(), n, e);
        },
        aclnnQuantMatmulV3, {&x1, &x2, &words}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          return held(exact_product({x1}, {x2}, {i / kN, i % kN}) * scale(i % kN), ACL_FLOAT16);
        },
        true);
  }
  const OpTensor more(ACL_UINT64, {kFilled + 16});
  const OpTensor floats(ACL_FLOAT, {kFilled});
  const OpTensor out(ACL_FLOAT16, {kM, kN});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  for (const OpTensor* other : {&more, &floats}) {
    EXPECT_EQ(aclnnQuantMatmulV3GetWorkspaceSize(x1.get(), x2.get(), other->get(), nullptr, nullptr, false, false,
                                                 out.get(), &size, &executor),
              161002);
  }
}

TEST_F(QuantWord, RefusesOthers) {
  const OpTensor scale(ACL_FLOAT, {8});
  const OpTensor halves(ACL_FLOAT16, {8});
  const OpTensor other(ACL_FLOAT, {5});
  const OpTensor out(ACL_UINT64, {8});
  const OpTensor floats(ACL_FLOAT, {8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* given, const aclTensor* offset, int64_t mode, const OpTensor& to) {
    return aclnnTransQuantParamV3GetWorkspaceSize(given, offset, mode, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, nullptr, 0, out), 161001);
  EXPECT_EQ(plan(halves.get(), nullptr, 0, out), 161002);
  EXPECT_EQ(plan(scale.get(), halves.get(), 0, out), 161002);
  EXPECT_EQ(plan(scale.get(), other.get(), 0, out), 161002);
  EXPECT_EQ(plan(other.get(), nullptr, 0, out), 161002);
  EXPECT_EQ(plan(scale.get(), nullptr, 0, floats), 161002);
  EXPECT_EQ(plan(scale.get(), nullptr, 2, out), 161002);
  const OpTensor x(ACL_FLOAT16, {2, 8, 8});
  const OpTensor integers(ACL_INT8, {2, 8, 8});
  const OpTensor few(ACL_UINT64, {3});
  const auto plan_quant = [&](const aclTensor* first, const OpTensor& words, const OpTensor& to) {
    return aclnnBatchMatmulQuantGetWorkspaceSize(first, x.get(), words.get(), nullptr, false, false, to.get(), &size,
                                                 &executor);
  };
  EXPECT_EQ(plan_quant(nullptr, out, integers), 161001);
  EXPECT_EQ(plan_quant(integers.get(), out, integers), 161002);
  EXPECT_EQ(plan_quant(x.get(), few, integers), 161002);
  EXPECT_EQ(plan_quant(x.get(), scale, integers), 161002);
  EXPECT_EQ(plan_quant(x.get(), out, x), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
