#include <array>

#include "aclnnop/aclnn_quant_matmul.h"
#include "aclnnop/aclnn_quant_matmul_v3.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v3.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

/// Integers from -7 to 7.
OpTensor& fill_integers(OpTensor& tensor, std::int64_t step) {
  return tensor.fill([=](std::int64_t i) -> Number { return Real(i * step % 15 - 7); });
}

/// The same numbers, eight of four bits in each INT32.
OpTensor& fill_packed(OpTensor& words, std::int64_t step) {
  return words.fill([=](std::int64_t word) -> Number {
    std::uint32_t bits = 0;
    for (std::int64_t i = 0; i < 8; ++i) {
      const std::int64_t value = (8 * word + i) * step % 15 - 7;
      bits |= (static_cast<std::uint32_t>(value) & 15U) << (4 * i);
    }
    return Real(static_cast<std::int32_t>(bits));
  });
}

class WeightQuant : public OpTest {
 protected:
  struct Case {
    aclDataType type = ACL_FLOAT16;
    std::int64_t m = 5, k = 64, n = 24;
    std::int64_t group = 0;
    bool transposed = false;
    bool packed = false;
    bool has_offset = true;
    bool has_bias = true;
    bool one_scale = false;
  };

  static void check_product(const Case& c) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.type << ", group " << c.group
                                    << (c.transposed ? ", transposed" : "") << (c.packed ? ", packed" : ""));
    OpTensor x(c.type, {c.m, c.k});
    fill_eighths(x, 1);
    // The order in memory is n x k where it is transposed, and then the view transposes it.
    const std::int64_t words = c.packed ? 8 : 1;
    const Shape shape = c.transposed ? Shape{c.k / words, c.n} : Shape{c.k, c.n / words};
    const View view = c.transposed ? View{{1, c.k / words}} : View{};
    OpTensor weight(c.packed ? ACL_INT32 : ACL_INT8, shape, view);
    const auto place = [&](std::int64_t k, std::int64_t n) { return c.transposed ? n * c.k + k : k * c.n + n; };
    if (c.packed) {
      // fill() counts elements of the view; the words are wanted as stored.
      weight.fill([&](std::int64_t i) -> Number {
        const std::int64_t word = c.transposed ? i % c.n * (c.k / 8) + i / c.n : i;
        std::uint32_t bits = 0;
        for (std::int64_t j = 0; j < 8; ++j) {
          bits |= (static_cast<std::uint32_t>((8 * word + j) * 11 % 15 - 7) & 15U) << (4 * j);
        }
        return Real(static_cast<std::int32_t>(bits));
      });
    } else {
      weight.fill([&](std::int64_t i) -> Number { return Real(place(i / c.n, i % c.n) * 11 % 15 - 7); });
    }
    const std::int64_t group = c.group == 0 ? c.k : c.group;
    const std::int64_t groups = (c.k + group - 1) / group;
    const Shape per_group = c.one_scale ? Shape{1} : c.group == 0 ? Shape{c.n} : Shape{groups, c.n};
    OpTensor scale(c.type, per_group);
    OpTensor offset(c.type, per_group);
    OpTensor bias(c.type == ACL_BF16 ? ACL_FLOAT : c.type, {c.n});
    scale.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 3) - 4); });
    offset.fill([](std::int64_t i) -> Number { return Real(i % 5 - 2); });
    fill_eighths(bias, 4);
    const OpTensor y(c.type, {c.m, c.n});
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
              x.get(), weight.get(), scale.get(), c.has_offset ? offset.get() : nullptr, nullptr, nullptr,
              c.has_bias ? bias.get() : nullptr, static_cast<int>(c.group), y.get(), size, e);
        },
        aclnnWeightQuantBatchMatmulV2, {&x, &weight, &scale, &offset, &bias}, y);
    const auto expected = [&](std::int64_t i) {
      const std::int64_t n = i % c.n;
      Number sum = c.has_bias ? bias.before(n) : 0;
      for (std::int64_t k = 0; k < c.k; ++k) {
        const std::int64_t at = c.one_scale ? 0 : k / group * c.n + n;
        const Number integer = Real(place(k, n) * 11 % 15 - 7);
        sum += x.before(i / c.n * c.k + k) * (integer + (c.has_offset ? offset.before(at) : 0)) * scale.before(at);
      }
      return sum;
    };
    expect_elements(y, bytes, expected, false);
  }
};

TEST_F(WeightQuant, BytesBecomeRealsColumnByColumn) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const bool transposed : {false, true}) check_product({type, 5, 67, 24, 0, transposed});
    check_product({type, 1, 64, 24, 0, false, false, false, false});
    check_product({type, 3, 64, 24, 0, true, false, true, false, true});
  }
}

TEST_F(WeightQuant, GroupsHaveScalesOfTheirOwn) {
  check_product({ACL_FLOAT16, 5, 128, 24, 32});
  check_product({ACL_FLOAT16, 5, 80, 24, 32});  // the last group is shorter
  check_product({ACL_BF16, 5, 128, 24, 64, true});
}

TEST_F(WeightQuant, FourBitsMayBePacked) {
  for (const bool transposed : {false, true}) {
    check_product({ACL_FLOAT16, 5, 64, 24, 0, transposed, true});
    check_product({ACL_FLOAT16, 5, 64, 24, 32, transposed, true});
  }
}

TEST_F(WeightQuant, RefusesOthers) {
  const OpTensor x(ACL_FLOAT16, {4, 64});
  const OpTensor weight(ACL_INT8, {64, 16});
  const OpTensor scale(ACL_FLOAT16, {16});
  const OpTensor brains(ACL_BF16, {16});
  const OpTensor y(ACL_FLOAT16, {4, 16});
  const OpTensor other(ACL_FLOAT16, {4, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* given, const OpTensor& factor, const OpTensor& scales, const aclTensor* quant,
                        int group, const OpTensor& to) {
    return aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(given, factor.get(), scales.get(), nullptr, quant, nullptr,
                                                         nullptr, group, 0, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, weight, scale, nullptr, 0, y), 161001);
  EXPECT_EQ(plan(x.get(), x, scale, nullptr, 0, y), 161002);
  EXPECT_EQ(plan(x.get(), weight, brains, nullptr, 0, y), 161002);
  EXPECT_EQ(plan(x.get(), weight, scale, nullptr, 32, y), 161002);
  EXPECT_EQ(plan(x.get(), weight, scale, nullptr, -1, y), 161002);
  EXPECT_EQ(plan(x.get(), weight, scale, nullptr, 0, other), 161002);
  EXPECT_EQ(plan(x.get(), weight, scale, scale.get(), 0, y), 207000);
  EXPECT_EQ(executor, nullptr);
}

class QuantMatmul : public OpTest {
 protected:
  struct Case {
    aclDataType out = ACL_FLOAT16;
    aclDataType scale = ACL_FLOAT;
    aclDataType bias = ACL_INT32;
    bool has_bias = true;
    bool has_rows = true;
    bool has_offset = false;
    bool transposes_x1 = false;
    bool transposes_x2 = true;
    bool packed = false;
    bool one_scale = false;
  };

  /// aclnnQuantMatmulV4 of 17 x 64 and 64 x 24.
  static void check_product(const Case& c) {
    constexpr std::int64_t kM = 17, kK = 64, kN = 24;
    SCOPED_TRACE(testing::Message() << "out " << c.out << ", scale " << c.scale << ", bias " << c.bias);
    OpTensor x1(ACL_INT8, c.transposes_x1 ? Shape{kK, kM} : Shape{kM, kK});
    OpTensor x2(c.packed ? ACL_INT32 : ACL_INT8, c.transposes_x2 ? Shape{kN, c.packed ? kK / 8 : kK} : Shape{kK, kN});
    fill_integers(x1, 7);
    c.packed ? fill_packed(x2, 11) : fill_integers(x2, 11);
    OpTensor scale(c.scale, c.one_scale ? Shape{1} : Shape{kN});
    OpTensor rows(ACL_FLOAT, {kM});
    OpTensor offset(ACL_FLOAT, {kN});
    OpTensor bias(c.bias, {kN});
    const auto scale_of = [](std::int64_t i) { return std::ldexp(1.0F, static_cast<int>(i % 3) - 6); };
    scale.fill([&](std::int64_t i) -> Number {
      if (c.scale != ACL_UINT64 && c.scale != ACL_INT64) return Real(scale_of(i));
      const float value = scale_of(i);
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      return Real(bits);
    });
    rows.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 2)); });
    offset.fill([](std::int64_t i) -> Number { return Real(i % 5 - 2) / 2; });
    fill_integers(bias, 5);
    const OpTensor out(c.out, {kM, kN});
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnQuantMatmulV4GetWorkspaceSize(
              x1.get(), x2.get(), scale.get(), c.has_offset ? offset.get() : nullptr, c.has_rows ? rows.get() : nullptr,
              c.has_bias ? bias.get() : nullptr, c.transposes_x1, c.transposes_x2, out.get(), size, e);
        },
        aclnnQuantMatmulV4, {&x1, &x2, &scale, &rows, &offset, &bias}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const std::int64_t m = i / kN;
      const std::int64_t n = i % kN;
      Real sum = c.has_bias && c.bias == ACL_INT32 ? bias.before(n).real() : 0;
      for (std::int64_t k = 0; k < kK; ++k) {
        const std::int64_t second = c.transposes_x2 ? n * kK + k : k * kN + n;
        sum += x1.before(c.transposes_x1 ? k * kM + m : m * kK + k).real() * Real(second * 11 % 15 - 7);
      }
      sum *= scale_of(c.one_scale ? 0 : n) * (c.has_rows ? rows.before(m).real() : 1);
      if (c.has_bias && c.bias != ACL_INT32) sum += bias.before(n).real();
      if (c.has_offset) sum += offset.before(n).real();
      if (c.out != ACL_INT8) return rounded(sum, c.out);
      return std::clamp(std::nearbyint(sum), Real(-128), Real(127));
    };
    expect_elements(out, bytes, expected, true);
  }

  struct LargeSums {
    std::int64_t m, n;
    aclDataType bias;
    bool has_scales;  ///< of rows and columns; else one, which is 1
  };
  /// An INT32 result of sums that a float does not hold.
  static void check_large_sums(const LargeSums& c) {
    constexpr std::int64_t kDepth = 2048;
    constexpr std::array<float, 5> kScales{1, 0.7F, 3, 100, 0.5F};
    constexpr std::array<float, 3> kRowScales{1, 1, 0.3F};
    SCOPED_TRACE(testing::Message() << c.m << " x " << c.n << ", bias " << c.bias);
    OpTensor x1(ACL_INT8, {c.m, kDepth});
    OpTensor x2(ACL_INT8, {kDepth, c.n});
    OpTensor scale(ACL_FLOAT, {c.has_scales ? c.n : 1});
    OpTensor rows(ACL_FLOAT, {c.m});
    OpTensor bias(c.bias, {c.n});
    x1.fill([&](std::int64_t i) -> Number { return i / kDepth % 2 == 0 ? 127 : -127; });
    x2.fill([](std::int64_t) -> Number { return 127; });
    scale.fill([&](std::int64_t i) -> Number { return kScales[static_cast<std::size_t>(i % 5)]; });
    rows.fill([&](std::int64_t i) -> Number { return kRowScales[static_cast<std::size_t>(i % 3)]; });
    bias.fill([&](std::int64_t i) -> Number { return Real(2 * i + 1) / (c.bias == ACL_INT32 ? 1 : 2); });
    const OpTensor out(ACL_INT32, {c.m, c.n});
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnQuantMatmulV4GetWorkspaceSize(x1.get(), x2.get(), scale.get(), nullptr,
                                                    c.has_scales ? rows.get() : nullptr, bias.get(), false, false,
                                                    out.get(), size, e);
        },
        aclnnQuantMatmulV4, {&x1, &x2, &scale, &rows, &bias}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      const std::int64_t m = i / c.n;
      const Real added = bias.before(i % c.n).real();
      Real sum = x1.before(m * kDepth).real() * 127 * kDepth + (c.bias == ACL_INT32 ? added : 0);
      if (c.has_scales) sum *= scale.before(i % c.n).real() * rows.before(m).real();
      if (c.bias != ACL_INT32) sum += added;
      return std::clamp(std::nearbyint(sum), Real(-2147483648.0L), Real(2147483647.0L));
    };
    expect_elements(out, bytes, expected, true);
  }
};

TEST_F(QuantMatmul, IntegersKeepAllTheirDigits) {
  check_large_sums({1, 1, ACL_INT32, false});
  check_large_sums({4, 16, ACL_INT32, false});
  check_large_sums({3, 7, ACL_INT32, true});
  check_large_sums({4, 16, ACL_FLOAT, true});
}

TEST_F(QuantMatmul, ScalesTheSumsOfIntegers) {
  check_product({});
  check_product({ACL_BF16, ACL_BF16});
  check_product({ACL_FLOAT16, ACL_UINT64, ACL_INT32, true, false});
  check_product({ACL_FLOAT16, ACL_INT64, ACL_INT32, false, false, false, true, false});
  check_product({ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT, true, true, false, false, true, false, true});
}

TEST_F(QuantMatmul, RoundsToBytes) {
  check_product({ACL_INT8, ACL_FLOAT, ACL_INT32, true, false, true});
  check_product({ACL_INT8, ACL_UINT64, ACL_INT32, false, false, true, false, false});
}

TEST_F(QuantMatmul, FourBitsMayBePacked) {
  check_product({ACL_FLOAT16, ACL_FLOAT, ACL_INT32, true, true, false, false, true, true});
}

TEST_F(QuantMatmul, OneNumberMayBeTheScale) {
  OpTensor x1(ACL_INT8, {2, 9, 16});
  OpTensor x2(ACL_INT8, {2, 16, 8});
  OpTensor bias(ACL_INT32, {8});
  fill_integers(x1, 7);
  fill_integers(x2, 11);
  fill_integers(bias, 5);
  const OpTensor out(ACL_FLOAT16, {2, 9, 8});
  const auto bytes = run(
      [&](auto* size, auto** e) {
        return aclnnQuantMatmulGetWorkspaceSize(x1.get(), x2.get(), bias.get(), 0.25F, out.get(), size, e);
      },
      aclnnQuantMatmul, {&x1, &x2, &bias}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) {
        const Shape at = coordinates_of(i, out.shape());
        return held((exact_product({x1}, {x2}, at) + bias.before(at[2])) * Real(0.25), ACL_FLOAT16);
      },
      true);
}

TEST_F(QuantMatmul, RefusesOthers) {
  const OpTensor x1(ACL_INT8, {4, 16});
  const OpTensor x2(ACL_INT8, {16, 8});
  const OpTensor reals(ACL_FLOAT16, {4, 16});
  const OpTensor scale(ACL_FLOAT, {8});
  const OpTensor few(ACL_FLOAT, {3});
  const OpTensor out(ACL_FLOAT16, {4, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& first, const aclTensor* scales, const aclTensor* offset, bool transposes,
                        const OpTensor& to) {
    return aclnnQuantMatmulV3GetWorkspaceSize(first.get(), x2.get(), scales, offset, nullptr, transposes, false,
                                              to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(x1, nullptr, nullptr, false, out), 161001);
  EXPECT_EQ(plan(reals, scale.get(), nullptr, false, out), 161002);
  EXPECT_EQ(plan(x1, few.get(), nullptr, false, out), 161002);
  EXPECT_EQ(plan(x1, scale.get(), scale.get(), false, out), 161002);
  EXPECT_EQ(plan(x1, scale.get(), nullptr, true, out), 161002);
  EXPECT_EQ(plan(x1, scale.get(), nullptr, false, reals), 161002);
  const OpTensor row(ACL_INT8, {16});
  EXPECT_EQ(plan(row, scale.get(), nullptr, true, out), 161002);
  EXPECT_EQ(aclnnQuantMatmulV5GetWorkspaceSize(x1.get(), x2.get(), nullptr, scale.get(), scale.get(), nullptr, nullptr,
                                               nullptr, nullptr, false, false, 0, out.get(), &size, &executor),
            207000);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
