#include "runtime/queue/routing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

using Ids = std::vector<std::uint32_t>;

TEST(Routing, KeepsEachEdgeOnceAndInOrder) {
  Routing routing;
  routing.add(1, 3);
  routing.add(1, 2);
  routing.add(1, 3);
  EXPECT_EQ(routing.targets_of(1), (Ids{3, 2}));
  EXPECT_EQ(routing.sources(), Ids{1});
  routing.remove(1, 3);
  EXPECT_EQ(routing.targets_of(1), Ids{2});
}

TEST(Routing, ForgetsAQueueAtBothEnds) {
  Routing routing;
  routing.add(1, 2);
  routing.add(2, 3);
  routing.add(1, 3);
  routing.remove_queue(2);
  EXPECT_EQ(routing.targets_of(1), Ids{3});
  EXPECT_TRUE(routing.targets_of(2).empty());
}

TEST(Routing, RefusesCirclesOfAnyLength) {
  Routing routing;
  EXPECT_THROW(routing.add(1, 1), Error);
  routing.add(1, 2);
  EXPECT_THROW(routing.add(2, 1), Error);
  routing.add(2, 3);
  EXPECT_THROW(routing.add(3, 1), Error);
  EXPECT_TRUE(routing.targets_of(3).empty());
}

// A search that walks every path would need 2^40 steps.
TEST(Routing, LooksAtEachQueueOnce) {
  Routing routing;
  for (std::uint32_t layer = 0; layer < 40; ++layer) {
    for (const std::uint32_t middle : {3 * layer + 1, 3 * layer + 2}) {
      routing.add(3 * layer, middle);
      routing.add(middle, 3 * layer + 3);
    }
  }
  EXPECT_THROW(routing.add(120, 0), Error);
}

}  // namespace
}  // namespace aclvk::runtime
