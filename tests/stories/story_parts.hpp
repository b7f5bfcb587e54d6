#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "stories/story.hpp"

namespace aclvk::test {

// What several stories need. Each part is false when the story is over; part(...) returns then.
#define PART(...) \
  if (!(__VA_ARGS__)) return

constexpr std::int64_t kCount = 64;
constexpr std::size_t kBytes = kCount * sizeof(float);

/// A stream, until the end of the story.
bool make_stream(Story& story, aclrtStream& stream);
bool make_event(Story& story, aclrtEvent& event);
/// Equal floats in device memory.
bool make_floats(Story& story, void*& data, float value);
/// A tensor over them.
bool make_tensor(Story& story, aclTensor*& tensor, void* data);
/// out = in + by, one kernel on the stream.
bool add_number(Story& story, aclTensor* in, float by, aclTensor* out, aclrtStream stream);
/// All floats are this.
bool all_are(Story& story, const void* data, float value);
/// Waits, but not for ever.
bool wait_for(Story& story, aclrtStream stream);
/// The same for streams that wait for each other: when a task of one fails the other may wait in vain, so that the one
/// whose task it was says what is wrong.
bool wait_for_both(Story& story, aclrtStream first, aclrtStream second);
/// Waits, and all floats are this.
bool all_are_after(Story& story, const void* data, float value, aclrtStream stream);

}  // namespace aclvk::test
