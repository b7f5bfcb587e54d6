#include "aclnnop/aclnn_embedding_dense_backward.h"
#include "aclnnop/aclnn_embedding_dense_grad.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

struct Table {
  std::int64_t rows = 0;
  std::int64_t padding = -1;
  bool by_frequency = false;
};

class EmbeddingGradient : public OpTest {
 protected:
  /// Each row of the table, summed up on the host.
  static std::vector<Real> expected_sums(const OpTensor& grad, const OpTensor& indices, const Table& table) {
    const std::int64_t columns = grad.shape().back();
    std::vector<Real> sums(static_cast<std::size_t>(table.rows * columns), 0);
    std::vector<Real> counts(static_cast<std::size_t>(table.rows), 0);
    for (std::int64_t i = 0; i < indices.count(); ++i) {
      const auto row = static_cast<std::int64_t>(indices.before(i).real());
      if (row < 0 || row >= table.rows || row == table.padding) continue;
      counts[static_cast<std::size_t>(row)] += 1;
      for (std::int64_t k = 0; k < columns; ++k) {
        sums[static_cast<std::size_t>(row * columns + k)] += grad.before(i * columns + k).real();
      }
    }
    for (std::int64_t i = 0; table.by_frequency && i < table.rows * columns; ++i) {
      sums[static_cast<std::size_t>(i)] /= std::max<Real>(counts[static_cast<std::size_t>(i / columns)], 1);
    }
    return sums;
  }

  static void check_sums(const OpTensor& grad, const OpTensor& indices, const Table& table, const View& view = {}) {
    SCOPED_TRACE("dtype " + std::to_string(grad.type()));
    const OpTensor out(grad.type(), {table.rows, grad.shape().back()}, view);
    const std::vector<Real> sums = expected_sums(grad, indices, table);
    const auto expected = [&](std::int64_t i) { return rounded(sums[static_cast<std::size_t>(i)], out.type()); };
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnEmbeddingDenseBackwardGetWorkspaceSize(
              grad.get(), indices.get(), static_cast<std::uint64_t>(table.rows),
              static_cast<std::uint64_t>(table.padding), table.by_frequency, out.get(), n, e);
        },
        aclnnEmbeddingDenseBackward, {&grad, &indices}, out);
    expect_elements(out, bytes, expected, false);
    const auto same = run(
        [&](auto* n, auto** e) {
          return aclnnEmbeddingDenseGradGetWorkspaceSize(grad.get(), indices.get(), table.rows, table.padding,
                                                         table.by_frequency, out.get(), n, e);
        },
        aclnnEmbeddingDenseGrad, {&grad, &indices}, out);
    EXPECT_TRUE(same == bytes) << "the two names of the operator differ";
  }

  static void check_random(aclDataType type, aclDataType index_type, const Shape& shape, std::int64_t columns,
                           const Table& table, const View& grad_view = {}, const View& index_view = {}) {
    Shape grad_shape = shape;
    grad_shape.push_back(columns);
    OpTensor grad(type, grad_shape, grad_view);
    OpTensor indices(index_type, shape, index_view);
    grad.fill_random(7);
    std::mt19937 random(11);
    indices.fill([&](std::int64_t) { return Real(random() % static_cast<unsigned>(table.rows)); });
    check_sums(grad, indices, table);
  }
};

TEST_F(EmbeddingGradient, SumsTheRowsOfEachIndex) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) check_random(type, index_type, {5, 13}, 17, {11});
  }
  check_random(ACL_FLOAT, ACL_INT64, {1}, 1, {1});
  check_random(ACL_FLOAT, ACL_INT64, {}, 7, {3});
}

TEST_F(EmbeddingGradient, RoundsASumOnce) {
  // 2048 and 500 ones: an addition of one in 16 bits would change nothing.
  OpTensor grad(ACL_FLOAT16, {501, 3});
  OpTensor indices(ACL_INT64, {501});
  grad.fill([](std::int64_t i) { return Real(i < 3 ? 2048 : 1); });
  indices.fill([](std::int64_t) { return Real(1); });
  check_sums(grad, indices, {4});
}

TEST_F(EmbeddingGradient, APaddingRowStaysZero) {
  check_random(ACL_FLOAT, ACL_INT64, {3, 29}, 5, {7, 2});
  check_random(ACL_BF16, ACL_INT32, {3, 29}, 5, {7, 6, true});
  check_random(ACL_FLOAT, ACL_INT64, {29}, 5, {7, 7});
}

TEST_F(EmbeddingGradient, DividesByTheNumberOfRows) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) check_random(type, ACL_INT64, {2, 31}, 13, {19, -1, true});
}

TEST_F(EmbeddingGradient, TakesIndicesOfOtherDtypes) {
  for (const aclDataType index_type : {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_FLOAT, ACL_FLOAT16, ACL_BOOL}) {
    check_random(ACL_FLOAT, index_type, {31}, 3, {2, -1, true});
  }
}

TEST_F(EmbeddingGradient, LeavesOutWhatIsNoRow) {
  OpTensor grad(ACL_FLOAT, {6, 5});
  OpTensor indices(ACL_INT64, {6});
  grad.fill_random(3);
  indices.fill([](std::int64_t i) { return Real(i - 2); });  // -2 to 3
  check_sums(grad, indices, {3});
}

TEST_F(EmbeddingGradient, TensorsMayBeAnyView) {
  check_random(ACL_FLOAT, ACL_INT64, {4, 7}, 5, {11}, {{1, 4, 31}, 3}, {{9, 1}, 2});
  check_random(ACL_FLOAT16, ACL_INT32, {4, 7}, 5, {11}, {{0, 0, 1}, 1}, {{1, 0}, 0});
  OpTensor grad(ACL_FLOAT, {6, 5});
  OpTensor indices(ACL_INT64, {6});
  grad.fill_random(3);
  indices.fill([](std::int64_t i) { return Real(i * i % 4); });
  check_sums(grad, indices, {4, 1, true}, {{1, 9}, 5});
}

TEST_F(EmbeddingGradient, OfNothingIsZero) {
  const OpTensor grad(ACL_FLOAT, {0, 5});
  const OpTensor indices(ACL_INT64, {0});
  check_sums(grad, indices, {3});
  check_sums(grad, indices, {0});
  const OpTensor flat(ACL_FLOAT, {4, 0});
  OpTensor four(ACL_INT64, {4});
  four.fill([](std::int64_t) { return Real(0); });
  check_sums(flat, four, {3});
}

TEST_F(EmbeddingGradient, GoesThroughMoreIndicesThanALoopHasIterations) {
  check_random(ACL_FLOAT, ACL_INT64, {70001}, 1, {5, 3, true});
}

TEST_F(EmbeddingGradient, RefusesOthers) {
  const OpTensor grad(ACL_FLOAT, {4, 5});
  const OpTensor whole(ACL_INT32, {4, 5});
  const OpTensor indices(ACL_INT64, {4});
  const OpTensor three(ACL_INT64, {3});
  const OpTensor out(ACL_FLOAT, {7, 5});
  const OpTensor half(ACL_FLOAT16, {7, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* g, const aclTensor* i, std::uint64_t rows, const aclTensor* y) {
    return aclnnEmbeddingDenseBackwardGetWorkspaceSize(g, i, rows, 0, false, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, indices.get(), 7, out.get()), 161001);
  EXPECT_EQ(plan(grad.get(), nullptr, 7, out.get()), 161001);
  EXPECT_EQ(plan(grad.get(), indices.get(), 7, nullptr), 161001);
  EXPECT_EQ(plan(whole.get(), indices.get(), 7, whole.get()), 161002);
  EXPECT_EQ(plan(grad.get(), indices.get(), 7, half.get()), 161002);
  EXPECT_EQ(plan(grad.get(), three.get(), 7, out.get()), 161002);
  EXPECT_EQ(plan(grad.get(), indices.get(), 6, out.get()), 161002);
  EXPECT_EQ(plan(grad.get(), indices.get(), ~std::uint64_t{0}, out.get()), 161002);
  EXPECT_EQ(plan(grad.get(), indices.get(), 4, grad.get()), 161002) << "out and grad share memory";
}

}  // namespace
}  // namespace aclvk::test
