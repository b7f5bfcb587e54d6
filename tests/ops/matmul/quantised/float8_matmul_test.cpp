#include "aclnnop/aclnn_quant_batch_matmul_inplace_add.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_transpose_quant_batch_mat_mul.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

/// Every code of an 8-bit float that is a number, in transposes.
OpTensor& fill_codes(OpTensor& tensor) {
  return tensor.fill([type = tensor.type()](std::int64_t i) -> Number {
    const int code = static_cast<int>(i % 256);
    const Real value = is_float8(type) ? float8_value(code, type) : exact_float8_value(code, type);
    return std::isfinite(value) ? value : 1;
  });
}
/// Small numbers whose products have exact sums.
OpTensor& fill_small(OpTensor& tensor, std::int64_t step) {
  return tensor.fill([=](std::int64_t i) -> Number { return Real(i * step % 15 - 7) / 4; });
}
OpTensor& fill_powers(OpTensor& tensor) {
  return tensor.fill([](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i * 5 % 7) - 3); });
}
std::int64_t blocks_in(std::int64_t size, std::int64_t of_block) { return (size + of_block - 1) / of_block; }

class Float8Matmul : public OpTest {
 protected:
  static constexpr std::int64_t kM = 19, kK = 72, kN = 40;

  enum class Scales { kNumbers, kVectors, kWords, kShared, kBlocks };
  struct Case {
    aclDataType x1 = ACL_FLOAT8_E4M3FN;
    aclDataType x2 = ACL_FLOAT8_E4M3FN;
    Scales scales = Scales::kVectors;
    aclDataType out = ACL_FLOAT;
    bool transposes_x1 = false;
    bool transposes_x2 = false;
    bool has_bias = true;
  };
  static constexpr std::int64_t kBlockM = 16, kBlockN = 32, kBlockK = 32;

  static Shape transposed_if(Shape shape, bool transposes) {
    if (transposes) std::swap(shape[0], shape[1]);
    return shape;
  }

  static void check_product(const Case& c) {
    SCOPED_TRACE(testing::Message() << "dtypes " << c.x1 << " and " << c.x2 << ", scales " << static_cast<int>(c.scales)
                                    << (c.transposes_x1 ? ", first" : "") << (c.transposes_x2 ? ", second" : "")
                                    << " transposed");
    OpTensor x1(c.x1, transposed_if({kM, kK}, c.transposes_x1));
    OpTensor x2(c.x2, transposed_if({kK, kN}, c.transposes_x2));
    fill_small(x1, 7);
    fill_small(x2, 11);
    const bool shared = c.scales == Scales::kShared;
    const std::int64_t pairs = blocks_in(kK, 64);
    Shape rows{kM};
    Shape columns{kN};
    if (c.scales == Scales::kNumbers) rows = columns = {1};
    if (shared)
      rows = transposed_if({kM, pairs}, c.transposes_x1), columns = transposed_if({pairs, kN}, c.transposes_x2);
    if (shared) rows.push_back(2), columns.push_back(2);
    if (c.scales == Scales::kBlocks) {
      rows = transposed_if({blocks_in(kM, kBlockM), blocks_in(kK, kBlockK)}, c.transposes_x1);
      columns = transposed_if({blocks_in(kK, kBlockK), blocks_in(kN, kBlockN)}, c.transposes_x2);
    }
    const aclDataType type = shared ? ACL_FLOAT8_E8M0 : ACL_FLOAT;
    OpTensor row_scale(type, rows);
    OpTensor scale(c.scales == Scales::kWords ? ACL_UINT64 : type, columns);
    OpTensor bias(ACL_FLOAT, {kN});
    fill_powers(row_scale);
    fill_powers(scale);
    if (c.scales == Scales::kWords) {
      scale.fill([](std::int64_t i) -> Number {
        const float value = std::ldexp(1.0F, static_cast<int>(i % 3) - 2);
        std::uint32_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        return Real(bits) + std::ldexp(Real(1), 46);
      });
    }
    fill_eighths(bias, 3);
    const std::int64_t group = c.scales == Scales::kBlocks ? kBlockM << 32 | kBlockN << 16 | kBlockK : shared ? 32 : 0;
    const OpTensor out(c.out, {kM, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulV5GetWorkspaceSize(x1.get(), x2.get(), row_scale.get(), scale.get(), nullptr, nullptr,
                                                    nullptr, nullptr, c.has_bias ? bias.get() : nullptr,
                                                    c.transposes_x1, c.transposes_x2, group, out.get(), n, e);
        },
        aclnnQuantMatmulV5, {&x1, &x2, &row_scale, &scale, &bias}, out);
    const auto at = [](const OpTensor& tensor, std::int64_t row, std::int64_t column, bool transposes) {
      return tensor.before(element_at(transposed_if({row, column}, transposes), tensor.shape())).real();
    };
    const auto row_scale_at = [&](std::int64_t m, std::int64_t k) -> Real {
      if (c.scales == Scales::kNumbers) return row_scale.before(0).real();
      if (shared) {
        Shape place = transposed_if({m, k / 64}, c.transposes_x1);
        place.push_back(k / 32 % 2);
        return row_scale.before(element_at(place, row_scale.shape())).real();
      }
      if (c.scales == Scales::kBlocks) return at(row_scale, m / kBlockM, k / kBlockK, c.transposes_x1);
      return row_scale.before(m).real();
    };
    const auto scale_at = [&](std::int64_t k, std::int64_t n) -> Real {
      if (c.scales == Scales::kNumbers) return scale.before(0).real();
      if (c.scales == Scales::kWords) return std::ldexp(Real(1), static_cast<int>(n % 3) - 2);
      if (shared) {
        Shape place = transposed_if({k / 64, n}, c.transposes_x2);
        place.push_back(k / 32 % 2);
        return scale.before(element_at(place, scale.shape())).real();
      }
      if (c.scales == Scales::kBlocks) return at(scale, k / kBlockK, n / kBlockN, c.transposes_x2);
      return scale.before(n).real();
    };
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const std::int64_t m = i / kN;
          const std::int64_t n = i % kN;
          Real sum = c.has_bias ? bias.before(n).real() : 0;
          for (std::int64_t k = 0; k < kK; ++k) {
            sum += at(x1, m, k, c.transposes_x1) * row_scale_at(m, k) * at(x2, k, n, c.transposes_x2) * scale_at(k, n);
          }
          return held(sum, c.out);
        },
        true);
  }
};

TEST_F(Float8Matmul, HasScalesOfRowsAndColumns) {
  check_product({});
  check_product({ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN, Scales::kNumbers, ACL_FLOAT16});
  check_product({ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, Scales::kVectors, ACL_BF16, true, true, false});
  check_product({ACL_HIFLOAT8, ACL_HIFLOAT8, Scales::kWords, ACL_FLOAT, false, true});
}

TEST_F(Float8Matmul, OrOfThirtyTwo) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      check_product({ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, Scales::kShared, ACL_FLOAT, first, second});
    }
  }
}

TEST_F(Float8Matmul, OrOfBlocks) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      check_product({ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E4M3FN, Scales::kBlocks, ACL_FLOAT, first, second});
    }
  }
}

/// Blocks take two dims more than a factor has, and between these gaps none is one with its neighbour.
TEST_F(Float8Matmul, BlocksOfManyDimsMayHaveGaps) {
  constexpr std::int64_t kRows = 5, kDepth = 7, kColumns = 6;
  const auto with_gaps = [](aclDataType type, const Shape& shape) {
    View view{Shape(shape.size())};
    std::int64_t stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
      view.strides[i] = stride;
      stride = stride * shape[i] + 1;
    }
    return OpTensor(type, shape, view);
  };
  for (const std::size_t batch_dims : {5U, 6U}) {
    SCOPED_TRACE(testing::Message() << batch_dims << " dims of a batch");
    const auto shape_of = [&](std::int64_t rows, std::int64_t columns) {
      Shape shape(batch_dims, 2);
      shape.insert(shape.end(), {rows, columns});
      return shape;
    };
    OpTensor x1 = with_gaps(ACL_FLOAT8_E4M3FN, shape_of(kRows, kDepth));
    OpTensor x2 = with_gaps(ACL_FLOAT8_E4M3FN, shape_of(kDepth, kColumns));
    OpTensor row_scale = with_gaps(ACL_FLOAT, shape_of(3, 3));
    OpTensor scale = with_gaps(ACL_FLOAT, shape_of(3, 2));
    fill_small(x1, 7);
    fill_small(x2, 11);
    fill_powers(row_scale);
    fill_powers(scale);
    const OpTensor out(ACL_FLOAT, shape_of(kRows, kColumns));
    constexpr std::int64_t kGroup = std::int64_t{2} << 32 | std::int64_t{3} << 16 | 3;
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulV5GetWorkspaceSize(x1.get(), x2.get(), row_scale.get(), scale.get(), nullptr, nullptr,
                                                    nullptr, nullptr, nullptr, false, false, kGroup, out.get(), n, e);
        },
        aclnnQuantMatmulV5, {&x1, &x2, &row_scale, &scale}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const std::int64_t b = i / (kRows * kColumns);
          const std::int64_t m = i / kColumns % kRows;
          const std::int64_t n = i % kColumns;
          Number sum = 0;
          for (std::int64_t k = 0; k < kDepth; ++k) {
            const Number first =
                x1.before((b * kRows + m) * kDepth + k) * row_scale.before((b * 3 + m / 2) * 3 + k / 3);
            sum += first * x2.before((b * kDepth + k) * kColumns + n) * scale.before((b * 3 + k / 3) * 2 + n / 3);
          }
          return sum;
        },
        true);
  }
}

/// A product with one says what each code stands for.
TEST_F(Float8Matmul, ReadsAllCodes) {
  for (const aclDataType type : {ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_HIFLOAT8}) {
    SCOPED_TRACE(type);
    OpTensor codes(type, {256, 1});
    OpTensor one(type, {1, 1});
    OpTensor scale(ACL_FLOAT, {1});
    fill_codes(codes);
    one.fill([](std::int64_t) -> Number { return 1; });
    scale.fill([](std::int64_t) -> Number { return 1; });
    const OpTensor out(ACL_FLOAT, {256, 1});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnQuantMatmulV5GetWorkspaceSize(codes.get(), one.get(), nullptr, scale.get(), nullptr, nullptr,
                                                    nullptr, nullptr, nullptr, false, false, 0, out.get(), n, e);
        },
        aclnnQuantMatmulV5, {&codes, &one, &scale}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return codes.before(i); }, true);
  }
}

TEST_F(Float8Matmul, AddsInPlace) {
  OpTensor x1(ACL_FLOAT8_E5M2, {kK, kM});
  OpTensor x2(ACL_FLOAT8_E4M3FN, {kK, kN});
  OpTensor row_scale(ACL_FLOAT8_E8M0, {2, kM, 2});
  OpTensor scale(ACL_FLOAT8_E8M0, {2, kN, 2});
  OpTensor y(ACL_FLOAT, {kM, kN});
  fill_small(x1, 7);
  fill_small(x2, 11);
  fill_powers(row_scale);
  fill_powers(scale);
  fill_eighths(y, 3);
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnQuantBatchMatmulInplaceAddGetWorkspaceSize(x1.get(), x2.get(), row_scale.get(), scale.get(),
                                                               const_cast<aclTensor*>(y.get()), true, false, 32, n, e);
      },
      aclnnQuantBatchMatmulInplaceAdd, {&x1, &x2, &row_scale, &scale}, y);
  expect_elements(
      y, bytes,
      [&](std::int64_t i) {
        Number sum = y.before(i);
        for (std::int64_t k = 0; k < kK; ++k) {
          const Number first = x1.before(k * kM + i / kN) * row_scale.before((k / 64 * kM + i / kN) * 2 + k / 32 % 2);
          sum += first * x2.before(k * kN + i % kN) * scale.before((k / 64 * kN + i % kN) * 2 + k / 32 % 2);
        }
        return sum;
      },
      true);
}

TEST_F(Float8Matmul, BatchesMayComeInAnotherOrder) {
  constexpr std::int64_t kB = 3;
  const OpInts transposed_if{1, 0, 2};
  const OpInts by_columns{0, 2, 1};
  OpTensor x1(ACL_FLOAT8_E4M3FN, {kM, kB, kK});
  OpTensor x2(ACL_FLOAT8_E4M3FN, {kB, kN, kK});
  fill_small(x1, 7);
  fill_small(x2, 11);
  OpTensor storage(ACL_FLOAT8_E4M3FN, storage_shape(ACL_FLOAT8_E4M3FN, x2.shape()));
  fill_blocks(storage, x2);
  const Blocks blocks(storage, x2.shape());
  OpTensor rows(ACL_FLOAT, {kM});
  OpTensor columns(ACL_FLOAT, {kN});
  OpTensor shared_rows(ACL_FLOAT8_E8M0, {kM, kB, 2, 2});
  OpTensor shared_columns(ACL_FLOAT8_E8M0, {kB, kN, 2, 2});
  for (OpTensor* scale : {&rows, &columns, &shared_rows, &shared_columns}) fill_powers(*scale);
  for (const bool shared : {false, true}) {
    SCOPED_TRACE(shared ? "shared scales" : "scales of rows and columns");
    const OpTensor out(ACL_BF16, {kM, kB, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return shared ? aclnnTransposeQuantBatchMatMulWeightNzGetWorkspaceSize(
                              x1.get(), blocks.get(), nullptr, shared_rows.get(), shared_columns.get(), ACL_BF16, 32,
                              transposed_if.get(), by_columns.get(), transposed_if.get(), 1, out.get(), n, e)
                        : aclnnTransposeQuantBatchMatMulGetWorkspaceSize(
                              x1.get(), x2.get(), nullptr, rows.get(), columns.get(), ACL_BF16, 0, transposed_if.get(),
                              by_columns.get(), transposed_if.get(), 1, out.get(), n, e);
        },
        shared ? aclnnTransposeQuantBatchMatMulWeightNz : aclnnTransposeQuantBatchMatMul,
        {&x1, &x2, &storage, &rows, &columns, &shared_rows, &shared_columns}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const Shape at = coordinates_of(i, out.shape());
          Number sum = 0;
          for (std::int64_t k = 0; k < kK; ++k) {
            const Number product = x1.before((at[0] * kB + at[1]) * kK + k) * x2.before((at[1] * kN + at[2]) * kK + k);
            const Number scale = shared
                                     ? shared_rows.before(((at[0] * kB + at[1]) * 2 + k / 64) * 2 + k / 32 % 2) *
                                           shared_columns.before(((at[1] * kN + at[2]) * 2 + k / 64) * 2 + k / 32 % 2)
                                     : rows.before(at[0]) * columns.before(at[2]);
            sum += product * scale;
          }
          return held(sum, ACL_BF16);
        },
        true);
  }
}

TEST_F(Float8Matmul, RefusesOthers) {
  const OpTensor x1(ACL_FLOAT8_E4M3FN, {4, 64});
  const OpTensor x2(ACL_FLOAT8_E4M3FN, {64, 8});
  const OpTensor integers(ACL_INT8, {64, 8});
  const OpTensor scale(ACL_FLOAT, {8});
  const OpTensor few(ACL_FLOAT, {3});
  const OpTensor shared(ACL_FLOAT8_E8M0, {1, 8, 2});
  const OpTensor pairs(ACL_FLOAT8_E8M0, {2, 8, 2});
  const OpTensor out(ACL_FLOAT16, {4, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& second, const aclTensor* scales, const aclTensor* y_scale, int64_t group,
                        const OpTensor& to) {
    return aclnnQuantMatmulV5GetWorkspaceSize(x1.get(), second.get(), nullptr, scales, y_scale, nullptr, nullptr,
                                              nullptr, nullptr, false, false, group, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(x2, nullptr, nullptr, 0, out), 161001);
  EXPECT_EQ(plan(integers, scale.get(), nullptr, 0, out), 161002);
  EXPECT_EQ(plan(x2, few.get(), nullptr, 0, out), 161002);
  EXPECT_EQ(plan(x2, pairs.get(), nullptr, 0, out), 161002);
  EXPECT_EQ(plan(x2, shared.get(), nullptr, 64, out), 161002);
  EXPECT_EQ(plan(x2, scale.get(), nullptr, 0, x1), 161002);
  EXPECT_EQ(plan(x2, scale.get(), scale.get(), 0, out), 207000);
  const OpTensor y(ACL_FLOAT, {4, 8});
  EXPECT_EQ(
      aclnnQuantBatchMatmulInplaceAddGetWorkspaceSize(
          x1.get(), x2.get(), nullptr, few.get(), const_cast<aclTensor*>(y.get()), false, false, 0, &size, &executor),
      161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
