// The debug output of captured models (capture-tests L; capture-semantics 16).
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

using Json = nlohmann::ordered_json;

/// A trace file of its own, read back after each print.
class ModelDebug : public CaptureTest {
 protected:
  void TearDown() override {
    std::remove(path.c_str());
    CaptureTest::TearDown();
  }

  std::string printed(aclmdlRI model, std::uint32_t flags = ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY) const {
    EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), flags), 0) << aclGetRecentErrMsg();
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Json trace(aclmdlRI model, std::uint32_t flags = ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY) const {
    return Json::parse(printed(model, flags));
  }
  static std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    for (const auto& item : object.items()) names.push_back(item.key());
    return names;
  }
  static std::vector<std::string> types(const Json& trace) {
    std::vector<std::string> all;
    for (const Json& task : trace) all.push_back(task["args"]["Task Type"]);
    return all;
  }
  static std::string stream_name(aclrtStream stream) {
    std::int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    return "stream" + std::to_string(id);
  }

  /// A fork, a join, a write and a wait of a word.
  aclmdlRI rich_model() {
    return capture([&] {
      EXPECT_EQ(increment(cell, s), 0);
      order(s, side);
      EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
      order(side, s);
      EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    });
  }

  const std::string path = testing::TempDir() + "aclvk_trace_" + std::to_string(getpid()) + ".json";
  Cell cell;
  Word word;
};

TEST_F(ModelDebug, T247_NullIs100000) {
  aclmdlRI model = capture([] {});
  EXPECT_EQ(aclmdlRIDebugJsonPrint(nullptr, path.c_str(), 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIDebugPrint(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(ModelDebug, FileThatCannotBeWrittenIs107000) {
  aclmdlRI model = capture([] {});
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, "/nowhere/trace.json", 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(ModelDebug, DestroyedModelIs107017) {
  aclmdlRI model = capture([] {});
  ASSERT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), 0), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIDebugPrint(model), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(ModelDebug, EmptyModelIsAnEmptyArray) {
  EXPECT_EQ(trace(capture([] {})), Json::array());
}

TEST_F(ModelDebug, T249_OneLineATaskAndNoNewlineAtTheEnd) {
  const std::string text = printed(rich_model());
  EXPECT_EQ(text.substr(0, 3), "[\n{");
  EXPECT_EQ(text.substr(text.size() - 3), "}\n]");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + static_cast<int>(Json::parse(text).size()));
}

TEST_F(ModelDebug, T249_StreamsFollowEachOtherWithTheirTasksInOrder) {
  const Json tasks = trace(rich_model());
  EXPECT_EQ(types(tasks),
            (std::vector<std::string>{"KERNEL_AIVEC", "EVENT_RECORD", "EVENT_WAIT", "MEM_WAIT_VALUE", "EVENT_RESET",
                                      "EVENT_RESET", "EVENT_WAIT", "MEM_WRITE_VALUE", "EVENT_RECORD"}));
  for (std::size_t i = 0; i < tasks.size(); ++i) EXPECT_EQ(tasks[i]["tid"], stream_name(i < 6 ? s : side));
}

TEST_F(ModelDebug, T249_KeysAreComplete) {
  for (const Json& task : trace(rich_model())) {
    EXPECT_EQ(keys(task), (std::vector<std::string>{"name", "pid", "tid", "ts", "dur", "ph", "args"}));
    EXPECT_EQ(task["ph"], "X");
    EXPECT_EQ(task["pid"], std::to_string(getpid()) + " aclGraph");
    EXPECT_TRUE(task["ts"].is_number_integer());
    const auto arguments = keys(task["args"]);
    const std::vector<std::string> first(arguments.begin(), arguments.begin() + 4);
    EXPECT_EQ(first, (std::vector<std::string>{"Model Id", "Stream Id", "Task Id", "Task Type"}));
  }
}

TEST_F(ModelDebug, T249_TimesAreSyntheticAndRestartOnEachStream) {
  const Json tasks = trace(rich_model());
  const std::vector<int> starts{0, 10, 15, 30, 45, 55, 0, 15, 25};
  const std::vector<double> durations{9.5, 4.5, 14.5, 14.5, 9.5, 9.5, 14.5, 9.5, 4.5};
  ASSERT_EQ(tasks.size(), starts.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(tasks[i]["ts"], starts[i]) << i;
    EXPECT_EQ(tasks[i]["dur"], durations[i]) << i;
  }
}

TEST_F(ModelDebug, KernelsHaveTheirNumberOfBlocks) {
  const Json tasks = trace(rich_model());
  EXPECT_GE(tasks[0]["args"]["Numblocks"], 1);
  EXPECT_FALSE(tasks[1]["args"].contains("Numblocks"));
}

TEST_F(ModelDebug, T251_VerboseShowsTheArgumentWords) {
  const Json arguments = trace(rich_model(), ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE)[0]["args"];
  const std::string words = arguments.at("Kernel Args");
  const std::size_t size = arguments.at("Kernel Args Size");
  EXPECT_EQ(words.size() + 1, size / 8 * 19);  // "0x", 16 digits and a space each
  EXPECT_EQ(words.substr(0, 2), "0x");
}

TEST_F(ModelDebug, SummaryHasNoArguments) { EXPECT_FALSE(trace(rich_model())[0]["args"].contains("Kernel Args")); }

TEST_F(ModelDebug, OtherFlagBitsAreIgnored) {
  aclmdlRI model = rich_model();
  EXPECT_EQ(printed(model, 0xFFFFFFFEU), printed(model, 0));
}

// What torch_npu's align_trace_json asks of the file: records and waits of the same id in pairs, one pair an id.
TEST_F(ModelDebug, T253_RecordsAndWaitsPairByTheIdInTheirNames) {
  aclrtEvent event = new_event();
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 2; ++i) {  // the same event, recorded again
      EXPECT_EQ(aclrtRecordEvent(event, s), 0);
      EXPECT_EQ(aclrtStreamWaitEvent(side, event), 0);
      EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
    }
    order(side, s);
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
  });
  std::map<std::string, int> records, waits;
  for (const Json& task : trace(model)) {
    const std::string name = task["name"];
    const std::string id = name.substr(name.rfind('_') + 1);
    if (name.rfind("EVENT_RECORD_", 0) == 0) ++records[id];
    if (name.rfind("EVENT_WAIT_", 0) == 0) ++waits[id];
  }
  EXPECT_EQ(records.size(), 3u);
  EXPECT_EQ(records, waits);
}

TEST_F(ModelDebug, ValueTasksCarryTheirAddressInDecimal) {
  const std::string address = std::to_string(reinterpret_cast<std::uintptr_t>(word.address()));
  std::set<std::string> names;
  for (const Json& task : trace(rich_model())) names.insert(task["name"].get<std::string>());
  EXPECT_EQ(names.count("MEM_WRITE_VALUE_" + address), 1u);
  EXPECT_EQ(names.count("MEM_WAIT_VALUE_" + address), 1u);
}

TEST_F(ModelDebug, ExternalEventsNotifiesAndHostFunctionsHaveTheirTypes) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
  aclrtEvent event = new_external_event();
  const Pinned<float> pinned(8);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtRecordEvent(event, s), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, event), 0);
    EXPECT_EQ(aclrtResetEvent(event, s), 0);
    EXPECT_EQ(aclrtRecordNotify(notify, s), 0);
    EXPECT_EQ(aclrtWaitAndResetNotify(notify, s, 0), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  s, [](void*) {}, nullptr),
              0);
    EXPECT_EQ(
        aclrtMemcpyAsync(pinned.data(), pinned.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  });
  EXPECT_EQ(types(trace(model)), (std::vector<std::string>{"EVENT_RECORD", "EVENT_WAIT", "EVENT_RESET", "NOTIFY_RECORD",
                                                           "NOTIFY_WAIT", "HOSTFUNC_CALLBACK", "MEMCPY_ASYNC"}));
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

TEST_F(ModelDebug, T254_ModelThatIsStillCapturingCanBePrinted) {
  begin(s);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(trace(model_of(s)).size(), 1u);
  EXPECT_EQ(aclmdlRIDebugPrint(model_of(s)), 0);
}

// A captured stream is never continued on another one here; streams of built models start others.
TEST_F(ModelDebug, T250_StreamThatStartsAnotherNamesIt) {
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, s, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, side, ACL_MODEL_STREAM_FLAG_DEFAULT), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(aclrtActiveStream(side, s), 0);
  const Json tasks = trace(model);
  EXPECT_EQ(types(tasks), (std::vector<std::string>{"KERNEL_AIVEC", "STREAM_ACTIVE"}));
  const Json& target = tasks[1]["args"].at("Active Stream Id");
  ASSERT_TRUE(target.is_number_integer());
  EXPECT_EQ("stream" + std::to_string(target.get<int>()), stream_name(side));
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(ModelDebug, StreamThatHasEndedIsStillNamedByTheOneThatStartsIt) {
  aclmdlRI model = nullptr;
  aclrtStream started = nullptr;
  ASSERT_EQ(aclrtCreateStream(&started), 0);
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, s, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, started, ACL_MODEL_STREAM_FLAG_DEFAULT), 0);
  EXPECT_EQ(aclrtActiveStream(started, s), 0);
  const std::string name = stream_name(started);
  ASSERT_EQ(aclmdlRIUnbindStream(model, started), 0);
  ASSERT_EQ(aclrtDestroyStream(started), 0);
  const Json arguments = trace(model).at(0)["args"];
  ASSERT_TRUE(arguments.contains("Active Stream Id")) << arguments;
  EXPECT_EQ("stream" + std::to_string(arguments["Active Stream Id"].get<int>()), name);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(ModelDebug, LongStreamStaysOneStream) {
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 3000; ++i) EXPECT_EQ(increment(cell, s), 0);
  });
  std::set<std::string> streams;
  for (const Json& task : trace(model)) streams.insert(task["tid"].get<std::string>());
  EXPECT_EQ(streams, std::set<std::string>{stream_name(s)});
}

TEST_F(ModelDebug, TextOfTheProgramIsShownWithItsTask) {
  const std::string text = "layer \"3\" \\ attention\n";
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtCacheLastTaskExtendInfo(text.data(), text.size()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(increment(cell, s), 0);
  });
  const Json tasks = trace(model);
  EXPECT_EQ(tasks[0]["args"].at("ExtendInfo"), text);
  EXPECT_FALSE(tasks[1]["args"].contains("ExtendInfo"));
}

// An addition of aclvk. What the text says is the subject of tests/unit/capture/inspect/dot_test.cpp.
TEST_F(ModelDebug, PathThatEndsInDotGetsTheGraphForGraphviz) {
  const std::string dot_path = path + ".dot";
  aclmdlRI model = rich_model();
  ASSERT_EQ(aclmdlRIDebugJsonPrint(model, dot_path.c_str(), 0), 0) << aclGetRecentErrMsg();
  std::ifstream file(dot_path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::remove(dot_path.c_str());
  EXPECT_EQ(text.substr(0, 8), "digraph ");
  for (const Json& task : trace(model)) {
    const std::string node = "task" + std::to_string(task["args"]["Task Id"].get<int>());
    EXPECT_NE(text.find(node + " [label=\"" + task["name"].get<std::string>()), std::string::npos) << task;
  }
}

TEST_F(ModelDebug, DebugPrintWorksAfterTheCapture) { EXPECT_EQ(aclmdlRIDebugPrint(rich_model()), 0); }

}  // namespace
}  // namespace aclvk::test
