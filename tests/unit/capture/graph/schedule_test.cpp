#include "capture/graph/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/event/event.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs

using Nodes = std::vector<NodeId>;
using Units = std::vector<std::uint32_t>;

/// A graph of fills, which are device work, and of host functions, which are steps.
class ScheduleTest : public testing::Test {
 protected:
  void add_lanes(std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane) graph.add_lane(lane);
  }
  NodeId work(std::uint32_t lane) { return graph.add(lane, FillWordsTask{{}, 1}); }
  NodeId step(std::uint32_t lane) {
    return graph.add(lane, HostTask{"HOSTFUNC_CALLBACK", [] {}, nullptr});
  }
  NodeId record(std::uint32_t lane) { return graph.add_signal(lane, EventRecordTask{event, nullptr}); }
  void wait(std::uint32_t lane, NodeId for_record) {
    graph.add_signal(lane, EventWaitTask{event, nullptr, nullptr}, for_record);
  }
  void order(std::uint32_t from, std::uint32_t to) { wait(to, record(from)); }

  std::vector<Unit> partition() const { return capture::partition(graph); }
  /// Returns the unit that contains the node.
  static std::uint32_t unit_of(const std::vector<Unit>& units, NodeId node) {
    for (std::uint32_t i = 0; i < units.size(); ++i) {
      const auto& work = units[i].work;
      if (units[i].step == node || std::find(work.begin(), work.end(), node) != work.end()) return i;
    }
    ADD_FAILURE() << "node " << node << " is in no unit";
    return 0;
  }
  /// Returns whether the unit of the first node has to be issued before the unit of the second.
  static bool comes_before(const std::vector<Unit>& units, NodeId first, NodeId second) {
    const std::uint32_t wanted = unit_of(units, first);
    std::vector<std::uint32_t> open{unit_of(units, second)};
    while (!open.empty()) {
      const std::uint32_t unit = open.back();
      open.pop_back();
      if (unit == wanted) return true;
      open.insert(open.end(), units[unit].predecessors.begin(), units[unit].predecessors.end());
    }
    return false;
  }

  EventPtr event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  Graph graph;
};

TEST_F(ScheduleTest, EmptyGraphHasNoUnits) {
  add_lanes(1);
  EXPECT_TRUE(partition().empty());
}

TEST_F(ScheduleTest, GraphWithoutStepsIsOneUnit) {
  add_lanes(2);
  const NodeId first = work(0);
  order(0, 1);
  const NodeId second = work(1);
  order(1, 0);
  const NodeId third = work(0);
  const auto units = partition();
  ASSERT_EQ(units.size(), 1u);
  EXPECT_EQ(units[0].work, (Nodes{first, second, third}));
  EXPECT_TRUE(units[0].predecessors.empty());
  EXPECT_TRUE(units[0].successors.empty());
}

TEST_F(ScheduleTest, StepCutsItsLane) {
  add_lanes(1);
  const NodeId before = work(0);
  const NodeId between = step(0);
  const NodeId after = work(0);
  const auto units = partition();
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[0].work, Nodes{before});
  EXPECT_EQ(units[0].successors, Units{1});
  EXPECT_EQ(units[1].step, between);
  EXPECT_EQ(units[1].predecessors, Units{0});
  EXPECT_EQ(units[2].work, Nodes{after});
  EXPECT_EQ(units[2].predecessors, Units{1});
}

// A step of one lane, work after it, and a step of another lane that waits for that work: no step is between the two
// steps, so vector clocks alone would let the second step run before the work.
TEST_F(ScheduleTest, StepWaitsForTheWorkOfAnotherLaneThatComesAfterAStep) {
  add_lanes(2);
  order(0, 1);
  step(0);
  const NodeId copy = work(0);
  order(0, 1);
  const NodeId look = step(1);
  const auto units = partition();
  EXPECT_EQ(units[unit_of(units, look)].predecessors, Units{unit_of(units, copy)});
}

TEST_F(ScheduleTest, StepWaitsForWorkThatReachesItThroughLanesWithoutWork) {
  add_lanes(4);
  step(0);
  const NodeId copy = work(0);
  order(0, 1);
  order(1, 2);
  order(2, 3);
  const NodeId look = step(3);
  const auto units = partition();
  EXPECT_EQ(units[unit_of(units, look)].predecessors, Units{unit_of(units, copy)});
}

TEST_F(ScheduleTest, StepWaitsForAllBranchesThatAreJoinedInFrontOfIt) {
  add_lanes(3);
  order(0, 1);
  order(0, 2);
  step(1);
  const NodeId one = work(1);
  step(2);
  const NodeId two = work(2);
  order(1, 0);
  order(2, 0);
  const NodeId look = step(0);
  const auto units = partition();
  EXPECT_EQ(units[unit_of(units, look)].predecessors, (Units{unit_of(units, one), unit_of(units, two)}));
}

TEST_F(ScheduleTest, StepDoesNotHoldAnIndependentLane) {
  add_lanes(2);
  order(0, 1);
  const NodeId gate = step(1);
  const NodeId held = work(1);
  const NodeId free = work(0);
  order(1, 0);
  const NodeId joined = work(0);
  const auto units = partition();
  ASSERT_EQ(units.size(), 3u);
  EXPECT_EQ(units[unit_of(units, free)].work, Nodes{free});
  EXPECT_TRUE(units[unit_of(units, free)].predecessors.empty());
  EXPECT_EQ(units[unit_of(units, held)].work, (Nodes{held, joined}));
  EXPECT_EQ(units[unit_of(units, held)].predecessors, (Units{unit_of(units, free), unit_of(units, gate)}));
}

TEST_F(ScheduleTest, StepOfOneBranchDoesNotWaitForTheWorkOfAnother) {
  add_lanes(2);
  order(0, 1);
  const NodeId gate = step(0);
  const NodeId slow = work(0);
  const NodeId look = step(1);
  order(1, 0);
  const auto units = partition();
  EXPECT_TRUE(units[unit_of(units, look)].predecessors.empty());
  EXPECT_FALSE(comes_before(units, slow, look));
  EXPECT_TRUE(comes_before(units, gate, slow));
}

TEST_F(ScheduleTest, TwoGatedBranchesAreUnitsOfTheirOwn) {
  add_lanes(3);
  order(0, 1);
  order(0, 2);
  step(1);
  const NodeId one = work(1);
  step(2);
  const NodeId two = work(2);
  order(1, 0);
  order(2, 0);
  const NodeId end = work(0);
  const auto units = partition();
  ASSERT_EQ(units.size(), 5u);
  EXPECT_EQ(units[unit_of(units, one)].work, Nodes{one});
  EXPECT_EQ(units[unit_of(units, two)].work, Nodes{two});
  EXPECT_EQ(units[unit_of(units, end)].predecessors, (Units{unit_of(units, one), unit_of(units, two)}));
}

TEST_F(ScheduleTest, WaitForARecordBeforeAStepDoesNotWaitForTheStep) {
  add_lanes(2);
  const NodeId early = record(0);
  const NodeId gate = step(0);
  wait(1, early);
  const NodeId free = work(1);
  EXPECT_FALSE(comes_before(partition(), gate, free));
}

TEST_F(ScheduleTest, UnitsThatOthersDependOnComeFirst) {
  add_lanes(3);
  for (int round = 0; round < 4; ++round) {
    for (std::uint32_t lane = 0; lane < 3; ++lane) {
      work(lane);
      step(lane);
      work(lane);
      order(lane, (lane + 1) % 3);
    }
  }
  const auto units = partition();
  for (std::uint32_t unit = 0; unit < units.size(); ++unit) {
    for (const std::uint32_t before : units[unit].predecessors) {
      EXPECT_LT(before, unit);
      const auto& successors = units[before].successors;
      EXPECT_EQ(std::count(successors.begin(), successors.end(), unit), 1);
    }
  }
}

// Disabled tasks

TEST_F(ScheduleTest, DisabledStepCutsNothing) {
  add_lanes(1);
  work(0);
  graph.node(step(0)).disabled = true;
  work(0);
  EXPECT_EQ(partition().size(), 1u);
}

TEST_F(ScheduleTest, DisabledWorkKeepsItsLaneInOrder) {
  add_lanes(1);
  const NodeId first = step(0);
  graph.node(work(0)).disabled = true;
  const NodeId second = step(0);
  const auto units = partition();
  EXPECT_EQ(units[unit_of(units, second)].predecessors, Units{unit_of(units, first)});
}

TEST_F(ScheduleTest, DisabledRecordOrdersWhatComesBeforeIt) {
  add_lanes(2);
  const NodeId gate = step(0);
  const NodeId disabled = record(0);
  graph.node(disabled).disabled = true;
  wait(1, disabled);
  const NodeId held = work(1);
  EXPECT_TRUE(comes_before(partition(), gate, held));
}

}  // namespace
}  // namespace aclvk::capture
