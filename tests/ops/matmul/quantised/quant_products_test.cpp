#include "aclnnop/aclnn_fused_quant_matmul.h"
#include "aclnnop/aclnn_fused_quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_quant_matmul_dequant.h"
#include "aclnnop/aclnn_quant_matmul_reduce_sum.h"
#include "aclnnop/aclnn_quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

/// Integers from -7 to 7.
OpTensor& fill_integers(OpTensor& tensor, std::int64_t step) {
  return tensor.fill([=](std::int64_t i) -> Number { return Real(i * step % 15 - 7); });
}
OpTensor& fill_powers(OpTensor& tensor, int lowest) {
  return tensor.fill([=](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 3) + lowest); });
}

Real saturated(Real value) { return std::clamp(std::nearbyint(value), Real(-128), Real(127)); }

class QuantProducts : public OpTest {
 protected:
  static constexpr std::int64_t kM = 17, kK = 64, kN = 24;
};

TEST_F(QuantProducts, WeightsMayBeInBlocks) {
  for (const bool transposes : {false, true}) {
    for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
      SCOPED_TRACE(testing::Message() << "out " << type << (transposes ? ", transposed" : ""));
      OpTensor x1(ACL_INT8, {kM, kK});
      const Shape shape = transposes ? Shape{kN, kK} : Shape{kK, kN};
      OpTensor x2(ACL_INT8, shape);
      fill_integers(x1, 7);
      fill_integers(x2, 11);
      OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, shape));
      fill_blocks(storage, x2);
      const Blocks blocks(storage, shape);
      OpTensor rows(ACL_FLOAT, {kM});
      OpTensor scale(type == ACL_BF16 ? ACL_BF16 : ACL_FLOAT, {kN});
      OpTensor bias(ACL_INT32, {kN});
      fill_powers(rows, 0);
      fill_powers(scale, -6);
      fill_integers(bias, 5);
      const OpTensor out(type, {kM, kN});
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnQuantMatmulWeightNzGetWorkspaceSize(x1.get(), blocks.get(), rows.get(), scale.get(), nullptr,
                                                            nullptr, nullptr, nullptr, bias.get(), false, transposes, 0,
                                                            out.get(), n, e);
          },
          aclnnQuantMatmulWeightNz, {&x1, &storage, &rows, &scale, &bias}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) -> Number {
            const Number sum = exact_product({x1}, {x2, transposes}, {i / kN, i % kN}) + bias.before(i % kN);
            const Number value = sum * scale.before(i % kN) * rows.before(i / kN);
            return type == ACL_INT8 ? saturated(value.real()) : held(value, type);
          },
          true);
    }
  }
}

TEST_F(QuantProducts, MayHaveMoreDoneToThem) {
  OpTensor x1(ACL_INT8, {kM, kK});
  OpTensor x2(ACL_INT8, {kK, kN});
  fill_integers(x1, 7);
  fill_integers(x2, 11);
  OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, {kK, kN}));
  fill_blocks(storage, x2);
  const Blocks blocks(storage, {kK, kN});
  OpTensor rows(ACL_FLOAT, {kM});
  OpTensor scale(ACL_FLOAT, {kN});
  OpTensor other(ACL_FLOAT16, {kN});
  fill_powers(rows, 0);
  fill_powers(scale, -8);
  fill_eighths(other, 3);
  const OpTensor out(ACL_FLOAT16, {kM, kN});
  for (const std::string kind : {"", "relu", "add", "mul", "gelu_erf", "gelu_tanh"}) {
    for (const bool in_blocks : {false, true}) {
      SCOPED_TRACE(kind);
      const bool has_other = kind == "add" || kind == "mul";
      const auto bytes = run(
          [&](auto* n, auto** e) {
            const auto plan =
                in_blocks ? aclnnFusedQuantMatmulWeightNzGetWorkspaceSize : aclnnFusedQuantMatmulGetWorkspaceSize;
            return plan(x1.get(), in_blocks ? blocks.get() : x2.get(), rows.get(), scale.get(), nullptr, nullptr,
                        nullptr, nullptr, nullptr, has_other ? other.get() : nullptr, kind.c_str(), 0, out.get(), n, e);
          },
          in_blocks ? aclnnFusedQuantMatmulWeightNz : aclnnFusedQuantMatmul,
          {&x1, &x2, &storage, &rows, &scale, &other}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) -> Number {
            const Real x =
                (exact_product({x1}, {x2}, {i / kN, i % kN}) * scale.before(i % kN) * rows.before(i / kN)).real();
            const Real z = other.before(i % kN).real();
            const Real slope = std::sqrt(2 / std::acos(Real(-1))) * (x + Real(0.044715) * x * x * x);
            if (kind == "relu") return std::max(x, Real(0));
            if (kind == "add") return x + z;
            if (kind == "mul") return x * z;
            if (kind == "gelu_erf") return x * std::erfc(-x / std::sqrt(Real(2))) / 2;
            return kind.empty() ? x : x * (1 + std::tanh(slope)) / 2;
          },
          false);
    }
  }
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const char* kind, const aclTensor* offset, int64_t group) {
    return aclnnFusedQuantMatmulGetWorkspaceSize(x1.get(), x2.get(), rows.get(), scale.get(), nullptr, offset, nullptr,
                                                 nullptr, nullptr, nullptr, kind, group, out.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, nullptr, 0), 161001);
  EXPECT_EQ(plan("add", nullptr, 0), 161001);
  EXPECT_EQ(plan("swish", nullptr, 0), 161002);
  EXPECT_EQ(plan("relu", other.get(), 0), 207000);
  EXPECT_EQ(plan("relu", nullptr, 32), 207000);
  EXPECT_EQ(executor, nullptr);
}

class Dequant : public QuantProducts {
 protected:
  struct Case {
    bool by_rows = true;
    bool has_scale = false;
    bool has_smooth = false;
    bool transposes = true;
    bool in_blocks = false;
    aclDataType scale_type = ACL_FLOAT;
    aclDataType weight_scale_type = ACL_FLOAT;
  };

  static void check_product(const Case& c) {
    SCOPED_TRACE(testing::Message() << (c.by_rows ? "by rows" : "by all") << (c.has_scale ? ", static" : ""));
    OpTensor x(ACL_FLOAT16, {kM, kK});
    x.fill([](std::int64_t i) -> Number { return std::ldexp(Real(i * 37 % 255 - 127), -5); });
    const Shape shape = c.transposes ? Shape{kN, kK} : Shape{kK, kN};
    OpTensor weight(ACL_INT8, shape);
    fill_integers(weight, 11);
    OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, shape));
    fill_blocks(storage, weight);
    const Blocks blocks(storage, shape);
    OpTensor weight_scale(c.weight_scale_type, {kN});
    const auto scale_of = [](std::int64_t n) { return std::ldexp(1.0F, static_cast<int>(n % 3) - 6); };
    weight_scale.fill([&](std::int64_t n) -> Number {
      const float value = scale_of(n);
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof(bits));
      return c.weight_scale_type == ACL_INT64 ? Real(bits) : Real(value);
    });
    OpTensor x_scale(c.scale_type, {c.by_rows ? kM : 1});
    fill_powers(x_scale, -5);
    OpTensor smooth(ACL_FLOAT16, {kK});
    fill_powers(smooth, -1);
    const OpTensor out(ACL_FLOAT16, {kM, kN});
    char mode[16];
    std::strcpy(mode, c.by_rows ? "pertoken" : "pertensor");
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulDequantGetWorkspaceSize(
              x.get(), c.in_blocks ? blocks.get() : weight.get(), weight_scale.get(), nullptr,
              c.has_scale ? x_scale.get() : nullptr, nullptr, c.has_smooth ? smooth.get() : nullptr, mode, c.transposes,
              out.get(), n, e);
        },
        aclnnQuantMatmulDequant, {&x, &weight, &storage, &weight_scale, &x_scale, &smooth}, out);
    const auto value = [&](std::int64_t row, std::int64_t k) {
      return static_cast<float>(x.before(row * kK + k).real() * (c.has_smooth ? smooth.before(k).real() : 1));
    };
    const auto scale_at = [&](std::int64_t row) {
      if (c.has_scale) return static_cast<float>(x_scale.before(c.by_rows ? row : 0).real());
      float most = 0;
      for (std::int64_t r = c.by_rows ? row : 0; r < (c.by_rows ? row + 1 : kM); ++r) {
        for (std::int64_t k = 0; k < kK; ++k) most = std::max(most, std::fabs(value(r, k)));
      }
      return most / 127;
    };
    expect_elements(
        out, bytes,
        [&](std::int64_t i) -> Number {
          const std::int64_t row = i / kN;
          const float scale = scale_at(row);
          Real sum = 0;
          for (std::int64_t k = 0; k < kK; ++k) {
            const std::int64_t place = c.transposes ? i % kN * kK + k : k * kN + i % kN;
            sum += saturated(value(row, k) / scale) * weight.before(place).real();
          }
          return sum * scale_of(i % kN) * scale;
        },
        false);
  }
};

TEST_F(Dequant, QuantisesByItself) {
  check_product({});
  check_product({false});
  check_product({true, false, true, false});
  check_product({true, false, true, true, true});
  check_product({false, false, true, true, false, ACL_FLOAT, ACL_INT64});
}

TEST_F(Dequant, OrByAScale) {
  check_product({true, true});
  check_product({false, true, true, true, false, ACL_FLOAT16});
}

TEST_F(Dequant, RefusesOthers) {
  const OpTensor x(ACL_FLOAT16, {4, 16});
  const OpTensor weight(ACL_INT8, {8, 16});
  const OpTensor scale(ACL_FLOAT, {8});
  const OpTensor few(ACL_FLOAT, {3});
  const OpTensor out(ACL_FLOAT16, {4, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  char by_rows[] = "pertoken";
  char by_all[] = "pertensor";
  char other[] = "pergroup";
  const auto plan = [&](const OpTensor& first, const aclTensor* weights, const OpTensor& scales,
                        const aclTensor* x_scale, const aclTensor* bias, char* mode) {
    return aclnnQuantMatmulDequantGetWorkspaceSize(first.get(), weights, scales.get(), bias, x_scale, nullptr, nullptr,
                                                   mode, true, out.get(), &size, &executor);
  };
  EXPECT_EQ(plan(x, nullptr, scale, nullptr, nullptr, by_rows), 161001);
  EXPECT_EQ(plan(x, weight.get(), scale, nullptr, nullptr, nullptr), 161001);
  EXPECT_EQ(plan(scale, weight.get(), scale, nullptr, nullptr, by_rows), 161002);
  EXPECT_EQ(plan(x, weight.get(), few, nullptr, nullptr, by_rows), 161002);
  EXPECT_EQ(plan(x, weight.get(), scale, few.get(), nullptr, by_rows), 161002);
  EXPECT_EQ(plan(x, weight.get(), scale, few.get(), nullptr, by_all), 161002);
  EXPECT_EQ(plan(x, weight.get(), scale, nullptr, nullptr, other), 161002);
  EXPECT_EQ(plan(x, weight.get(), scale, nullptr, scale.get(), by_rows), 207000);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(QuantProducts, AreAddedUp) {
  constexpr std::int64_t kBatch = 3;
  for (const bool keeps : {false, true}) {
    OpTensor x1(ACL_INT8, {kBatch, kM, kK});
    OpTensor x2(ACL_INT8, {kBatch, kK, kN});
    fill_integers(x1, 7);
    fill_integers(x2, 11);
    OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, x2.shape()));
    fill_blocks(storage, x2);
    const Blocks blocks(storage, x2.shape(), false, ACL_FORMAT_FRACTAL_NZ,
                        keeps ? Blocks::Said::kElements : Blocks::Said::kBlocks);
    OpTensor rows(ACL_FLOAT, {kBatch, kM});
    OpTensor scale(ACL_BF16, {kN});
    fill_powers(rows, 0);
    fill_powers(scale, -6);
    const OpInts dims{0};
    const OpTensor out(ACL_BF16, keeps ? Shape{1, kM, kN} : Shape{kM, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(x1.get(), blocks.get(), rows.get(), scale.get(),
                                                                   nullptr, nullptr, nullptr, nullptr, nullptr, false,
                                                                   false, 0, dims.get(), keeps, out.get(), n, e);
        },
        aclnnQuantMatmulReduceSumWeightNz, {&x1, &storage, &rows, &scale}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          Number sum = 0;
          for (std::int64_t b = 0; b < kBatch; ++b) {
            sum += exact_product({x1}, {x2}, {b, i / kN, i % kN}) * rows.before(b * kM + i / kN);
          }
          return held(sum * scale.before(i % kN), ACL_BF16);
        },
        true);
  }
}

TEST_F(QuantProducts, OverOtherDimsAreRefused) {
  const OpTensor x1(ACL_INT8, {2, 4, 16});
  const OpTensor x2(ACL_INT8, {2, 16, 8});
  const OpTensor rows(ACL_FLOAT, {2, 4});
  const OpTensor scale(ACL_BF16, {8});
  const OpTensor out(ACL_BF16, {4, 8});
  const OpInts zero{0};
  const OpInts one{1};
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* row_scale, const OpTensor& to, const aclTensor* bias,
                        const aclIntArray* dims) {
    return aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(x1.get(), x2.get(), row_scale, scale.get(), nullptr,
                                                             nullptr, nullptr, nullptr, bias, false, false, 0, dims,
                                                             false, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, out, nullptr, zero.get()), 161001);
  EXPECT_EQ(plan(rows.get(), out, nullptr, nullptr), 161001);
  EXPECT_EQ(plan(scale.get(), out, nullptr, zero.get()), 161002);
  EXPECT_EQ(plan(rows.get(), rows, nullptr, zero.get()), 161002);
  EXPECT_EQ(plan(rows.get(), out, nullptr, one.get()), 161002);
  EXPECT_EQ(plan(rows.get(), out, rows.get(), zero.get()), 207000);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(QuantProducts, OneScaleMayBeThatOfTheWeight) {
  for (const bool transposes : {false, true}) {
    for (const aclDataType type : {ACL_FLOAT16, ACL_INT8}) {
      OpTensor x1(ACL_FLOAT16, {2, kM, kK});
      OpTensor x2(ACL_INT8, transposes ? Shape{kN, kK} : Shape{kK, kN});
      OpTensor bias(ACL_FLOAT16, {kN});
      OpTensor scale(ACL_FLOAT, {kN});
      OpTensor offset(ACL_FLOAT16, {kN});
      const OpTensor diagonal(ACL_INT8, {32, 32});
      fill_eighths(x1, 1);
      fill_integers(x2, 11);
      fill_eighths(bias, 3);
      fill_powers(scale, 0);
      fill_integers(offset, 3);
      const OpTensor out(type, {2, kM, kN});
      const bool is_rounded = type == ACL_INT8;
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnWeightQuantBatchMatmulGetWorkspaceSize(
                x1.get(), x2.get(), diagonal.get(), nullptr, nullptr, is_rounded ? offset.get() : nullptr,
                is_rounded ? scale.get() : nullptr, bias.get(), false, transposes, 0.25F, 3.0F, out.get(), n, e);
          },
          aclnnWeightQuantBatchMatmul, {&x1, &x2, &bias, &scale, &offset}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) -> Number {
            const std::int64_t n = i % kN;
            Real sum = bias.before(n).real();
            for (std::int64_t k = 0; k < kK; ++k) {
              const Real integer = x2.before(transposes ? n * kK + k : k * kN + n).real();
              sum += x1.before(i / kN * kK + k).real() * (integer + 3) * Real(0.25);
            }
            return is_rounded ? saturated(sum * scale.before(n).real() + offset.before(n).real())
                              : held(sum, ACL_FLOAT16);
          },
          true);
    }
  }
}

TEST_F(QuantProducts, WithHiddenScalesAreRefused) {
  const OpTensor x1(ACL_FLOAT16, {4, 16});
  const OpTensor x2(ACL_INT8, {16, 8});
  const OpTensor numbers(ACL_FLOAT16, {8});
  const OpTensor integers(ACL_INT32, {8});
  const OpTensor out(ACL_FLOAT16, {4, 8});
  const OpTensor rounded_out(ACL_INT8, {4, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* first, const aclTensor* left, const aclTensor* scale, const OpTensor& to) {
    return aclnnWeightQuantBatchMatmulGetWorkspaceSize(first, x2.get(), nullptr, left, nullptr, nullptr, scale, nullptr,
                                                       false, false, 1, 0, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, nullptr, nullptr, out), 161001);
  EXPECT_EQ(plan(x1.get(), nullptr, nullptr, rounded_out), 161001);
  EXPECT_EQ(plan(x2.get(), nullptr, nullptr, out), 161002);
  EXPECT_EQ(plan(x1.get(), nullptr, nullptr, x1), 161002);
  EXPECT_EQ(plan(x1.get(), integers.get(), nullptr, out), 207000);
  EXPECT_EQ(plan(x1.get(), nullptr, numbers.get(), out), 207000);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
