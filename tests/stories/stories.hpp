#pragma once

#include <string>

#include "stories/story.hpp"

namespace aclvk::test {

// The main stories of programs. Each makes all it needs on device 0, which is the current one.

void open_story(Story& story);     ///< the device itself, and a first piece of work
void context_story(Story& story);  ///< contexts and streams come and go
void memory_story(Story& story);   ///< of the device and of the host, copied in all ways
void stream_story(Story& story);   ///< two streams, events, waits, host functions
void operator_story(Story& story);
void capture_story(Story& story);  ///< captured on two streams, replayed, updated
void built_model_story(Story& story);
void kernel_story(Story& story);  ///< a kernel of the program's own
/// The kernel, compiled by the first call, which no fault may meet: another program compiles it.
const std::string& kernel_module();
void pool_story(Story& story);
void virtual_memory_story(Story& story);
void profile_story(Story& story);
void record_story(Story& story);

}  // namespace aclvk::test
