#include "ops/linalg/matrices.hpp"

#include <gtest/gtest.h>

namespace aclvk::ops {
namespace {

TEST(MatrixSteps, AreOneRangeWhereTheyTakeFewIterations) {
  const auto ranges = ranges_of_steps(10, [](std::int64_t) { return 5; });
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].first, 0);
  EXPECT_EQ(ranges[0].count, 10);
  EXPECT_TRUE(ranges_of_steps(0, [](std::int64_t) { return 5; }).empty());
}

TEST(MatrixSteps, AreCutWhereTheyTakeMoreIterationsThanAThreadHas) {
  const auto iterations = [](std::int64_t step) { return 1000 + 10 * step; };
  std::int64_t next = 0;
  for (const StepRange& range : ranges_of_steps(500, iterations)) {
    EXPECT_EQ(range.first, next);
    next += range.count;
    std::int64_t taken = 0;
    for (std::int64_t step = range.first; step < next; ++step) taken += iterations(step);
    EXPECT_LE(taken, kMaxIterations);
  }
  EXPECT_EQ(next, 500);
}

TEST(MatrixSteps, OfTooManyIterationsAreAlone) {
  const auto ranges = ranges_of_steps(3, [](std::int64_t step) { return step == 1 ? kMaxIterations + 1 : 1; });
  ASSERT_EQ(ranges.size(), 3U);
  for (const StepRange& range : ranges) EXPECT_EQ(range.count, 1);
}

}  // namespace
}  // namespace aclvk::ops
