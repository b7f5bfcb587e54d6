#include "aclnnop/aclnn_grouped_bias_add_grad.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class GroupedBias : public OpTest {
 protected:
  /// Rows `first` to `last` of a column.
  static Real sum_of(const OpTensor& gradient, std::int64_t first, std::int64_t last, std::int64_t columns,
                     std::int64_t column) {
    Real sum = 0;
    for (std::int64_t row = first; row < last; ++row) sum += gradient.before(row * columns + column).real();
    return sum;
  }
};

TEST_F(GroupedBias, SumsTheRowsOfGroups) {
  const std::vector<std::int64_t> ends = {4, 4, 150, 151, 400};  // an empty group, and an end after the last row
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const aclDataType index : {ACL_INT32, ACL_INT64}) {
      for (const std::int64_t columns : {1, 5, 8}) {
        for (const bool counts : {false, true}) {
          OpTensor gradient(type, {157, columns}, {{columns + 3, 1}, 1});
          gradient.fill([](std::int64_t i) -> Number { return Real(1 + i % 7) / 4; });
          OpTensor groups(index, {5}, {{2}, 1});
          groups.fill([&](std::int64_t i) -> Number {
            const auto at = static_cast<std::size_t>(i);
            return Real(counts && i > 0 ? ends[at] - ends[at - 1] : ends[at]);
          });
          const OpTensor out(type, {5, columns});
          const auto expected = [&](std::int64_t i) -> Number {
            const auto group = static_cast<std::size_t>(i / columns);
            const std::int64_t first = group == 0 ? 0 : std::min<std::int64_t>(ends[group - 1], 157);
            return rounded(sum_of(gradient, first, std::min<std::int64_t>(ends[group], 157), columns, i % columns),
                           type);
          };
          const auto bytes = run(
              [&](auto* n, auto** e) {
                return aclnnGroupedBiasAddGradV2GetWorkspaceSize(gradient.get(), groups.get(), counts, out.get(), n, e);
              },
              aclnnGroupedBiasAddGradV2, {&gradient, &groups}, out);
          expect_elements(out, bytes, expected, false);
          if (counts) continue;
          const auto first = run(
              [&](auto* n, auto** e) {
                return aclnnGroupedBiasAddGradGetWorkspaceSize(gradient.get(), groups.get(), out.get(), n, e);
              },
              aclnnGroupedBiasAddGrad, {&gradient, &groups}, out);
          EXPECT_TRUE(first == bytes);
        }
      }
    }
  }
}

TEST_F(GroupedBias, SumsTheMiddleDimWithoutGroups) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    OpTensor gradient(type, {3, 19, 8});
    gradient.fill_random(5);
    const OpTensor out(type, {3, 8});
    const auto bytes =
        run([&](auto* n,
                auto** e) { return aclnnGroupedBiasAddGradGetWorkspaceSize(gradient.get(), nullptr, out.get(), n, e); },
            aclnnGroupedBiasAddGrad, {&gradient}, out);
    const auto expected = [&](std::int64_t i) -> Number {
      return rounded(sum_of(gradient, i / 8 * 19, i / 8 * 19 + 19, 8, i % 8), type);
    };
    expect_elements(out, bytes, expected, false);
  }
}

TEST_F(GroupedBias, RefusesOthers) {
  const OpTensor matrix(ACL_FLOAT, {9, 4});
  const OpTensor cube(ACL_FLOAT, {2, 9, 4});
  const OpTensor groups(ACL_INT64, {2});
  const OpTensor floats(ACL_FLOAT, {2});
  const OpTensor out(ACL_FLOAT, {2, 4});
  const OpTensor halves(ACL_FLOAT16, {2, 4});
  const OpTensor other(ACL_FLOAT, {3, 4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* gradient, const aclTensor* index, std::int64_t type, aclTensor* to) {
    return aclnnGroupedBiasAddGradV2GetWorkspaceSize(gradient, index, type, to, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, groups.get(), 0, out.get()), 161001);
  EXPECT_EQ(plan(matrix.get(), groups.get(), 0, nullptr), 161001);
  EXPECT_EQ(plan(matrix.get(), floats.get(), 0, out.get()), 161002);
  EXPECT_EQ(plan(matrix.get(), groups.get(), 2, out.get()), 161002);
  EXPECT_EQ(plan(matrix.get(), groups.get(), 0, halves.get()), 161002);
  EXPECT_EQ(plan(matrix.get(), groups.get(), 0, other.get()), 161002);
  EXPECT_EQ(plan(cube.get(), groups.get(), 0, out.get()), 161002);
  EXPECT_EQ(plan(matrix.get(), nullptr, 0, out.get()), 161002);
  EXPECT_EQ(plan(cube.get(), nullptr, 0, other.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
