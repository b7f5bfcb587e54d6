// Memory that streams allocate and free in their own order, in captures (docs/adr/0015).
#include "support/capture_fixture.hpp"
#include "support/pool.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kMebi = 1 << 20;

class MemPoolInCapture : public CaptureTest {};

TEST_F(MemPoolInCapture, AllocationsAreMadeAtOnceAndServeTheModel) {
  aclrtMemPool pool = new_pool();
  const Cell out(0);
  aclmdlRI model = capture([&] {
    void* p = malloc_async(pool, out.bytes(), s);
    EXPECT_EQ(aclrtMemsetD32Async(p, out.bytes(), 0x3F800000, 8, s), 0);
    EXPECT_EQ(aclrtMemcpyAsync(out.address(), out.bytes(), p, out.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  });
  EXPECT_GT(used(pool), 0U) << "the model's, for as long as there is the model";
  for (int i = 0; i < 3; ++i) {
    run(model, s);
    EXPECT_EQ(out.value(), 1);
  }
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(used(pool), 0U);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(MemPoolInCapture, ACaptureUsesItsMemoryAgain) {
  aclrtMemPool pool = new_pool();
  const Cell out(0);
  aclmdlRI model = capture([&] {
    void* last = nullptr;
    for (std::uint32_t layer = 1; layer <= 10; ++layer) {
      void* p = malloc_async(pool, out.bytes(), s);
      if (last) {
        EXPECT_EQ(p, last);
      }
      last = p;
      EXPECT_EQ(aclrtMemsetD32Async(p, out.bytes(), layer, 8, s), 0);
      EXPECT_EQ(
          aclrtReduceAsync(out.address(), p, out.bytes(), ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32, s, nullptr), 0);
      EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
    }
  });
  EXPECT_EQ(used(pool), 512U) << "one piece";
  run(model, s);
  std::int32_t sum = 0;
  ASSERT_EQ(aclrtMemcpy(&sum, 4, out.address(), 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(sum, 55) << "1 + 2 + ... + 10";
  aclmdlRI second = capture([&] {
    void* p = malloc_async(pool, out.bytes(), s);
    EXPECT_EQ(aclrtMemsetD32Async(p, out.bytes(), 0, 8, s), 0);
  });
  EXPECT_EQ(used(pool), 1024U) << "what another model freed is that model's";
  run(second, s);
  clear_models();
  EXPECT_EQ(used(pool), 512U) << "the second never freed its piece";
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(MemPoolInCapture, WhatTheProgramFreesByItselfIsNotFreedAgain) {
  aclrtMemPool pool = new_pool();
  void* p = malloc_async(pool, 64, s);
  capture([&] {
    EXPECT_EQ(aclrtMemsetAsync(p, 64, 5, 64, s), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  });
  EXPECT_EQ(aclrtFree(p), 0);
  void* q = malloc_async(pool, 64, s);
  EXPECT_EQ(q, p);
  clear_models();
  EXPECT_EQ(aclrtMemset(q, 64, 1, 64), 0) << "it is another allocation";
  EXPECT_EQ(aclrtFree(q), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(MemPoolInCapture, MemoryIsFreedOnce) {
  aclrtMemPool pool = new_pool();
  void* p = malloc_async(pool, 64, s);
  void* plain = nullptr;
  ASSERT_EQ(aclrtMalloc(&plain, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  capture([&] {
    for (void* pointer : {p, plain}) {
      EXPECT_EQ(aclrtMemPoolFreeAsync(pointer, s), 0);
      EXPECT_EQ(aclrtMemPoolFreeAsync(pointer, s), ACL_ERROR_RT_PARAM_INVALID);
    }
    EXPECT_EQ(malloc_async(pool, 64, s), p);
    EXPECT_NE(malloc_async(pool, 64, s), p) << "one allocation, one address";
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0) << "it is another allocation";
  });
  clear_models();
  EXPECT_EQ(used(pool), 512U) << "what the capture has not freed";
  EXPECT_EQ(aclrtFree(plain), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(MemPoolInCapture, AStreamThatCollectsTasksCannotFree) {
  aclrtMemPool pool = new_pool();
  aclrtStream persistent = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&persistent, 0, ACL_STREAM_PERSISTENT), 0);
  void* p = malloc_async(pool, 64, persistent);
  EXPECT_EQ(aclrtMemsetAsync(p, 64, 5, 64, persistent), 0);
  EXPECT_EQ(aclrtMemPoolFreeAsync(p, persistent), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtFree(p), 0);
  EXPECT_EQ(aclrtDestroyStream(persistent), 0);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(MemPoolInCapture, MemoryThatTheStreamHasYetToFreeIsNotGivenToAModel) {
  aclrtMemPool pool = new_pool(kMebi);
  BlockedStream blocked(s);
  EXPECT_EQ(aclrtMemPoolFreeAsync(malloc_async(pool, kMebi, s), s), 0);
  begin(s);
  void* p = nullptr;
  EXPECT_EQ(aclrtMemPoolMallocAsync(&p, kMebi, pool, s), ACL_ERROR_RT_MEMORY_ALLOCATION)
      << "a run of the model may come before the free";
  end(s);
  blocked.release();
  sync(s);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

TEST_F(MemPoolInCapture, MemoryOfMallocStaysUntilTheModelEnds) {
  void* p = nullptr;
  ASSERT_EQ(aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtMemsetAsync(p, 64, 5, 64, s), 0);
    EXPECT_EQ(aclrtMemPoolFreeAsync(p, s), 0);
  });
  run(model, s);
  run(model, s);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
  destroyed(model);
  EXPECT_EQ(aclrtFree(p), ACL_ERROR_RT_PARAM_INVALID) << "freed with the model";
}

}  // namespace
}  // namespace aclvk::test
