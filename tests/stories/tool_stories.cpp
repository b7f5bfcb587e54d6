// Profiles and recordings.
#include <string>

#include "acl/acl_prof.h"
#include "acl/rt/dump.h"
#include "stories/stories.hpp"
#include "stories/story_parts.hpp"
#include "support/folder.hpp"

namespace aclvk::test {
namespace {

// One kernel, and what comes of it.
void add_once(Story& story) {
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  void* data = nullptr;
  PART(make_floats(story, data, 1));
  aclTensor* tensor = nullptr;
  PART(make_tensor(story, tensor, data));
  PART(add_number(story, tensor, 2, tensor, stream));
  PART(all_are_after(story, data, 3, stream));
}

}  // namespace

void profile_story(Story& story) {
  const Folder& folder = story.hold<Folder>();
  std::uint32_t device = 0;
  aclprofConfig* config = nullptr;
  MAKE(config, aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API | ACL_PROF_TASK_TIME));
  AT_END(aclprofDestroyConfig(config));
  STEP(aclprofInit(folder.path().c_str(), folder.path().size()));
  AT_END(aclprofFinalize());
  STEP(aclprofStart(config));
  AT_END(aclprofStop(config));
  add_once(story);
}

void record_story(Story& story) {
  const Folder& folder = story.hold<Folder>();
  const std::string config =
      folder.file("config.json",
                  R"({"dump": {"dump_op_switch": "on", "dump_mode": "all", "dump_path": ")" + folder.path() + "\"}}");
  STEP(aclmdlInitDump());
  AT_END(aclmdlFinalizeDump());
  STEP(aclmdlSetDump(config.c_str()));
  add_once(story);
}

}  // namespace aclvk::test
