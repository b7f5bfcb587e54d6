// Devices, contexts, memory, streams.
#include <cstring>

#include "acl/acl_rt.h"
#include "acl/acl_rt_memory_soma.h"
#include "stories/stories.hpp"
#include "stories/story_parts.hpp"
#include "support/pool.hpp"
#include "support/virtual_memory.hpp"

namespace aclvk::test {
namespace {

void set_to_seven(void* number) { *static_cast<int*>(number) = 7; }

// Memory of a pool, null when it is free. Freeing it twice may free what another thread has got there.
int free_left_over(void*& pointer, aclrtStream stream) {
  if (!pointer) return 0;
  const int code = aclrtMemPoolFreeAsync(pointer, stream);
  if (code == 0) pointer = nullptr;
  return code == ACL_ERROR_RT_DRV_INTERNAL_ERROR ? 0 : code;  // the device is lost, and its memory with it
}

}  // namespace

void open_story(Story& story) {
  STEP(aclInit(nullptr));
  AT_END(aclFinalize());
  STEP(aclrtSetDevice(0));
  AT_END(aclrtResetDevice(0));
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  void* data = nullptr;
  PART(make_floats(story, data, 1));
  STEP(aclrtMemsetAsync(data, kBytes, 0, kBytes, stream));
  PART(wait_for(story, stream));
  PART(all_are(story, data, 0));
}

void context_story(Story& story) {
  aclrtContext before = nullptr;
  STEP(aclrtGetCurrentContext(&before));
  aclrtContext context = nullptr;
  STEP(aclrtCreateContext(&context, 0));
  AT_END(aclrtSetCurrentContext(before));
  AT_END(aclrtDestroyContext(context));
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  void* data = nullptr;
  PART(make_floats(story, data, 1));
  STEP(aclrtMemsetAsync(data, kBytes, 0, kBytes, nullptr));
  STEP(aclrtSynchronizeDevice());
  STEP(aclrtMemsetAsync(data, kBytes, 0, kBytes / 2, stream));
  STEP(aclrtSynchronizeDevice());
  PART(all_are(story, data, 0));
}

void memory_story(Story& story) {
  constexpr std::size_t kLarge = std::size_t{3} << 20;  // a buffer of its own
  void* device = nullptr;
  STEP(aclrtMalloc(&device, kLarge, ACL_MEM_MALLOC_HUGE_FIRST));
  AT_END(aclrtFree(device));
  void* pinned = nullptr;
  STEP(aclrtMallocHost(&pinned, kLarge));
  AT_END(aclrtFreeHost(pinned));
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  std::memset(pinned, 5, kLarge);
  char* pageable = story.keep<char>(kLarge, 6);
  STEP(aclrtMemset(device, kLarge, 1, kLarge));
  STEP(aclrtMemcpyAsync(device, kLarge, pinned, kLarge / 2, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  PART(wait_for(story, stream));
  STEP(aclrtMemcpyAsync(pageable, kLarge, device, kLarge, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  PART(wait_for(story, stream));
  RIGHT(pageable[0] == 5 && pageable[kLarge / 2] == 1 && pageable[kLarge - 1] == 1);
  STEP(aclrtMemcpy(device, kLarge, pageable, 100, ACL_MEMCPY_HOST_TO_DEVICE));
  STEP(aclrtMemcpy2d(pinned, 64, device, 32, 16, 4, ACL_MEMCPY_DEVICE_TO_HOST));
  RIGHT(static_cast<char*>(pinned)[64] == 5);
  void* registered = nullptr;
  void* pages = story.keep<char>(3 * 4096);
  STEP(aclrtHostRegister(pages, 3 * 4096, ACL_HOST_REGISTER_MAPPED, &registered));
  AT_END(aclrtHostUnregister(pages));
}

void stream_story(Story& story) {
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  PART(make_stream(story, first));
  PART(make_stream(story, second));
  aclrtEvent begin = nullptr;
  aclrtEvent end = nullptr;
  PART(make_event(story, begin));
  PART(make_event(story, end));
  aclrtNotify notify = nullptr;
  STEP(aclrtCreateNotify(&notify, 0));
  AT_END(aclrtDestroyNotify(notify));
  void* data = nullptr;
  PART(make_floats(story, data, 1));
  void* word = nullptr;
  PART(make_floats(story, word, 0));
  int* called = story.keep<int>(1);

  STEP(aclrtRecordEvent(begin, first));
  STEP(aclrtLaunchHostFunc(first, set_to_seven,
                           called));  // what follows waits on the host, and so does the other stream
  STEP(aclrtMemsetAsync(data, kBytes, 0, kBytes / 2, first));
  STEP(aclrtRecordNotify(notify, first));
  STEP(aclrtWaitAndResetNotify(notify, second, 1));
  STEP(aclrtMemsetAsync(data, kBytes, 0, kBytes, second));
  STEP(aclrtValueWrite(word, 3, 0, second));
  STEP(aclrtRecordEvent(end, second));
  STEP(aclrtStreamWaitEvent(first, end));
  STEP(aclrtValueWait(word, 3, ACL_STREAM_WAIT_VALUE_EQ, first));
  STEP(aclrtMemsetAsync(word, kBytes, 0, kBytes, first));
  PART(wait_for_both(story, first, second));
  STEP(aclrtSynchronizeEvent(end));
  RIGHT(*called == 7);
  float milliseconds = -1;
  STEP(aclrtEventElapsedTime(&milliseconds, begin, end));
  RIGHT(milliseconds >= 0);
  aclrtEventRecordedStatus status{};
  STEP(aclrtQueryEventStatus(end, &status));
  RIGHT(status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  PART(all_are(story, data, 0));
  PART(all_are(story, word, 0));
}

void pool_story(Story& story) {
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  PART(make_stream(story, first));
  PART(make_stream(story, second));
  const aclrtMemPoolProps props = properties();
  aclrtMemPool pool = nullptr;
  STEP(aclrtMemPoolCreate(&pool, &props));
  AT_END(aclrtMemPoolDestroy(pool));
  aclrtEvent freed = nullptr;
  PART(make_event(story, freed));
  void** pointers = story.keep<void*>(4);
  for (int i = 0; i < 3; ++i) {
    STEP(aclrtMemPoolMallocAsync(&pointers[i], kMebi, pool, first));
    AT_END(free_left_over(pointers[i], first));
    STEP(aclrtMemsetAsync(pointers[i], kBytes, 0, kBytes, first));
  }
  PART(all_are_after(story, pointers[1], 0, first));
  for (int i = 0; i < 2; ++i) {
    STEP(aclrtMemPoolFreeAsync(pointers[i], first));
    pointers[i] = nullptr;
  }
  STEP(aclrtRecordEvent(freed, first));
  STEP(aclrtStreamWaitEvent(second, freed));
  void*& again = pointers[3];
  STEP(aclrtMemPoolMallocAsync(&again, kMebi, pool, second));
  AT_END(free_left_over(pointers[3], second));
  STEP(aclrtMemsetAsync(again, kBytes, 0, kBytes, second));
  PART(all_are_after(story, again, 0, second));
  STEP(aclrtMemPoolTrimTo(pool, 0));
}

void virtual_memory_story(Story& story) {
  void* start = nullptr;
  STEP(aclrtReserveMemAddress(&start, 2 * kChunk, 0, nullptr, 0));
  AT_END(aclrtReleaseMemAddress(start));
  const aclrtPhysicalMemProp prop = device_properties();
  aclrtDrvMemHandle memory = nullptr;
  STEP(aclrtMallocPhysical(&memory, kChunk, &prop, 0));
  AT_END(aclrtFreePhysical(memory));
  void* second = static_cast<char*>(start) + kChunk;
  for (void* place : {start, second}) {
    STEP(aclrtMapMem(place, kChunk, 0, memory, 0));
    AT_END(aclrtUnmapMem(place));
  }
  aclrtStream stream = nullptr;
  PART(make_stream(story, stream));
  STEP(aclrtMemsetAsync(start, kChunk, 0, kChunk, stream));
  PART(all_are_after(story, second, 0, stream));
}

}  // namespace aclvk::test
