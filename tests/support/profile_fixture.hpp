#pragma once

#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "support/capture_fixture.hpp"
#include "support/folder.hpp"
#include "support/trace_checks.hpp"

namespace aclvk::test {

constexpr std::uint64_t kEverything = ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_MSPROFTX;

/// Returns the events of the only file.
inline Json only_events(const Folder& folder) {
  const std::vector<std::string> all = folder.files();
  EXPECT_EQ(all.size(), 1u);
  if (all.size() != 1) return Json::array();
  Json trace = strict_parse_file(all.front());
  EXPECT_TRUE(trace.at("traceEvents").is_array());
  return trace.at("traceEvents");
}

/// Returns the events of these kinds and names; an empty string stands for any.
inline std::vector<TraceEvent> find(const Json& events, const std::string& phase, const std::string& category,
                                    const std::string& name = "") {
  std::vector<TraceEvent> found;
  for (const Json& json : events) {
    const TraceEvent event{json};
    if (event.phase() == phase && event.category() == category && (name.empty() || event.name() == name)) {
      found.push_back(event);
    }
  }
  return found;
}

class ProfileTest : public CaptureTest {
 protected:
  static aclError init(const std::string& path) { return aclprofInit(path.c_str(), path.size()); }

  /// A configuration for device 0; destroyed with the test's process.
  static aclprofConfig* config(std::uint64_t types = kEverything) {
    std::uint32_t device = 0;
    return aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, types);
  }

  /// Returns the events that are profiled while `body` runs.
  template <typename Body>
  Json profile(Body&& body, std::uint64_t types = kEverything) {
    aclprofConfig* chosen = config(types);
    EXPECT_NE(chosen, nullptr) << aclGetRecentErrMsg();
    EXPECT_EQ(init(folder.path()), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclprofStart(chosen), 0) << aclGetRecentErrMsg();
    body();
    EXPECT_EQ(aclprofStop(chosen), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclprofDestroyConfig(chosen), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclprofFinalize(), 0) << aclGetRecentErrMsg();
    return only_events(folder);
  }

  const Folder folder;
};

}  // namespace aclvk::test
