#include "aclnnop/aclnn_embedding_renorm.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class EmbeddingRenorm : public OpTest {
 protected:
  static Real norm_of(const OpTensor& table, std::int64_t row, double kind) {
    Real sum = 0;
    Real most = 0;
    for (std::int64_t i = 0; i < table.shape()[1]; ++i) {
      const Real value = std::abs(table.before(row * table.shape()[1] + i).real());
      sum += std::pow(value, static_cast<Real>(kind));
      most = std::max(most, value);
    }
    return std::isinf(kind) ? most : std::pow(sum, 1 / static_cast<Real>(kind));
  }
};

TEST_F(EmbeddingRenorm, ScalesEachNamedRowOnce) {
  const std::vector<std::int64_t> named = {3, 0, 3, -1, 12, 6};  // twice, from the end, nowhere
  const auto is_named = [](std::int64_t row) { return row == 3 || row == 0 || row == 10 || row == 6; };
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (const double kind : {1.0, 2.0, 2.5, static_cast<double>(INFINITY)}) {
        OpTensor table(type, {11, 5}, {{13, 2}, 3});
        table.fill_random(3);
        OpTensor indices(index, {2, 3}, {{4, 1}, 1});
        indices.fill([&](std::int64_t i) -> Number { return Real(named[static_cast<std::size_t>(i)]); });
        const auto expected = [&](std::int64_t i) -> Number {
          const Real norm = norm_of(table, i / 5, kind);
          const bool scaled = is_named(i / 5) && norm > 2.5L;
          return rounded(table.before(i).real() * (scaled ? 2.5L / (norm + 1e-7L) : 1), type);
        };
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnEmbeddingRenormGetWorkspaceSize(table.get(), indices.get(), 2.5, kind, n, e);
            },
            aclnnEmbeddingRenorm, {&indices}, table);
        expect_elements(table, bytes, expected, false);
      }
    }
  }
}

TEST_F(EmbeddingRenorm, DoesNothingWithoutRows) {
  OpTensor table(ACL_FLOAT, {4, 3});
  table.fill_random(3);
  const OpTensor none(ACL_INT64, {0});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnEmbeddingRenormGetWorkspaceSize(table.get(), none.get(), 1, 2, n, e); },
          aclnnEmbeddingRenorm, {}, table);
  expect_elements(
      table, bytes, [&](std::int64_t i) { return table.before(i); }, true);
  const OpTensor empty(ACL_FLOAT, {0, 3});
  const OpTensor index(ACL_INT64, {2});
  enqueue([&](auto* n, auto** e) { return aclnnEmbeddingRenormGetWorkspaceSize(empty.get(), index.get(), 1, 2, n, e); },
          aclnnEmbeddingRenorm);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
}

TEST_F(EmbeddingRenorm, RefusesOthers) {
  const OpTensor table(ACL_FLOAT, {4, 3});
  const OpTensor vector(ACL_FLOAT, {4});
  const OpTensor doubles(ACL_DOUBLE, {4, 3});
  const OpTensor indices(ACL_INT64, {2});
  const OpTensor halves(ACL_INT16, {2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](aclTensor* self, const aclTensor* index, double most) {
    return aclnnEmbeddingRenormGetWorkspaceSize(self, index, most, 2, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, indices.get(), 1), 161001);
  EXPECT_EQ(plan(table.get(), nullptr, 1), 161001);
  EXPECT_EQ(plan(vector.get(), indices.get(), 1), 161002);
  EXPECT_EQ(plan(doubles.get(), indices.get(), 1), 161002);
  EXPECT_EQ(plan(table.get(), halves.get(), 1), 161002);
  EXPECT_EQ(plan(table.get(), indices.get(), -1), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
