// Tests when a stream queries its device during a loop of launches (docs/adr/0014).
#include "runtime/stream/burst.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace aclvk::runtime {
namespace {

using namespace std::chrono_literals;

class BurstTest : public testing::Test {
 protected:
  /// Begins a batch so long after the last submission.
  void begin_after(std::chrono::microseconds gap) { burst.begin_batch(now += gap); }
  /// Launches tasks of the batch. Returns the numbers of those with a query, from 1.
  std::vector<int> queries_in(int tasks) {
    std::vector<int> queries;
    for (int task = 1; task <= tasks; ++task) {
      if (burst.queries_after_task()) queries.push_back(task);
    }
    return queries;
  }

  Burst burst;
  Burst::Time now{1h};
};

TEST_F(BurstTest, EachTaskQueriesOutsideOfOne) {
  begin_after(0us);
  EXPECT_EQ(queries_in(3), (std::vector<int>{1, 2, 3}));
  burst.end_batch(now);
  begin_after(Burst::kLongestGap);
  EXPECT_EQ(queries_in(2), (std::vector<int>{1, 2}));
}

TEST_F(BurstTest, TheIntervalDoublesUpToALimit) {
  burst.end_batch(now);
  begin_after(1us);
  EXPECT_EQ(queries_in(8 + 16 + 32 + 64 + 64), (std::vector<int>{8, 24, 56, 120, 184}));
}

TEST_F(BurstTest, TheNextBatchOfABurstKeepsTheInterval) {
  burst.end_batch(now);
  begin_after(1us);
  EXPECT_EQ(queries_in(8), std::vector<int>{8});
  burst.end_batch(now);
  begin_after(49us);
  EXPECT_EQ(queries_in(16), std::vector<int>{16});
}

TEST_F(BurstTest, APauseBeginsTheCountAnew) {
  burst.end_batch(now);
  begin_after(1us);
  queries_in(8 + 16 + 32);
  burst.end_batch(now);
  begin_after(1ms);
  burst.end_batch(now);
  begin_after(1us);
  EXPECT_EQ(queries_in(8), std::vector<int>{8});
}

TEST_F(BurstTest, AThreadThatWaitsEndsIt) {
  burst.end_batch(now);
  burst.end();
  begin_after(1us);
  EXPECT_EQ(queries_in(1), std::vector<int>{1});
}

}  // namespace
}  // namespace aclvk::runtime
