// Quantised weights in FRACTAL_NZ, which products read as stored.
#include <limits>

#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_nz.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

constexpr Real kFilling = 99;  // of blocks; no result has it

OpTensor& fill_powers(OpTensor& tensor, int lowest) {
  return tensor.fill([=](std::int64_t i) -> Number { return std::ldexp(Real(1), static_cast<int>(i % 3) + lowest); });
}

/// The way in which a weight of k x n is transposed.
enum class Transposition { kNone, kByFlag, kByView };

struct Sizes {
  std::int64_t m, k, n;
};

Shape matrix_shape(std::int64_t rows, std::int64_t columns, Transposition transposition, std::int64_t batch = 0) {
  Shape shape = transposition == Transposition::kNone ? Shape{rows, columns} : Shape{columns, rows};
  if (batch > 0) shape.insert(shape.begin(), batch);
  return shape;
}

struct Batch {
  std::int64_t first = 0;  ///< matrices of x1; 0 for a matrix
  std::int64_t second = 0;
};

class QuantBlocks : public OpTest {
 protected:
  static void check_integers(const Sizes& sizes, Transposition transposition, Batch batch = {},
                             std::int64_t columns_of_block = 0) {
    const auto& [m, k, n] = sizes;
    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n << ", transposition "
                                    << static_cast<int>(transposition) << ", batches " << batch.first << " and "
                                    << batch.second);
    OpTensor x1(ACL_INT8, matrix_shape(m, k, Transposition::kNone, batch.first));
    const Shape shape = matrix_shape(k, n, transposition, batch.second);
    OpTensor x2(ACL_INT8, shape);
    fill_eighths(x1, 1);
    fill_eighths(x2, 2);
    OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, shape, columns_of_block));
    fill_blocks(storage, x2, kFilling);
    const Blocks blocks(storage, shape, transposition == Transposition::kByView);
    OpTensor rows(ACL_FLOAT, {m});
    OpTensor scale(ACL_FLOAT, {n});
    OpTensor bias(ACL_INT32, {n});
    fill_powers(rows, 0);
    fill_powers(scale, -7);
    fill_eighths(bias, 3);
    const OpTensor out(ACL_FLOAT16, matrix_shape(m, n, Transposition::kNone, std::max(batch.first, batch.second)));
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnQuantMatmulWeightNzGetWorkspaceSize(
              x1.get(), blocks.get(), rows.get(), scale.get(), nullptr, nullptr, nullptr, nullptr, bias.get(), false,
              transposition == Transposition::kByFlag, 0, out.get(), size, e);
        },
        aclnnQuantMatmulWeightNz, {&x1, &storage, &rows, &scale, &bias}, out);
    expect_elements(
        out, bytes,
        [&, height = m, width = n](std::int64_t i) -> Number {
          const Shape at = coordinates_of(i, out.shape());
          const Number sum =
              exact_product({x1}, {x2, transposition != Transposition::kNone}, at) + bias.before(i % width);
          return held(sum * scale.before(i % width) * rows.before(i / width % height), ACL_FLOAT16);
        },
        true);
  }

  static void check_reals(const Sizes& sizes, bool transposed, std::int64_t group, bool has_offset = true,
                          std::int64_t columns_of_block = 0, Real special = 0) {
    const auto& [m, k, n] = sizes;
    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n << (transposed ? ", transposed" : "") << ", group "
                                    << group);
    const Shape shape = matrix_shape(k, n, transposed ? Transposition::kByView : Transposition::kNone);
    const std::int64_t of_group = group == 0 ? k : group;
    const std::int64_t groups = (k + of_group - 1) / of_group;
    OpTensor x(ACL_FLOAT16, {m, k});
    OpTensor weight(ACL_INT8, shape);
    OpTensor scale(ACL_FLOAT16, group == 0 ? Shape{n} : Shape{groups, n});
    OpTensor offset(ACL_FLOAT16, scale.shape());
    OpTensor bias(ACL_FLOAT16, {n});
    fill_eighths(x, 1);
    if (special != 0) x.fill([&](std::int64_t i) -> Number { return i == 5 ? special : Real(1); });
    fill_eighths(weight, 2);
    fill_powers(scale, -5);
    offset.fill([](std::int64_t i) -> Number { return Real(i % 5 - 2); });
    fill_eighths(bias, 4);
    OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, shape, columns_of_block));
    fill_blocks(storage, weight, kFilling);
    const Blocks blocks(storage, shape, transposed);
    const OpTensor y(ACL_FLOAT16, {m, n});
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(x.get(), blocks.get(), scale.get(),
                                                               has_offset ? offset.get() : nullptr, nullptr, nullptr,
                                                               bias.get(), static_cast<int>(group), y.get(), size, e);
        },
        aclnnWeightQuantBatchMatmulNz, {&x, &storage, &scale, &offset, &bias}, y);
    expect_elements(
        y, bytes,
        [&, depth = k, width = n](std::int64_t i) -> Number {
          Real sum = bias.before(i % width).real();
          for (std::int64_t at = 0; at < depth; ++at) {
            const std::int64_t place = transposed ? i % width * depth + at : at * width + i % width;
            const std::int64_t number = at / of_group * width + i % width;
            const Real shift = has_offset ? offset.before(number).real() : 0;
            const Real weighed = (weight.before(place).real() + shift) * scale.before(number).real();
            sum += x.before(i / width * depth + at).real() * weighed;
          }
          return sum;
        },
        false);
  }
};

TEST_F(QuantBlocks, IntegersOfAnySizes) {
  for (const Transposition transposition : {Transposition::kNone, Transposition::kByFlag, Transposition::kByView}) {
    for (const std::int64_t m : {1, 2, 17}) {
      check_integers({m, 96, 80}, transposition);
      check_integers({m, 37, 53}, transposition);
    }
    check_integers({5, 67, 1}, transposition);
    check_integers({7, 1, 50}, transposition);
    check_integers({3, 96, 80}, transposition, {}, 16);
    check_integers({3, 50, 67}, transposition, {}, 12);  // which products do not read
  }
}

TEST_F(QuantBlocks, BatchesOfIntegers) {
  for (const Transposition transposition : {Transposition::kNone, Transposition::kByFlag, Transposition::kByView}) {
    check_integers({5, 37, 53}, transposition, {3, 3});
    check_integers({5, 64, 40}, transposition, {3, 0});
    check_integers({1, 37, 53}, transposition, {0, 3});
    check_integers({2, 40, 72}, transposition, {3, 1});
  }
}

TEST_F(QuantBlocks, LongLoops) {
  check_integers({1, 70001, 3}, Transposition::kByView);
  check_integers({2, 5, 70001}, Transposition::kNone);
}

/// One of the factors is read as stored, then.
TEST_F(QuantBlocks, BothFactorsMayLieInThem) {
  OpTensor x1(ACL_INT8, {37, 19});
  OpTensor x2(ACL_INT8, {37, 53});
  OpTensor scale(ACL_FLOAT, {1});
  fill_eighths(x1, 1);
  fill_eighths(x2, 2);
  fill_powers(scale, -6);
  OpTensor first(ACL_INT8, storage_shape(ACL_INT8, x1.shape()));
  OpTensor second(ACL_INT8, storage_shape(ACL_INT8, x2.shape()));
  fill_blocks(first, x1, kFilling);
  fill_blocks(second, x2, kFilling);
  const Blocks left(first, x1.shape());
  const Blocks right(second, x2.shape());
  const OpTensor out(ACL_BF16, {19, 53});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnQuantMatmulV5GetWorkspaceSize(left.get(), right.get(), nullptr, scale.get(), nullptr, nullptr,
                                                  nullptr, nullptr, nullptr, true, false, 0, out.get(), n, e);
      },
      aclnnQuantMatmulV5, {&first, &second, &scale}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) -> Number {
        return held(exact_product({x1, true}, {x2}, {i / 53, i % 53}) * scale.before(0), ACL_BF16);
      },
      true);
}

/// Scales may cut a weight where its blocks end, at each element, or elsewhere.
TEST_F(QuantBlocks, ScalesHaveGroupsOfTheirOwn) {
  constexpr std::int64_t kM = 5, kK = 101, kN = 83;
  OpTensor x1(ACL_INT8, {kM, kK});
  fill_eighths(x1, 1);
  OpTensor first_storage(ACL_INT8, storage_shape(ACL_INT8, x1.shape()));
  fill_blocks(first_storage, x1, kFilling);
  const Blocks first(first_storage, x1.shape());
  for (const bool transposes : {false, true}) {
    const Shape shape = transposes ? Shape{kN, kK} : Shape{kK, kN};
    OpTensor x2(ACL_INT8, shape);
    fill_eighths(x2, 2);
    OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, shape));
    fill_blocks(storage, x2, kFilling);
    const Blocks blocks(storage, shape);
    for (const Sizes& of_group : {Sizes{1, 32, 1}, Sizes{1, 64, 32}, Sizes{1, 8, 1}, Sizes{1, 10, 5}}) {
      SCOPED_TRACE(testing::Message() << of_group.k << " x " << of_group.n << (transposes ? ", transposed" : ""));
      const std::int64_t down = (kK + of_group.k - 1) / of_group.k;
      const std::int64_t along = (kN + of_group.n - 1) / of_group.n;
      OpTensor scale(ACL_FLOAT, transposes ? Shape{along, down} : Shape{down, along});
      fill_powers(scale, -3);
      const OpTensor out(ACL_FLOAT, {kM, kN});
      const std::int64_t group_size = of_group.m << 32 | of_group.n << 16 | of_group.k;
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnQuantMatmulV5GetWorkspaceSize(transposes ? first.get() : x1.get(), blocks.get(), nullptr,
                                                      scale.get(), nullptr, nullptr, nullptr, nullptr, nullptr, false,
                                                      transposes, group_size, out.get(), n, e);
          },
          aclnnQuantMatmulV5, {&x1, &first_storage, &storage, &scale}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) -> Number {
            Number sum = 0;
            for (std::int64_t k = 0; k < kK; ++k) {
              const std::int64_t n = i % kN;
              const std::int64_t place = transposes ? n * kK + k : k * kN + n;
              const std::int64_t row = k / of_group.k, column = n / of_group.n;
              const std::int64_t number = transposes ? column * down + row : row * along + column;
              sum += x1.before(i / kN * kK + k) * x2.before(place) * scale.before(number);
            }
            return sum;
          },
          true);
    }
  }
}

TEST_F(QuantBlocks, RealsOfAnySizes) {
  for (const bool transposed : {false, true}) {
    for (const std::int64_t m : {3, 9}) {
      check_reals({m, 96, 80}, transposed, 0);
      check_reals({m, 67, 53}, transposed, 0);
      check_reals({m, 100, 53}, transposed, 32);
      check_reals({m, 100, 53}, transposed, 48, false);
      check_reals({m, 128, 40}, transposed, 64, false);
    }
    check_reals({2, 67, 1}, transposed, 0);
    check_reals({2, 1, 50}, transposed, 0);
  }
}

TEST_F(QuantBlocks, OneNumberForAll) {
  for (const bool transposes : {false, true}) {
    for (const std::int64_t batch : {0, 3}) {
      const Shape shape = matrix_shape(37, 53, transposes ? Transposition::kByFlag : Transposition::kNone, batch);
      OpTensor x1(ACL_FLOAT16, matrix_shape(7, 37, Transposition::kNone, batch));
      OpTensor x2(ACL_INT8, shape);
      OpTensor shifted(ACL_INT8, shape);
      fill_eighths(x1, 1);
      fill_eighths(x2, 2);
      shifted.fill([&](std::int64_t i) { return x2.before(i) + Number(3); });
      OpTensor storage(ACL_INT8, storage_shape(ACL_INT8, shape));
      fill_blocks(storage, x2, kFilling);
      const Blocks blocks(storage, shape);
      const OpTensor out(ACL_FLOAT16, matrix_shape(7, 53, Transposition::kNone, batch));
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnWeightQuantBatchMatmulGetWorkspaceSize(x1.get(), blocks.get(), nullptr, nullptr, nullptr,
                                                               nullptr, nullptr, nullptr, false, transposes, 0.25F,
                                                               3.0F, out.get(), n, e);
          },
          aclnnWeightQuantBatchMatmul, {&x1, &storage}, out);
      expect_elements(
          out, bytes,
          [&](std::int64_t i) -> Number {
            return exact_product({x1}, {shifted, transposes}, coordinates_of(i, out.shape())) * Number(0.25L);
          },
          false);
    }
  }
}

TEST_F(QuantBlocks, FewRowsOfReals) {
  for (const std::int64_t columns : {8, 16, 32, 64}) {
    check_reals({1, 64, 53}, false, 32, true, columns);
    check_reals({2, 96, 53}, false, 64, false, columns);  // the last group is shorter
  }
  check_reals({3, 160, 29}, false, 0);
  check_reals({8, 1056, 37}, false, 96);
  check_reals({5, 64, 3}, false, 0, false);
  check_reals({1, 70016, 3}, false, 32);
  check_reals({1, 32, 70001}, false, 0, false);
  for (const Real special : {std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN()}) {
    check_reals({2, 64, 29}, false, 0, false, 0, special);
  }
}

class QuantBlocksWorkspace : public OpTest {
 protected:
  static constexpr std::int64_t kK = 256, kN = 320, kWeight = kK * kN;

  template <typename Plan>
  static std::uint64_t workspace(Plan plan) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT_EQ(plan(&size, &executor), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    return size;
  }

  const OpTensor storage{ACL_INT8, storage_shape(ACL_INT8, {kK, kN})};
  const Blocks rows{storage, {kK, kN}};
  const OpTensor transposed{ACL_INT8, storage_shape(ACL_INT8, {kN, kK})};
  const Blocks columns{transposed, {kN, kK}, true};
};

TEST_F(QuantBlocksWorkspace, HoldsNoIntegers) {
  const OpTensor x(ACL_INT8, {1, kK});
  const OpTensor scale(ACL_FLOAT, {kN});
  const OpTensor out(ACL_FLOAT16, {1, kN});
  for (const Blocks* blocks : {&rows, &columns}) {
    EXPECT_LT(workspace([&](auto* n, auto** e) {
                return aclnnQuantMatmulWeightNzGetWorkspaceSize(x.get(), blocks->get(), nullptr, scale.get(), nullptr,
                                                                nullptr, nullptr, nullptr, nullptr, false, false, 0,
                                                                out.get(), n, e);
              }),
              kWeight);
  }
}

TEST_F(QuantBlocksWorkspace, HoldsRealsForManyRowsOnly) {
  const OpTensor scale(ACL_FLOAT16, {kN});
  const auto of_rows = [&](std::int64_t count, const Blocks& blocks) {
    const OpTensor x(ACL_FLOAT16, {count, kK});
    const OpTensor y(ACL_FLOAT16, {count, kN});
    return workspace([&](auto* n, auto** e) {
      return aclnnWeightQuantBatchMatmulNzGetWorkspaceSize(x.get(), blocks.get(), scale.get(), nullptr, nullptr,
                                                           nullptr, nullptr, 0, y.get(), n, e);
    });
  };
  constexpr std::int64_t kReals = 2 * kWeight;
  for (const Blocks* blocks : {&rows, &columns}) {
    EXPECT_EQ(of_rows(1, *blocks), 0);
    EXPECT_GE(of_rows(9, *blocks), kReals);
    EXPECT_LT(of_rows(9, *blocks), kReals + kWeight);
  }
}

}  // namespace
}  // namespace aclvk::test
