// Memory that a stream has freed after tasks that are not submitted yet, and that another one takes (docs/adr/0015).
#include "support/memory_fixture.hpp"
#include "support/pool.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kMebi = 1 << 20;

class MemPoolOrder : public OneBuffer {
 protected:
  /// Gives the device work for some milliseconds, so that later tasks of the stream are gathered.
  static void keep_busy(aclrtStream stream) {
    constexpr std::size_t kLarge = 128 * kMebi;
    void* large = nullptr;
    ASSERT_EQ(aclrtMalloc(&large, kLarge, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtMemsetAsync(large, kLarge, 1, kLarge, stream), 0);
  }

  /// All of the pool, in the order of the stream.
  static void write_and_free(void* pointer, aclrtStream stream) {
    ASSERT_EQ(aclrtMemsetAsync(pointer, kMebi, 1, kMebi, stream), 0);
    ASSERT_EQ(aclrtMemPoolFreeAsync(pointer, stream), 0);
  }

  /// The stream gets it, and is the only one that writes it now.
  void expect_taken(aclrtMemPool pool, void* pointer, aclrtStream stream) {
    EXPECT_EQ(malloc_async(pool, kMebi, stream), pointer);
    ASSERT_EQ(aclrtMemsetAsync(pointer, kMebi, 2, kMebi, stream), 0);
    ASSERT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 30000), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(content(pointer, kMebi), Bytes(kMebi, 2));
  }
};

TEST_F(MemPoolOrder, WhatIsGatheredIsSubmittedBeforeAnotherStreamWaitsForIt) {
  aclrtMemPool pool = new_pool(kMebi);
  void* a = malloc_async(pool, kMebi, s);
  keep_busy(s);
  write_and_free(a, s);
  expect_taken(pool, a, new_stream());
}

TEST_F(MemPoolOrder, AStreamThatHasOnlyWaitedIsNotWaitedForInVain) {
  aclrtMemPool pool = new_pool(kMebi);
  void* a = malloc_async(pool, kMebi, s);
  aclrtStream busy = new_stream();
  aclrtEvent event = new_event_ex(ACL_EVENT_SYNC);
  keep_busy(busy);
  ASSERT_EQ(aclrtMemsetAsync(a, kMebi, 1, kMebi, busy), 0);
  ASSERT_EQ(aclrtRecordEvent(event, busy), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(s, event), 0);
  ASSERT_EQ(aclrtMemPoolFreeAsync(a, s), 0);
  expect_taken(pool, a, new_stream());
}

TEST_F(MemPoolOrder, MemoryThatADestroyedStreamFreedIsUsedAgain) {
  aclrtMemPool pool = new_pool(kMebi);
  aclrtStream destroyed = new_stream();
  void* a = malloc_async(pool, kMebi, destroyed);
  keep_busy(destroyed);
  write_and_free(a, destroyed);
  ASSERT_EQ(aclrtDestroyStreamForce(destroyed), 0);
  expect_taken(pool, a, s);
}

}  // namespace
}  // namespace aclvk::test
