#include "stories/story_parts.hpp"

#include <algorithm>
#include <vector>

#include "aclnnop/aclnn_add.h"

namespace aclvk::test {

#undef STEP
#define STEP(...) \
  if (!story.step((__VA_ARGS__), #__VA_ARGS__)) return false
#undef MAKE
#define MAKE(target, ...) \
  target = (__VA_ARGS__); \
  if (!story.step(target ? 0 : kNothingMade, #__VA_ARGS__)) return false

bool make_stream(Story& story, aclrtStream& stream) {
  STEP(aclrtCreateStream(&stream));
  // A story that ends early may leave tasks that wait for what never comes, and tasks that use its memory.
  AT_END((aclrtSynchronizeStreamWithTimeout(stream, 2000), aclrtDestroyStreamForce(stream)));
  return true;
}

bool make_event(Story& story, aclrtEvent& event) {
  STEP(aclrtCreateEvent(&event));
  AT_END(aclrtDestroyEvent(event));
  return true;
}

bool make_floats(Story& story, void*& data, float value) {
  STEP(aclrtMalloc(&data, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  AT_END(aclrtFree(data));
  const float* values = story.keep<float>(kCount, value);
  STEP(aclrtMemcpy(data, kBytes, values, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  return true;
}

bool make_tensor(Story& story, aclTensor*& tensor, void* data) {
  const std::int64_t count = kCount;
  const std::int64_t stride = 1;
  MAKE(tensor, aclCreateTensor(&count, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &count, 1, data));
  AT_END(aclDestroyTensor(tensor));
  return true;
}

bool add_number(Story& story, aclTensor* in, float by, aclTensor* out, aclrtStream stream) {
  float one = 1;
  aclScalar* other = nullptr;
  MAKE(other, aclCreateScalar(&by, ACL_FLOAT));
  AT_END(aclDestroyScalar(other));
  aclScalar* alpha = nullptr;
  MAKE(alpha, aclCreateScalar(&one, ACL_FLOAT));
  AT_END(aclDestroyScalar(alpha));
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  STEP(aclnnAddsGetWorkspaceSize(in, other, alpha, out, &workspace, &executor));
  STEP(aclnnAdds(nullptr, 0, executor, stream));
  return true;
}

bool all_are(Story& story, const void* data, float value) {
  float* values = story.keep<float>(kCount);
  STEP(aclrtMemcpy(values, kBytes, data, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return story.expect(std::all_of(values, values + kCount, [&](float v) { return v == value; }), "the result");
}

bool wait_for(Story& story, aclrtStream stream) {
  STEP(aclrtSynchronizeStreamWithTimeout(stream, 30000));
  return true;
}

bool wait_for_both(Story& story, aclrtStream first, aclrtStream second) {
  constexpr int kPatienceMs = 3000;
  const auto in_vain = [](int code) {
    return code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT || code == ACL_ERROR_RT_WAIT_TIMEOUT;
  };
  const int codes[] = {aclrtSynchronizeStreamWithTimeout(first, kPatienceMs),
                       aclrtSynchronizeStreamWithTimeout(second, kPatienceMs)};
  const bool second_tells = codes[1] != 0 && (codes[0] == 0 || in_vain(codes[0]));
  STEP(codes[second_tells ? 1 : 0]);
  return true;
}

bool all_are_after(Story& story, const void* data, float value, aclrtStream stream) {
  return wait_for(story, stream) && all_are(story, data, value);
}

}  // namespace aclvk::test
