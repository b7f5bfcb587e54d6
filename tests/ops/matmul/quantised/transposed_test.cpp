#include <limits>

#include "aclnnop/aclnn_transpose_batch_mat_mul.h"
#include "ops/matmul/formats/blocks.hpp"

namespace aclvk::test {
namespace {

class TransposedBatches : public OpTest {};

TEST_F(TransposedBatches, DimsComeInAnotherOrder) {
  // Rows, batch, depth times batch, depth, columns; the result is rows, batch, columns again.
  OpTensor x1(ACL_FLOAT16, {5, 3, 16});
  OpTensor x2(ACL_FLOAT16, {3, 16, 8});
  fill_eighths(x1, 1);
  fill_eighths(x2, 2);
  const OpInts order1({1, 0, 2});
  const OpInts order2({0, 1, 2});
  const OpInts of_out({1, 0, 2});
  const OpTensor out(ACL_FLOAT16, {5, 3, 8});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnTransposeBatchMatMulGetWorkspaceSize(x1.get(), x2.get(), nullptr, nullptr, order1.get(),
                                                         order2.get(), of_out.get(), 0, 1, out.get(), n, e);
      },
      aclnnTransposeBatchMatMul, {&x1, &x2}, out);
  const auto expected = [&](std::int64_t i) {
    const Shape at = coordinates_of(i, out.shape());
    Number sum = 0;
    for (std::int64_t k = 0; k < 16; ++k) {
      sum +=
          x1.before(element_at({at[0], at[1], k}, x1.shape())) * x2.before(element_at({at[1], k, at[2]}, x2.shape()));
    }
    return held(sum, ACL_FLOAT16);
  };
  expect_elements(out, bytes, expected, true);
}

/// Five rows of four matrices each times four weights.
class JoinedBatches : public OpTest {
 protected:
  static constexpr std::int64_t kM = 5, kB = 4, kK = 32, kN = 24;

  JoinedBatches() {
    fill_eighths(x1, 1);
    fill_eighths(x2, 2);
    fill_blocks(storage, x2);
  }
  /// The element of a row in a column of a matrix.
  Number product(std::int64_t row, std::int64_t batch, std::int64_t column) const {
    Number sum = 0;
    for (std::int64_t k = 0; k < kK; ++k) {
      sum += x1.before(element_at({row, batch, k}, x1.shape())) * x2.before(element_at({batch, k, column}, x2.shape()));
    }
    return sum;
  }

  OpTensor x1{ACL_FLOAT16, {kM, kB, kK}};
  OpTensor x2{ACL_FLOAT16, {kB, kK, kN}};
  OpTensor storage{ACL_FLOAT16, storage_shape(ACL_FLOAT16, {kB, kK, kN})};
  Blocks blocks{storage, {kB, kK, kN}};
  OpInts transposed{1, 0, 2};
  OpInts plain{0, 1, 2};
};

TEST_F(JoinedBatches, InPartsOfTheBatch) {
  for (const bool in_blocks : {false, true}) {
    const OpTensor out(ACL_FLOAT16, {2, kM, kB / 2 * kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return in_blocks
                     ? aclnnTransposeBatchMatMulWeightNzGetWorkspaceSize(x1.get(), blocks.get(), nullptr, nullptr,
                                                                         transposed.get(), plain.get(),
                                                                         transposed.get(), 0, 2, out.get(), n, e)
                     : aclnnTransposeBatchMatMulGetWorkspaceSize(x1.get(), x2.get(), nullptr, nullptr, transposed.get(),
                                                                 plain.get(), transposed.get(), 0, 2, out.get(), n, e);
        },
        in_blocks ? aclnnTransposeBatchMatMulWeightNz : aclnnTransposeBatchMatMul, {&x1, &x2, &storage}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const Shape at = coordinates_of(i, out.shape());
          return held(product(at[1], at[0] * 2 + at[2] / kN, at[2] % kN), ACL_FLOAT16);
        },
        true);
  }
}

TEST_F(JoinedBatches, RoundedToBytes) {
  OpTensor words(ACL_UINT64, {kB * kN});
  const auto scale_of = [](std::int64_t i) { return std::ldexp(1.0F, static_cast<int>(i % 3) - 2); };
  const auto offset_of = [](std::int64_t i) { return i % 5; };
  words.fill([&](std::int64_t i) -> Number {
    const float scale = scale_of(i);
    std::uint32_t bits;
    std::memcpy(&bits, &scale, sizeof(bits));
    return Real(static_cast<std::uint64_t>(offset_of(i)) << 37 | bits);
  });
  const OpTensor out(ACL_INT8, {kM, 1, kB * kN});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnTransposeBatchMatMulGetWorkspaceSize(x1.get(), x2.get(), nullptr, words.get(), transposed.get(),
                                                         plain.get(), transposed.get(), 0, 1, out.get(), n, e);
      },
      aclnnTransposeBatchMatMul, {&x1, &x2, &words}, out);
  expect_elements(
      out, bytes,
      [&](std::int64_t i) -> Number {
        const std::int64_t column = i % (kB * kN);
        const Real value = product(i / (kB * kN), column / kN, column % kN).real() * scale_of(column);
        return std::clamp(std::nearbyint(value + Real(offset_of(column))), Real(-128), Real(127));
      },
      true);
}

/// The weights of a batch in blocks of a matrix each, and the order in which their dims are those of a product.
struct WeightsInBlocks {
  Shape shape;      ///< as stored
  bool transposed;  ///< the view has the last two dims the other way round
  std::vector<std::int64_t> order;
};

TEST_F(TransposedBatches, WeightsMayLieInBlocks) {
  constexpr std::int64_t kM = 5, kB = 23, kK = 37, kN = 53;
  OpTensor x1(ACL_FLOAT16, {kM, kB, kK});
  fill_eighths(x1, 1);
  const OpInts rows_first{1, 0, 2};
  for (const WeightsInBlocks& weights :
       {WeightsInBlocks{{kB, kK, kN}, false, {0, 1, 2}}, WeightsInBlocks{{kB, kN, kK}, true, {0, 1, 2}},
        WeightsInBlocks{{kB, kN, kK}, false, {0, 2, 1}}, WeightsInBlocks{{kK, kB, kN}, false, {1, 0, 2}},
        WeightsInBlocks{{kN, kK, kB}, false, {2, 1, 0}}, WeightsInBlocks{{kK, kN, kB}, true, {1, 0, 2}}}) {
    SCOPED_TRACE(testing::Message() << "shape " << testing::PrintToString(weights.shape) << ", order "
                                    << testing::PrintToString(weights.order)
                                    << (weights.transposed ? ", transposed" : ""));
    OpTensor x2(ACL_FLOAT16, weights.shape);
    fill_eighths(x2, 2);
    OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, weights.shape));
    fill_blocks(storage, x2, std::numeric_limits<Real>::quiet_NaN());
    const Blocks blocks(storage, weights.shape, weights.transposed);
    const OpInts order(weights.order);
    const OpTensor out(ACL_FLOAT16, {kM, kB, kN});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnTransposeBatchMatMulWeightNzGetWorkspaceSize(x1.get(), blocks.get(), nullptr, nullptr,
                                                                   rows_first.get(), order.get(), rows_first.get(), 0,
                                                                   1, out.get(), n, e);
        },
        aclnnTransposeBatchMatMulWeightNz, {&x1, &storage}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const Shape at = coordinates_of(i, out.shape());
          Number sum = 0;
          for (std::int64_t k = 0; k < kK; ++k) {
            const Shape element{at[1], k, at[2]};
            Shape place(3);
            for (std::size_t dim = 0; dim < 3; ++dim)
              place[static_cast<std::size_t>(weights.order[dim])] = element[dim];
            if (weights.transposed) std::swap(place[1], place[2]);
            sum += x1.before(element_at({at[0], at[1], k}, x1.shape())) * x2.before(element_at(place, x2.shape()));
          }
          return held(sum, ACL_FLOAT16);
        },
        true);
  }
}

TEST_F(TransposedBatches, WeightsInBlocksAreNotUnpacked) {
  const OpTensor x1(ACL_FLOAT16, {1, 8, 64});
  const OpTensor storage(ACL_FLOAT16, storage_shape(ACL_FLOAT16, {8, 64, 48}));
  const Blocks blocks(storage, {8, 64, 48});
  const OpTensor out(ACL_FLOAT16, {1, 8, 48});
  const OpInts rows_first{1, 0, 2};
  const OpInts plain{0, 1, 2};
  uint64_t size = 1;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnTransposeBatchMatMulWeightNzGetWorkspaceSize(x1.get(), blocks.get(), nullptr, nullptr,
                                                              rows_first.get(), plain.get(), rows_first.get(), 0, 1,
                                                              out.get(), &size, &executor),
            0);
  EXPECT_LT(size, storage.bytes()) << "what the weights would take once more";
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(TransposedBatches, RefusesOthers) {
  const OpTensor x1(ACL_FLOAT16, {5, 3, 16});
  const OpTensor x2(ACL_FLOAT16, {3, 16, 8});
  const OpTensor out(ACL_FLOAT16, {3, 5, 8});
  const OpTensor words(ACL_UINT64, {24});
  const OpInts transposed({1, 0, 2});
  const OpInts plain({0, 1, 2});
  const OpInts twice({1, 1, 2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpInts& order1, const OpInts& of_out, const aclTensor* scale, int parts) {
    return aclnnTransposeBatchMatMulGetWorkspaceSize(x1.get(), x2.get(), nullptr, scale, order1.get(), plain.get(),
                                                     of_out.get(), 0, parts, out.get(), &size, &executor);
  };
  EXPECT_EQ(plan(plain, plain, nullptr, 1), 161002);
  EXPECT_EQ(plan(twice, plain, nullptr, 1), 161002);
  EXPECT_EQ(plan(transposed, transposed, nullptr, 1), 161002);
  EXPECT_EQ(plan(transposed, plain, x1.get(), 1), 161002);
  EXPECT_EQ(plan(transposed, plain, words.get(), 1), 161002);
  EXPECT_EQ(plan(transposed, plain, nullptr, 2), 161002);
  EXPECT_EQ(plan(transposed, transposed, nullptr, 2), 161002);
  EXPECT_EQ(aclnnTransposeBatchMatMulGetWorkspaceSize(x1.get(), x2.get(), out.get(), nullptr, transposed.get(),
                                                      plain.get(), plain.get(), 0, 1, out.get(), &size, &executor),
            207000);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
