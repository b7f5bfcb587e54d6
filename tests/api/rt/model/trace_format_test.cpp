// Whether a trace viewer opens what aclmdlRIDebugJsonPrint writes. "Format" below is Google's document "Trace Event
// Format", which chrome://tracing and Perfetto read; other rules are named with those who make them.
#include <unistd.h>

#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "support/capture_fixture.hpp"
#include "support/trace_checks.hpp"

namespace aclvk::test {
namespace {

// Format: process and thread ids are numbers. The trace of the official runtime has strings there, and tools rely on
// them (capture-semantics 16.1). chrome://tracing takes ids as keys of a table, Perfetto interns a string.
bool is_id(const Json& value) { return value.is_number_integer() || (value.is_string() && value != ""); }

/// A model with a task of each kind, printed.
class TraceFormat : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    ASSERT_EQ(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT), 0);
    model = capture([&] { record_all_kinds(); });
  }
  void TearDown() override {
    EXPECT_EQ(aclrtDestroyNotify(notify), 0);
    std::remove(path.c_str());
    CaptureTest::TearDown();
  }

  void record_all_kinds() {
    order(s, side);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtMemcpyAsync(pinned.data(), cell.bytes(), cell.address(), cell.bytes(), ACL_MEMCPY_DEVICE_TO_HOST, s),
              0);
    EXPECT_EQ(aclrtMemsetAsync(cell.address(), cell.bytes(), 0, cell.bytes(), s), 0);
    EXPECT_EQ(aclrtLaunchHostFunc(
                  s, [](void*) {}, nullptr),
              0);
    EXPECT_EQ(aclrtRecordEvent(outside, side), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(side, outside), 0);
    EXPECT_EQ(aclrtResetEvent(outside, side), 0);
    EXPECT_EQ(aclrtRecordNotify(notify, side), 0);
    EXPECT_EQ(aclrtWaitAndResetNotify(notify, side, 0), 0);
    EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, side), 0);
    order(side, s);
  }

  Json events(std::uint32_t flags = ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE) const {
    EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), flags), 0) << aclGetRecentErrMsg();
    return strict_parse_file(path);
  }

  const std::string path = testing::TempDir() + "aclvk_trace_format_" + std::to_string(getpid()) + ".json";
  const Cell cell;
  const Word word;
  const Pinned<float> pinned{8};
  aclrtNotify notify = nullptr;
  aclrtEvent outside = new_external_event();
  aclmdlRI model = nullptr;
};

// Format, "JSON Array Format": the file is an array of event objects and nothing else.
TEST_F(TraceFormat, FileIsAnArrayOfObjects) {
  for (const std::uint32_t flags : {ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY, ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE}) {
    const Json trace = events(flags);
    ASSERT_TRUE(trace.is_array());
    EXPECT_EQ(trace.size(), 17u);
    for (const Json& event : trace) EXPECT_TRUE(event.is_object()) << event;
  }
}

// Format, "Event Descriptions" (name, ph, ts, pid, tid, args) and "Complete Events" (ph X, dur).
TEST_F(TraceFormat, EveryEventIsACompleteEvent) {
  for (const Json& event : events()) {
    EXPECT_TRUE(event.at("name").is_string() && event.at("name") != "") << event;
    EXPECT_EQ(event.at("ph"), "X") << event;
    EXPECT_TRUE(is_time(event.at("ts"))) << event;
    EXPECT_TRUE(is_time(event.at("dur"))) << event;
    EXPECT_TRUE(is_id(event.at("pid"))) << event;
    EXPECT_TRUE(is_id(event.at("tid"))) << event;
    EXPECT_TRUE(event.at("args").is_object()) << event;
  }
}

// Format: what else a viewer reads in an event (cat, id, cname, tts, ...) has a type of its own. None is used.
TEST_F(TraceFormat, NoEventHasOtherMembers) {
  const std::set<std::string> known{"name", "ph", "ts", "dur", "pid", "tid", "args"};
  for (const Json& event : events()) {
    for (const auto& member : event.items()) EXPECT_EQ(known.count(member.key()), 1u) << event;
  }
}

// Format, "Complete Events": those of a thread nest. Perfetto drops one that overlaps another in part.
TEST_F(TraceFormat, EventsOfAThreadDoNotOverlap) {
  std::map<Json, double> ends;
  for (const Json& event : events()) {
    double& end = ends[Json::array({event.at("pid"), event.at("tid")})];
    EXPECT_GE(event.at("ts").get<double>(), end) << event;
    end = event.at("ts").get<double>() + event.at("dur").get<double>();
  }
  EXPECT_EQ(ends.size(), 2u);
}

}  // namespace
}  // namespace aclvk::test
