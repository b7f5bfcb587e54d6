// The trace of models that are not the usual ones (capture-semantics 16).
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/model_task_fixture.hpp"

namespace aclvk::test {
namespace {

using Json = nlohmann::ordered_json;

/// A model that is built from streams s and side, beside the captured ones.
class DebugRules : public ModelTaskTest {
 protected:
  void SetUp() override {
    ModelTaskTest::SetUp();
    ASSERT_EQ(aclmdlRIBuildBegin(&built, 0), 0);
  }
  void TearDown() override {
    std::remove(path.c_str());
    EXPECT_EQ(aclmdlRIDestroy(built), 0);
    ModelTaskTest::TearDown();
  }
  Json trace(aclmdlRI model, std::uint32_t flags = 0) const {
    EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), flags), 0) << aclGetRecentErrMsg();
    return Json::parse(std::ifstream(path));
  }
  static std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    for (const auto& item : object.items()) names.push_back(item.key());
    return names;
  }
  static std::int32_t id_of(aclrtStream stream) {
    std::int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    return id;
  }

  const std::string path = testing::TempDir() + "aclvk_debug_rules_" + std::to_string(getpid()) + ".json";
  aclmdlRI built = nullptr;
};

TEST_F(DebugRules, StreamWithoutTasksLeavesNoComma) {
  ASSERT_EQ(aclmdlRIBindStream(built, s, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, 0), 0);
  EXPECT_EQ(increment(cell, s), 0);
  EXPECT_EQ(trace(built).size(), 1u);
}

TEST_F(DebugRules, ActivationNamesTheOtherStream) {
  ASSERT_EQ(aclmdlRIBindStream(built, s, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(built, side, ACL_MODEL_STREAM_FLAG_DEFAULT), 0);
  ASSERT_EQ(aclrtActiveStream(side, s), 0);
  const Json arguments = trace(built)[0]["args"];
  EXPECT_EQ(arguments["Task Type"], "STREAM_ACTIVE");
  EXPECT_EQ(arguments["Active Stream Id"], id_of(side));
  EXPECT_EQ(arguments["Stream Id"], id_of(s));
}

TEST_F(DebugRules, DisabledTaskIsANopOfItsOwnLength) {
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  ASSERT_EQ(aclmdlRITaskDisable(tasks_of_origin(model)[0]), 0);
  const Json tasks = trace(model);
  EXPECT_EQ(tasks[0]["name"], "NOP");
  EXPECT_EQ(tasks[0]["args"]["Task Type"], "NOP");
  EXPECT_EQ(tasks[0]["dur"], 0.5);
  EXPECT_EQ(tasks[1]["ts"], 1);
}

TEST_F(DebugRules, ModelIdIsThatOfTheModel) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  std::uint32_t id = 0;
  ASSERT_EQ(aclmdlRIGetId(model, &id), 0);
  EXPECT_EQ(trace(model)[0]["args"]["Model Id"], id);
}

TEST_F(DebugRules, VerboseIsTheLowestBitWhateverTheOthersAre) {
  aclmdlRI model = capture([&] { EXPECT_EQ(increment(cell, s), 0); });
  EXPECT_EQ(keys(trace(model, 0x13)[0]["args"]),
            (std::vector<std::string>{"Model Id", "Stream Id", "Task Id", "Task Type", "Numblocks", "Kernel Args",
                                      "Kernel Args Size"}));
  EXPECT_EQ(keys(trace(model, 0x12)[0]["args"]),
            (std::vector<std::string>{"Model Id", "Stream Id", "Task Id", "Task Type", "Numblocks"}));
}

TEST_F(DebugRules, ExtendInfoFollowsTheTypeAndIsEscaped) {
  const std::string info = "a \"quoted\" \\ path\n";
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtCacheLastTaskExtendInfo(info.data(), info.size()), 0) << aclGetRecentErrMsg();
  });
  const Json arguments = trace(model)[0]["args"];
  EXPECT_EQ(keys(arguments)[4], "ExtendInfo");
  EXPECT_EQ(arguments["ExtendInfo"], info);
}

TEST_F(DebugRules, ExternalKindsHaveTheirNames) {
  aclrtEvent published = new_event();
  aclrtEvent awaited = new_event();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtStreamWaitEventWithFlag(s, awaited, 0, ACL_EVENT_WAIT_EXTERNAL), 0);
    EXPECT_EQ(aclrtRecordEventWithFlag(published, s, ACL_EVENT_RECORD_EXTERNAL), 0);
  });
  const Json tasks = trace(model);
  EXPECT_EQ(tasks[0]["args"]["Task Type"], "CAPTURE_WAIT_EXTERNAL");
  EXPECT_EQ(tasks[0]["dur"], 14.5);
  EXPECT_EQ(tasks[1]["args"]["Task Type"], "CAPTURE_RECORD_EXTERNAL");
  EXPECT_EQ(tasks[1]["ts"], 15);
  EXPECT_EQ(tasks[1]["dur"], 4.5);
  EXPECT_EQ(std::string(tasks[0]["name"]).rfind("CAPTURE_WAIT_EXTERNAL_", 0), 0u);
}

TEST_F(DebugRules, FolderIsNoFile) {
  aclmdlRI model = capture([] {});
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, testing::TempDir().c_str(), 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, "", 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(DebugRules, TraceReplacesAnOlderFile) {
  aclmdlRI model = capture([] {});
  std::ofstream(path) << "something that is longer than an empty array";
  EXPECT_EQ(trace(model), Json::array());
}

}  // namespace
}  // namespace aclvk::test
