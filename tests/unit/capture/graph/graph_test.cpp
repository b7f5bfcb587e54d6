#include "capture/graph/graph.hpp"

#include <gtest/gtest.h>

#include "runtime/event/event.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs

EventPtr ordinary() { return std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync); }
EventPtr external() { return std::make_shared<Event>(EventMaker::kWithFlag, kEventExternal); }

/// Lanes 0, 1, 2, ..., and the operations of forks and joins.
class GraphTest : public testing::Test {
 protected:
  void add_lanes(std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane) graph.add_lane(100 + lane);
  }
  NodeId work(std::uint32_t lane) { return graph.add(lane, FillTask{}); }
  NodeId record(std::uint32_t lane) { return graph.add_signal(lane, EventRecordTask{ordinary(), nullptr}); }
  NodeId wait(std::uint32_t lane, NodeId for_record) {
    return graph.add_signal(lane, EventWaitTask{ordinary(), nullptr, nullptr}, for_record);
  }
  /// Makes `to` wait for all tasks that are on `from` so far.
  void order(std::uint32_t from, std::uint32_t to) { wait(to, record(from)); }

  Graph graph;
};

TEST_F(GraphTest, NodesKnowTheNodeBeforeThemOnTheirLane) {
  add_lanes(2);
  const NodeId first = work(0);
  const NodeId other = work(1);
  const NodeId second = work(0);
  EXPECT_EQ(graph.node(first).previous, kNoNode);
  EXPECT_EQ(graph.node(other).previous, kNoNode);
  EXPECT_EQ(graph.node(second).previous, first);
  EXPECT_EQ(graph.lanes()[0].nodes, (std::vector<NodeId>{first, second}));
  EXPECT_EQ(graph.lanes()[1].stream_id, 101u);
}

TEST_F(GraphTest, LaneMayBeginWithTasks) {
  add_lanes(1);
  work(0);
  std::vector<Task> tasks(2, FillTask{});
  EXPECT_EQ(graph.add_lane(7, std::move(tasks)), 1u);
  EXPECT_EQ(graph.lanes()[1].nodes, (std::vector<NodeId>{1, 2}));
  EXPECT_EQ(graph.node(2).previous, 1u);
  EXPECT_EQ(graph.node(2).lane, 1u);
}

TEST_F(GraphTest, EachRecordHasASignalOfItsOwnAndItsWaitsShareIt) {
  add_lanes(2);
  const NodeId first = record(0);
  const NodeId second = record(0);
  const NodeId waiting = wait(1, second);
  EXPECT_NE(graph.node(first).signal_id, graph.node(second).signal_id);
  EXPECT_EQ(graph.node(waiting).signal_id, graph.node(second).signal_id);
  EXPECT_EQ(graph.node(waiting).record, second);
}

TEST_F(GraphTest, TheOriginAloneIsJoined) {
  add_lanes(1);
  EXPECT_EQ(graph.find_unjoined_lane(), 0u);
  work(0);
  EXPECT_EQ(graph.find_unjoined_lane(), 0u);
}

TEST_F(GraphTest, DirectJoin) {
  add_lanes(2);
  order(0, 1);
  work(1);
  order(1, 0);
  EXPECT_EQ(graph.find_unjoined_lane(), 0u);
}

TEST_F(GraphTest, WorkAfterTheJoinIsUnjoined) {
  add_lanes(2);
  order(0, 1);
  order(1, 0);
  work(1);
  EXPECT_EQ(graph.find_unjoined_lane(), 1u);
}

TEST_F(GraphTest, WaitAfterTheJoinIsUnjoined) {
  add_lanes(2);
  order(0, 1);
  order(1, 0);
  order(0, 1);
  EXPECT_EQ(graph.find_unjoined_lane(), 1u);
}

TEST_F(GraphTest, RecordWithoutWaitIsUnjoined) {
  add_lanes(2);
  order(0, 1);
  record(1);
  EXPECT_EQ(graph.find_unjoined_lane(), 1u);
}

TEST_F(GraphTest, SecondRecordWithoutWaitIsUnjoined) {
  add_lanes(2);
  order(0, 1);
  order(1, 0);
  record(1);
  EXPECT_EQ(graph.find_unjoined_lane(), 1u);
}

TEST_F(GraphTest, T069_ChainThroughAnotherLaneIsJoined) {
  add_lanes(3);
  order(0, 1);
  order(0, 2);
  work(2);
  order(2, 1);
  order(1, 0);
  EXPECT_EQ(graph.find_unjoined_lane(), 0u);
}

TEST_F(GraphTest, T070_ChainThatMissesTheOriginIsUnjoined) {
  add_lanes(3);
  order(0, 1);
  order(1, 2);
  EXPECT_EQ(graph.find_unjoined_lane(), 1u);
}

TEST_F(GraphTest, DiamondIsJoined) {
  add_lanes(4);
  order(0, 1);
  order(0, 2);
  order(1, 3);
  order(2, 3);
  work(3);
  order(3, 0);
  EXPECT_EQ(graph.find_unjoined_lane(), 0u);
}

TEST_F(GraphTest, OneArmOfADiamondIsMissing) {
  add_lanes(4);
  order(0, 1);
  order(0, 2);
  order(1, 3);
  work(2);
  order(3, 0);
  EXPECT_EQ(graph.find_unjoined_lane(), 2u);
}

TEST_F(GraphTest, LanesThatOnlyJoinEachOtherAreUnjoinedAlthoughAThirdIsJoined) {
  add_lanes(4);
  order(0, 1);
  order(0, 2);
  order(0, 3);
  const NodeId from_1 = record(1);
  wait(2, from_1);
  const NodeId from_2 = record(2);
  wait(1, from_2);
  order(3, 0);
  EXPECT_EQ(graph.find_unjoined_lane(), 1u);
}

TEST_F(GraphTest, LongChainsDoNotNeedTheStack) {
  add_lanes(2);
  order(0, 1);
  for (int i = 0; i < 200000; ++i) work(1);
  order(1, 0);
  EXPECT_EQ(graph.find_unjoined_lane(), 0u);
}

TEST(GraphTasks, HostStepsAreWhatTheHostMustSee) {
  EXPECT_FALSE(is_host_step(KernelTask{}));
  EXPECT_FALSE(is_host_step(CopyTask{}));
  EXPECT_FALSE(is_host_step(FillTask{}));
  EXPECT_FALSE(is_host_step(EventRecordTask{ordinary(), nullptr}));
  EXPECT_FALSE(is_host_step(EventWaitTask{ordinary(), nullptr, nullptr}));

  EXPECT_TRUE(is_host_step(EventRecordTask{external(), nullptr}));
  EXPECT_TRUE(is_host_step(EventWaitTask{external(), nullptr, nullptr}));
  EXPECT_TRUE(is_host_step(EventResetTask{external(), nullptr}));
  EXPECT_TRUE(is_host_step(NotifyRecordTask{}));
  EXPECT_TRUE(is_host_step(NotifyWaitTask{}));
  EXPECT_TRUE(is_host_step(ValueWriteTask{}));
  EXPECT_TRUE(is_host_step(ValueWaitTask{}));
  EXPECT_TRUE(is_host_step(HostTask{}));
  EXPECT_TRUE(is_host_step(ProcedureTask{}));
  EXPECT_TRUE(is_host_step(EventRecordTask{ordinary(), nullptr, EventUse::kExternal}));
  EXPECT_TRUE(is_host_step(EventWaitTask{ordinary(), nullptr, nullptr, {}, EventUse::kExternal}));
}

TEST(GraphTasks, NamesAreThoseOfTheTraceFormat) {
  EXPECT_EQ(type_name(KernelTask{}), "KERNEL_AIVEC");
  EXPECT_EQ(type_name(CopyTask{}), "MEMCPY_ASYNC");
  EXPECT_EQ(type_name(EventRecordTask{ordinary(), nullptr}), "EVENT_RECORD");
  EXPECT_EQ(type_name(ValueWaitTask{}), "MEM_WAIT_VALUE");
  EXPECT_EQ(type_name(KernelTask{"matmul", {}, Core::kCube}), "KERNEL_AICORE");
  EXPECT_EQ(type_name(EventRecordTask{ordinary(), nullptr, EventUse::kExternal}), "CAPTURE_RECORD_EXTERNAL");
  EXPECT_EQ(type_name(EventWaitTask{ordinary(), nullptr, nullptr, {}, EventUse::kExternal}), "CAPTURE_WAIT_EXTERNAL");

  Node kernel;
  kernel.task = KernelTask{"aclnnAdd", {}};
  EXPECT_EQ(display_name(kernel), "aclnnAdd");
  Node record;
  record.task = EventRecordTask{ordinary(), nullptr};
  record.signal_id = 7;
  EXPECT_EQ(display_name(record), "EVENT_RECORD_7");
  const EventPtr gate = external();
  Node wait;
  wait.task = EventWaitTask{gate, nullptr, nullptr};
  EXPECT_EQ(display_name(wait), "EVENT_WAIT_" + std::to_string(gate->id));
  kernel.disabled = true;
  EXPECT_EQ(display_name(kernel), "NOP");
}

TEST(GraphTasks, EventsAndRecordsOfACaptureShareNoNumber) {
  Graph graph;
  graph.add_lane(0);
  const EventPtr before = ordinary();
  const NodeId record = graph.add_signal(0, EventRecordTask{before, nullptr});
  const EventPtr after = ordinary();
  EXPECT_LT(before->id, graph.node(record).signal_id);
  EXPECT_LT(graph.node(record).signal_id, after->id);
}

TEST_F(GraphTest, ResetHasTheNumberOfItsRecord) {
  add_lanes(1);
  const NodeId first = record(0);
  const NodeId second = record(0);
  const NodeId reset = graph.add_reset(0, EventResetTask{ordinary(), nullptr}, second);
  EXPECT_EQ(graph.node(reset).signal_id, graph.node(second).signal_id);
  EXPECT_NE(graph.node(reset).signal_id, graph.node(first).signal_id);
  EXPECT_EQ(graph.node(reset).record, kNoNode) << "no edge: it comes when all is done";
}

}  // namespace
}  // namespace aclvk::capture
