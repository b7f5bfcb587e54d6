// Operators, captures, built models, kernels of the program's own.
#include <string>

#include "acl/acl_rt.h"
#include "aclnnop/aclnn_sort.h"
#include "stories/stories.hpp"
#include "stories/story_parts.hpp"
#include "support/kernel_fixture.hpp"

namespace aclvk::test {
namespace {

void count_call(void* number) { ++*static_cast<int*>(number); }

// Ends a capture that a failed call has left open, and what came of it.
int end_capture(aclrtStream stream) {
  auto status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI model = nullptr;
  const int asked = aclmdlRICaptureGetInfo(stream, &status, nullptr);
  if (asked != 0 || status == ACL_MODEL_RI_CAPTURE_STATUS_NONE) return asked;
  aclmdlRICaptureEnd(stream, &model);
  return model ? aclmdlRIDestroy(model) : 0;
}

// Of a launch that the story did not come to; else it is used up, and there is nothing to destroy. Twice, as the fault
// may meet the first call.
int drop(aclOpExecutor* executor) {
  aclDestroyAclOpExecutor(executor);
  aclDestroyAclOpExecutor(executor);
  return 0;
}

struct Two {
  void* in = nullptr;
  void* out = nullptr;
  aclTensor* in_tensor = nullptr;
  aclTensor* out_tensor = nullptr;
};

bool make_two(Story& story, Two& two, float in) {
  return make_floats(story, two.in, in) && make_floats(story, two.out, 0) &&
         make_tensor(story, two.in_tensor, two.in) && make_tensor(story, two.out_tensor, two.out);
}

}  // namespace

void operator_story(Story& story) {
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  Two two;
  PART(make_two(story, two, 1));
  PART(add_number(story, two.in_tensor, 2, two.out_tensor, stream));
  PART(all_are_after(story, two.out, 3, stream));

  void* places = nullptr;
  STEP(aclrtMalloc(&places, kCount * sizeof(std::int64_t), ACL_MEM_MALLOC_NORMAL_ONLY));
  AT_END(aclrtFree(places));
  const std::int64_t count = kCount;
  const std::int64_t stride = 1;
  aclTensor* indices = nullptr;
  MAKE(indices, aclCreateTensor(&count, 1, ACL_INT64, &stride, 0, ACL_FORMAT_ND, &count, 1, places));
  AT_END(aclDestroyTensor(indices));
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  STEP(aclnnSortGetWorkspaceSize(two.out_tensor, true, 0, false, two.in_tensor, indices, &bytes, &executor));
  AT_END(drop(executor));
  void* workspace = nullptr;
  if (bytes > 0) {
    STEP(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    AT_END(aclrtFree(workspace));
  }
  STEP(aclnnSort(workspace, bytes, executor, stream));
  PART(all_are_after(story, two.in, 3, stream));
}

void capture_story(Story& story) {
  aclrtStream stream = nullptr;
  aclrtStream side = nullptr;
  PART(make_stream(story, stream));
  PART(make_stream(story, side));
  aclrtEvent fork = nullptr;
  aclrtEvent join = nullptr;
  PART(make_event(story, fork));
  PART(make_event(story, join));
  Two two;
  Two other;
  PART(make_two(story, two, 10));
  PART(make_two(story, other, 20));
  int* calls = story.keep<int>(1);

  AT_END(end_capture(stream));
  STEP(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  STEP(aclrtRecordEvent(fork, stream));
  STEP(aclrtStreamWaitEvent(side, fork));
  STEP(aclmdlRICaptureTaskGrpBegin(stream));
  PART(add_number(story, two.in_tensor, 1, two.out_tensor, stream));
  aclrtTaskGrp group = nullptr;
  STEP(aclmdlRICaptureTaskGrpEnd(stream, &group));
  PART(add_number(story, other.in_tensor, 2, other.out_tensor, side));
  STEP(aclrtRecordEvent(join, side));
  STEP(aclrtStreamWaitEvent(stream, join));
  STEP(aclrtLaunchHostFunc(stream, count_call, calls));
  PART(add_number(story, two.out_tensor, 100, other.in_tensor, stream));
  aclmdlRI model = nullptr;
  STEP(aclmdlRICaptureEnd(stream, &model));
  AT_END(aclmdlRIDestroy(model));

  STEP(aclmdlRIExecuteAsync(model, stream));
  PART(all_are_after(story, other.out, 22, stream));
  PART(all_are(story, other.in, 111));
  STEP(aclmdlRICaptureTaskUpdateBegin(side, group));
  PART(add_number(story, two.in_tensor, 5, two.out_tensor, side));
  STEP(aclmdlRICaptureTaskUpdateEnd(side));
  STEP(aclrtSynchronizeStream(side));  // which says whether the update has been made
  STEP(aclmdlRIExecuteAsync(model, stream));
  PART(all_are_after(story, other.in, 115, stream));
  RIGHT(*calls == 2);
}

void built_model_story(Story& story) {
  aclrtStream head = nullptr;
  aclrtStream tail = nullptr;
  for (aclrtStream* made : {&head, &tail}) {
    STEP(aclrtCreateStreamWithConfig(made, 0, ACL_STREAM_PERSISTENT));
    const aclrtStream stream = *made;
    AT_END(aclrtDestroyStreamForce(stream));
  }
  aclrtEvent done = nullptr;
  STEP(aclrtCreateEventWithFlag(&done, ACL_EVENT_SYNC));
  AT_END(aclrtDestroyEvent(done));
  Two two;
  PART(make_two(story, two, 1));
  aclmdlRI model = nullptr;
  STEP(aclmdlRIBuildBegin(&model, 0));
  AT_END(aclmdlRIDestroy(model));
  STEP(aclmdlRIBindStream(model, head, ACL_MODEL_STREAM_FLAG_HEAD));
  STEP(aclmdlRIBindStream(model, tail, ACL_MODEL_STREAM_FLAG_HEAD));
  PART(add_number(story, two.in_tensor, 1, two.out_tensor, head));
  STEP(aclrtRecordEvent(done, head));
  STEP(aclrtStreamWaitEvent(tail, done));
  PART(add_number(story, two.out_tensor, 0, two.in_tensor, tail));
  STEP(aclmdlRIEndTask(model, tail));
  STEP(aclmdlRIBuildEnd(model, nullptr));
  STEP(aclmdlRIExecute(model, 30000));
  PART(all_are(story, two.in, 2));
  STEP(aclmdlRIExecute(model, 30000));
  PART(all_are(story, two.in, 3));
}

const std::string& kernel_module() {
  static const std::string module = compile(kAddByPointer);
  return module;
}

void kernel_story(Story& story) {
  const std::string& module = kernel_module();
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  void* in = nullptr;
  void* out = nullptr;
  PART(make_floats(story, in, 1));
  PART(make_floats(story, out, 0));
  aclrtBinHandle binary = nullptr;
  STEP(aclrtBinaryLoadFromData(module.data(), module.size(), nullptr, &binary));
  AT_END(aclrtBinaryUnLoad(binary));
  aclrtFuncHandle function = nullptr;
  STEP(aclrtBinaryGetFunction(binary, "main", &function));
  AddArguments arguments{in, out, 4};
  STEP(aclrtLaunchKernelWithHostArgs(function, kCount / 8, stream, nullptr, &arguments, sizeof(arguments), nullptr, 0));
  PART(all_are_after(story, out, 5, stream));
}

}  // namespace aclvk::test
