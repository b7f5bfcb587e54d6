#include "capture/inspect/dot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/captured/captured_model.hpp"
#include "runtime/context/current.hpp"
#include "runtime/event/event.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::capture {
namespace {

using namespace runtime;  // the task structs
using testing::HasSubstr;
using testing::Not;

/// A model that is assembled by hand, on streams 3 and 4.
class DotTest : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    model = std::make_shared<CapturedModel>(current_context());
    model->graph().add_lane(3);
    model->graph().add_lane(4);
  }

  NodeId kernel(std::uint32_t lane, std::string_view name, std::uint32_t blocks = 1) {
    vk::Dispatch dispatch;
    dispatch.groups = {blocks, 1, 1};
    const NodeId id = model->graph().add(lane, KernelTask{name, dispatch});
    model->groups().add(id);
    return id;
  }
  void order(std::uint32_t from, std::uint32_t to) {
    const NodeId record = model->graph().add_signal(from, EventRecordTask{event, nullptr});
    model->graph().add_signal(to, EventWaitTask{event, nullptr, nullptr}, record);
  }
  std::string text() const { return dot_text(*model); }

  CapturedModelPtr model;
  EventPtr event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync);
  EventPtr outside = std::make_shared<Event>(EventMaker::kWithFlag, kEventExternal);
};

// Streams

TEST_F(DotTest, StreamIsAClusterThatHoldsItsTasksAndTheirOrder) {
  kernel(0, "first", 1);
  kernel(0, "second", 12);
  kernel(0, "third", 2);
  EXPECT_THAT(text(), HasSubstr("  subgraph cluster_stream0 {\n"
                                "    label=\"stream 3 (origin)\";\n"
                                "    task0 [label=\"first\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    task1 [label=\"second\\n12 blocks\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    task2 [label=\"third\\n2 blocks\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    task0 -> task1;\n"
                                "    task1 -> task2;\n"
                                "  }\n"));
}

TEST_F(DotTest, OnlyTheFirstStreamIsTheOrigin) { EXPECT_THAT(text(), HasSubstr("label=\"stream 4\";")); }

TEST_F(DotTest, TasksOfTwoStreamsAreOrderedByEventsOnly) {
  kernel(0, "one");
  kernel(1, "two");
  EXPECT_THAT(text(), Not(HasSubstr("->")));
}

// Events

TEST_F(DotTest, EachWaitHasADashedEdgeFromItsRecord) {
  order(0, 1);  // tasks 0 and 1
  order(1, 0);  // tasks 2 and 3
  EXPECT_THAT(text(), HasSubstr("  }\n"
                                "  task0 -> task1 [style=dashed];\n"
                                "  task2 -> task3 [style=dashed];\n"
                                "}\n"));
}

TEST_F(DotTest, ExternalEventIsMarkedAndHasNoEdge) {
  model->graph().add(0, EventRecordTask{outside, nullptr});
  model->graph().add(1, EventWaitTask{outside, nullptr, nullptr});
  const std::string id = std::to_string(outside->id);
  EXPECT_THAT(text(), HasSubstr("task0 [label=\"EVENT_RECORD_" + id + "\\nEXTERNAL\", shape=ellipse"));
  EXPECT_THAT(text(), HasSubstr("task1 [label=\"EVENT_WAIT_" + id + "\\nEXTERNAL\", shape=hexagon"));
  EXPECT_THAT(text(), Not(HasSubstr("dashed")));
}

// Groups

TEST_F(DotTest, TaskGroupIsAClusterInsideItsStream) {
  kernel(0, "before");
  model->groups().open(0);
  kernel(0, "inside");
  kernel(0, "too");
  model->groups().close(0);
  kernel(0, "behind");
  EXPECT_THAT(text(), HasSubstr("\n    task0 [label=\"before\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    subgraph cluster_group0 {\n"
                                "      label=\"task group 0\";\n"
                                "      style=dashed;\n"
                                "      task1 [label=\"inside\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "      task2 [label=\"too\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    }\n"
                                "    task3 [label=\"behind\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"));
}

TEST_F(DotTest, GroupsThatFollowEachOtherAreTwoClusters) {
  for (const char* name : {"one", "two"}) {
    model->groups().open(0);
    kernel(0, name);
    model->groups().close(0);
  }
  EXPECT_THAT(text(), HasSubstr("    subgraph cluster_group0 {\n"
                                "      label=\"task group 0\";\n"
                                "      style=dashed;\n"
                                "      task0 [label=\"one\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    }\n"
                                "    subgraph cluster_group1 {\n"
                                "      label=\"task group 1\";\n"
                                "      style=dashed;\n"
                                "      task1 [label=\"two\\n1 block\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    }\n"));
}

// Bodies of conditional tasks

TEST_F(DotTest, BodyIsAClusterOfItsOwnAfterItsTask) {
  const NodeId task = model->graph().add(0, ProcedureTask{nullptr, nullptr, "CONDITION_OP"});
  const auto body = std::make_shared<CapturedModel>(current_context(), model);
  body->graph().add_lane(7);
  body->graph().add(0, KernelTask{"inner", {}});
  model->add_body({body, task, 1});
  EXPECT_THAT(text(), HasSubstr("task0 [label=\"CONDITION_OP\", shape=diamond"));
  EXPECT_THAT(text(), HasSubstr("  subgraph cluster_body0_ {\n"
                                "    label=\"body 1 of task0\";\n"
                                "    style=rounded;\n"
                                "    subgraph cluster_body0_stream0 {\n"
                                "      label=\"stream 7 (origin)\";\n"
                                "      body0_task0 [label=\"inner\\n0 blocks\", shape=box, fillcolor=\"#cfe2f3\"];\n"
                                "    }\n"
                                "  }\n"
                                "  task0 -> body0_task0 [style=dotted];\n"));
}

// Kinds

TEST_F(DotTest, EachKindHasItsLook) {
  const vk::BufferRange bytes{nullptr, 0, 32};
  Graph& graph = model->graph();
  graph.add(0, CopyTask{bytes, bytes});
  graph.add(0, Copy2dTask{{bytes, bytes, 16, 16, 8, 2}});
  graph.add(0, FillTask{bytes, 0});
  graph.add(0, HostTask{"HOSTFUNC_CALLBACK", [] {}, nullptr});
  graph.add(0, ProcedureTask{});
  EXPECT_THAT(text(), HasSubstr("task0 [label=\"MEMCPY_ASYNC\\n32 bytes\", shape=cylinder, fillcolor=\"#d9ead3\"];"));
  EXPECT_THAT(text(), HasSubstr("task1 [label=\"MEMCPY_ASYNC\\n16 bytes\", shape=cylinder, fillcolor=\"#d9ead3\"];"));
  EXPECT_THAT(text(), HasSubstr("task2 [label=\"MEMSET_ASYNC\\n32 bytes\", shape=cylinder, fillcolor=\"#d9ead3\"];"));
  EXPECT_THAT(text(), HasSubstr("task3 [label=\"HOSTFUNC_CALLBACK\", shape=component, fillcolor=\"#d9d2e9\"];"));
  EXPECT_THAT(text(), HasSubstr("task4 [label=\"MODEL_EXECUTE\", shape=diamond, fillcolor=\"#f4cccc\"];"));
}

// Names

TEST_F(DotTest, NamesAreEscaped) {
  kernel(0, "a \"quoted\" \\N kernel\nof two lines & a\ttab");
  EXPECT_THAT(text(), HasSubstr(R"([label="a \"quoted\" \\N kernel\nof two lines &amp; a tab\n1 block",)"));
}

TEST_F(DotTest, BytesThatAreNoUtf8AreReplaced) {
  kernel(0, "bad \xff name");
  EXPECT_THAT(text(), HasSubstr("label=\"bad \xEF\xBF\xBD name\\n1 block\""));
}

TEST_F(DotTest, TitleIsTheNumberAndTheNameOfTheModel) {
  const std::string number = std::to_string(model->id);
  EXPECT_THAT(text(), HasSubstr("digraph model" + number + " {\n  label=\"model " + number + "\";\n"));
  model->name = "the \"best\"";
  EXPECT_THAT(text(), HasSubstr("  label=\"model " + number + ": the \\\"best\\\"\";\n"));
}

// Paths

TEST(DotPath, IsShownByItsLastFourCharacters) {
  EXPECT_TRUE(is_dot_path("/tmp/graph.dot"));
  EXPECT_TRUE(is_dot_path(".dot"));
  for (const char* other : {"graph.json", "graph.dot.json", "graph_dot", "dot", ""}) EXPECT_FALSE(is_dot_path(other));
}

}  // namespace
}  // namespace aclvk::capture
