// Memory that models and streams free later than its call, while the host has none.
#include <gtest/gtest.h>

#include <cstdint>

#include "acl/acl.h"
#include "faults/host_allocations.hpp"
#include "support/acl_fixture.hpp"
#include "support/pool.hpp"

namespace aclvk::test {
namespace {

constexpr std::uint64_t kMostAllocations = 1000;  // of one call

class FreedLater : public OneStream {
 protected:
  static void* allocate() {
    void* pointer = nullptr;
    EXPECT_EQ(aclrtMalloc(&pointer, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    return pointer;
  }
  void begin() { ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), 0); }
  aclmdlRI end() {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(s, &model), 0);
    return model;
  }
};

TEST_F(FreedLater, ACaptureThatRefusesAFreeLeavesTheMemoryAlone) {
  bool met = true;
  for (std::uint64_t at = 1; met && at < kMostAllocations; ++at) {
    void* pointer = allocate();
    begin();
    HostAllocations::arm(at);
    const aclError code = aclrtMemPoolFreeAsync(pointer, s);
    met = HostAllocations::disarm().failed > 0;
    EXPECT_EQ(aclmdlRIDestroy(end()), 0);
    EXPECT_EQ(aclrtFree(pointer), code == 0 ? ACL_ERROR_RT_PARAM_INVALID : 0) << "allocation " << at;
  }
  EXPECT_FALSE(met);
}

TEST_F(FreedLater, AModelGivesUpWhatItHasWithoutMemory) {
  aclrtMemPool pool = new_pool();
  bool met = true;
  for (std::uint64_t at = 1; met && at < kMostAllocations; ++at) {
    void* pointer = allocate();
    begin();
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureGetInfo(s, nullptr, &model), 0);
    aclmdlRICondHandle condition{};
    ASSERT_EQ(aclmdlRICondHandleCreate(model, 0, static_cast<aclmdlRICondHandleFlag>(0), &condition), 0);
    ASSERT_EQ(aclrtMemPoolFreeAsync(pointer, s), 0);
    ASSERT_EQ(aclrtMemPoolFreeAsync(malloc_async(pool, 64, s), s), 0);
    model = end();
    HostAllocations::arm(at);
    const aclError code = aclmdlRIDestroy(model);
    met = HostAllocations::disarm().failed > 0;
    if (code != 0) aclmdlRIDestroy(model);
    EXPECT_EQ(aclrtFree(pointer), ACL_ERROR_RT_PARAM_INVALID) << "allocation " << at;
    EXPECT_EQ(used(pool), 0U) << "allocation " << at;
  }
  EXPECT_FALSE(met);
  EXPECT_EQ(aclrtMemPoolDestroy(pool), 0);
}

// The task is dropped with its stream.
TEST_F(FreedLater, AStreamThatIsAbortedGivesUpWhatItHasWithoutMemory) {
  bool met = true;
  for (std::uint64_t at = 1; met && at < kMostAllocations; ++at) {
    BlockedStream other;
    void* pointer = allocate();
    ASSERT_EQ(aclrtMemPoolFreeAsync(pointer, other.get()), 0);
    HostAllocations::arm(at);
    const aclError code = aclrtStreamAbort(other.get());
    met = HostAllocations::disarm().failed > 0;
    if (code != 0) aclrtStreamAbort(other.get());
    EXPECT_EQ(aclrtFree(pointer), ACL_ERROR_RT_PARAM_INVALID) << "allocation " << at;
  }
  EXPECT_FALSE(met);
}

// Another stream has yet to use the memory. It is freed after that, or still allocated where that could not be noted.
TEST_F(FreedLater, AStreamThatIsAbortedLeavesAloneWhatOthersUseWithoutMemory) {
  const aclrtStream user = new_stream();
  const aclrtStream other = new_stream();
  aclrtNotify later = nullptr;
  aclrtNotify never = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&later, 0), 0);
  ASSERT_EQ(aclrtCreateNotify(&never, 0), 0);
  bool met = true;
  for (std::uint64_t at = 1; met && at < kMostAllocations; ++at) {
    void* pointer = allocate();
    ASSERT_EQ(aclrtWaitAndResetNotify(later, user, 0), 0);
    ASSERT_EQ(aclrtMemsetAsync(pointer, 64, 7, 64, user), 0);
    ASSERT_EQ(aclrtWaitAndResetNotify(never, other, 0), 0);
    ASSERT_EQ(aclrtMemPoolFreeAsync(pointer, other), 0);
    HostAllocations::arm(at);
    const aclError code = aclrtStreamAbort(other);
    met = HostAllocations::disarm().failed > 0;
    if (code != 0) aclrtStreamAbort(other);
    void* next = allocate();
    ASSERT_EQ(aclrtMemset(next, 64, 9, 64), 0);
    ASSERT_EQ(aclrtRecordNotify(later, s), 0);
    EXPECT_EQ(aclrtSynchronizeStream(user), 0);
    std::uint8_t first = 0;
    EXPECT_EQ(aclrtMemcpy(&first, 1, next, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(first, 9) << "allocation " << at;
    const aclError answer = aclrtSynchronizeStream(other);
    EXPECT_EQ(aclrtFree(pointer), answer == ACL_ERROR_RT_MEMORY_ALLOCATION ? 0 : ACL_ERROR_RT_PARAM_INVALID)
        << "allocation " << at << ", the stream answers " << answer;
    EXPECT_EQ(aclrtFree(next), 0);
  }
  EXPECT_FALSE(met);
}

}  // namespace
}  // namespace aclvk::test
