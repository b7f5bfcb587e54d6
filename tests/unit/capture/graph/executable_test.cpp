#include "capture/graph/executable.hpp"

#include <gtest/gtest.h>

#include "runtime/event/event.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs

/// A graph of fills of single words; host steps are waits for an EXTERNAL event.
class ExecutableTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { gpu = vk::Device::open(0); }
  static void TearDownTestSuite() { gpu.reset(); }

  void SetUp() override {
    memory = gpu->memory().allocate(vk::Placement::kDevice, kWords * 4);
    words = *gpu->memory().find(memory, kWords * 4);
  }
  void TearDown() override { gpu->memory().release(memory, vk::Placement::kDevice); }

  void add_lanes(std::uint32_t count) {
    for (std::uint32_t lane = 0; lane < count; ++lane) graph.add_lane(lane);
  }
  NodeId fill(std::uint32_t lane, std::uint64_t word) {
    return graph.add(lane, FillWordsTask{words.slice(word * 4, 4), 1});
  }
  NodeId host_step(std::uint32_t lane) { return graph.add(lane, EventWaitTask{gate, nullptr, nullptr}); }
  NodeId record(std::uint32_t lane) { return graph.add_signal(lane, EventRecordTask{event, nullptr}); }
  void wait(std::uint32_t lane, NodeId for_record) {
    graph.add_signal(lane, EventWaitTask{event, nullptr, nullptr}, for_record);
  }
  void order(std::uint32_t from, std::uint32_t to) { wait(to, record(from)); }
  Executable compile(const std::vector<std::vector<NodeId>>& groups = {}) { return {*gpu, graph, groups}; }
  /// Returns the nodes of all slices of a unit.
  static std::vector<NodeId> nodes(const Executable& executable, std::size_t unit) {
    std::vector<NodeId> all;
    for (const std::uint32_t slice : executable.slices_of_unit(unit)) {
      const auto& part = executable.slices()[slice].nodes;
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  /// Returns the only slice of a group.
  static const Slice& slice_of_group(const Executable& executable, std::size_t group) {
    EXPECT_EQ(executable.slices_of_group(group).size(), 1u);
    return executable.slices()[executable.slices_of_group(group).at(0)];
  }

  static constexpr std::uint64_t kWords = 1024;
  static inline std::shared_ptr<vk::Device> gpu;
  void* memory = nullptr;
  vk::BufferRange words;
  EventPtr gate = std::make_shared<Event>(EventMaker::kWithFlag, kEventExternal);
  EventPtr event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  Graph graph;
};

using Nodes = std::vector<NodeId>;

// Units; schedule_test.cpp tests the partition of a graph into units

TEST_F(ExecutableTest, GraphWithoutHostStepsIsOneUnitOfOneSlice) {
  add_lanes(2);
  fill(0, 0);
  order(0, 1);
  fill(1, 1);
  order(1, 0);
  fill(0, 2);
  const Executable executable = compile();
  EXPECT_EQ(executable.units().size(), 1u);
  EXPECT_EQ(executable.slices().size(), 1u);
}

TEST_F(ExecutableTest, HostStepHasNoSlices) {
  add_lanes(1);
  const NodeId before = fill(0, 0);
  host_step(0);
  const NodeId after = fill(0, 1);
  const Executable executable = compile();
  ASSERT_EQ(executable.units().size(), 3u);
  EXPECT_EQ(nodes(executable, 0), Nodes{before});
  EXPECT_TRUE(executable.slices_of_unit(1).empty());
  EXPECT_EQ(nodes(executable, 2), Nodes{after});
}

// Groups

TEST_F(ExecutableTest, GroupsAreSlicesOfTheirOwn) {
  add_lanes(1);
  const NodeId before = fill(0, 0);
  const Nodes first{fill(0, 1), fill(0, 2)};
  const Nodes second{fill(0, 3)};
  const NodeId after = fill(0, 4);
  const Executable executable = compile({first, second});
  ASSERT_EQ(executable.units().size(), 1u);
  ASSERT_EQ(executable.slices().size(), 4u);
  EXPECT_EQ(slice_of_group(executable, 0).nodes, first);
  EXPECT_EQ(slice_of_group(executable, 1).nodes, second);
  EXPECT_EQ(nodes(executable, 0), (Nodes{before, first[0], first[1], second[0], after}));
}

TEST_F(ExecutableTest, EmptyGroupNeedsNoSlice) {
  add_lanes(1);
  fill(0, 0);
  EXPECT_EQ(compile({{}}).slices().size(), 1u);
}

TEST_F(ExecutableTest, RerecordingASliceMakesANewCommandBuffer) {
  add_lanes(1);
  fill(0, 0);
  Executable executable = compile();
  const auto old = executable.slices()[0].commands;
  executable.rerecord(graph, {0});
  EXPECT_NE(executable.slices()[0].commands, old);
}

TEST_F(ExecutableTest, SmallGroupHasNoCommandBufferOfItsOwnAndALargeOneHas) {
  add_lanes(1);
  const Nodes small{fill(0, 0), fill(0, 1)};
  Nodes large;
  for (std::uint64_t word = 0; word < 100; ++word) large.push_back(fill(0, word));
  Executable executable = compile({small, large});
  EXPECT_EQ(slice_of_group(executable, 0).commands, nullptr);
  EXPECT_NE(slice_of_group(executable, 1).commands, nullptr);
  EXPECT_EQ(executable.compose(graph, {0, 1})->commands(), 102u);
}

TEST_F(ExecutableTest, GroupWithAHostStepAmongItsTasksHasASliceBeforeAndOneAfterIt) {
  add_lanes(1);
  const NodeId before = fill(0, 0);
  const NodeId step = host_step(0);
  const NodeId after = fill(0, 1);
  Executable executable = compile({{before, step, after}});
  ASSERT_EQ(executable.units().size(), 3u);
  EXPECT_EQ(nodes(executable, 0), Nodes{before});
  EXPECT_EQ(nodes(executable, 2), Nodes{after});
  const auto first = executable.compose(graph, {0});
  const auto second = executable.compose(graph, {1});
  executable.rerecord(graph, executable.slices_of_group(0));
  EXPECT_NE(executable.compose(graph, {0}), first);
  EXPECT_NE(executable.compose(graph, {1}), second);
}

TEST_F(ExecutableTest, GroupKeepsItsPlaceAmongTasksOfOtherLanes) {
  add_lanes(2);
  const NodeId first = fill(0, 0);
  const NodeId other = fill(1, 1);
  const NodeId second = fill(0, 2);
  const Executable executable = compile({{first, second}});
  EXPECT_EQ(nodes(executable, 0), (Nodes{first, other, second}));
  EXPECT_EQ(executable.slices_of_group(0).size(), 2u);
}

// Composition

TEST_F(ExecutableTest, PrimaryIsKeptUntilASliceChanges) {
  add_lanes(1);
  fill(0, 0);
  const Nodes group{fill(0, 1)};
  Executable executable = compile({group});
  const auto primary = executable.compose(graph, {0, 1});
  EXPECT_EQ(executable.compose(graph, {0, 1}), primary);
  EXPECT_NE(executable.compose(graph, {1}), primary);
  executable.rerecord(graph, executable.slices_of_group(0));
  EXPECT_NE(executable.compose(graph, {0, 1}), primary);
}

TEST_F(ExecutableTest, PrimaryHoldsAllCommandsOfItsSlices) {
  add_lanes(1);
  fill(0, 0);
  const Nodes group{fill(0, 1), fill(0, 2)};
  EXPECT_EQ(compile({group}).compose(graph, {0, 1})->commands(), 3u);
}

// Barriers

TEST_F(ExecutableTest, IndependentTasksHaveNoBarrier) {
  add_lanes(1);
  for (std::uint64_t word = 0; word < 100; ++word) fill(0, word);
  EXPECT_EQ(compile().slices()[0].commands->barriers(), 0u);
}

TEST_F(ExecutableTest, ChainHasABarrierBetweenEachTwo) {
  add_lanes(1);
  for (int i = 0; i < 100; ++i) fill(0, 0);
  EXPECT_EQ(compile().slices()[0].commands->barriers(), 99u);
}

TEST_F(ExecutableTest, ForkedChainsShareTheirBarriers) {
  add_lanes(2);
  order(0, 1);
  for (int i = 0; i < 10; ++i) {
    fill(0, 0);
    fill(1, 1);
  }
  order(1, 0);
  EXPECT_EQ(compile().slices()[0].commands->barriers(), 9u);
}

TEST_F(ExecutableTest, CopyAfterFillOfItsSourceHasABarrier) {
  add_lanes(1);
  fill(0, 0);
  graph.add(0, CopyTask{words.slice(64, 4), words.slice(0, 4)});
  graph.add(0, CopyTask{words.slice(128, 4), words.slice(0, 4)});
  EXPECT_EQ(compile().slices()[0].commands->barriers(), 1u);
}

TEST_F(ExecutableTest, DependentGroupsHaveABarrierBetweenThem) {
  add_lanes(1);
  const Nodes first{fill(0, 0)};
  const Nodes second{fill(0, 0)};
  const Nodes third{fill(0, 1)};
  EXPECT_EQ(compile({first, second, third}).compose(graph, {0, 1, 2})->barriers(), 1u);
}

// Disabled tasks

TEST_F(ExecutableTest, DisabledWorkIsNotRecorded) {
  add_lanes(1);
  fill(0, 0);
  graph.node(fill(0, 1)).disabled = true;
  fill(0, 2);
  EXPECT_EQ(compile().compose(graph, {0})->commands(), 2u);
}

TEST_F(ExecutableTest, WorkThatIsDisabledLaterIsLeftOutWhenItsSliceIsRerecorded) {
  add_lanes(1);
  fill(0, 0);
  const NodeId second = fill(0, 1);
  Executable executable = compile();
  graph.node(second).disabled = true;
  executable.rerecord(graph, {0});
  EXPECT_EQ(executable.compose(graph, {0})->commands(), 1u);
}

TEST_F(ExecutableTest, RecordsAndWaitsOfTheExternalKindAreListed) {
  add_lanes(1);
  host_step(0);
  const NodeId published = graph.add(0, EventRecordTask{event, nullptr, EventUse::kExternal});
  EXPECT_EQ(compile().external_events(), Nodes{published});
}

}  // namespace
}  // namespace aclvk::capture
