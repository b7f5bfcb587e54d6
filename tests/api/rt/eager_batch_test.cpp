// Eager tasks are gathered into few submissions, and start without a further call (docs/adr/0014).
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "aclvk/aclvk.h"
#include "support/acl_fixture.hpp"

namespace {

class EagerBatch : public aclvk::test::OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    ASSERT_EQ(aclrtMallocHost(&pinned, kBytes), 0);
    word() = 0;
  }

  void TearDown() override {
    aclrtSynchronizeStream(s);
    aclrtFreeHost(pinned);
    aclrtFree(device);
    OneStream::TearDown();
  }

  volatile std::uint32_t& word() const { return *static_cast<volatile std::uint32_t*>(pinned); }

  void fill(int byte) { ASSERT_EQ(aclrtMemsetAsync(device, kBytes, byte, kBytes, s), 0); }
  void copy_back() { ASSERT_EQ(aclrtMemcpyAsync(pinned, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, s), 0); }

  /// Reads the pinned word without calling the library.
  bool shows(std::uint32_t value) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (word() != value) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

  static std::uint64_t submissions() {
    aclvkStatistics statistics{};
    EXPECT_EQ(aclvkGetStatistics(0, &statistics), 0);
    return statistics.submissions;
  }

  static constexpr std::size_t kBytes = 64;
  void* device = nullptr;
  void* pinned = nullptr;
};

TEST_F(EagerBatch, ATaskThatComesAloneIsSubmittedAtOnce) {
  const std::uint64_t before = submissions();
  fill(1);
  EXPECT_EQ(submissions(), before + 1);
}

TEST_F(EagerBatch, ATaskAfterASynchronizationIsSubmittedAtOnce) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t before = submissions();
    fill(round);
    ASSERT_EQ(submissions(), before + 1) << "in round " << round;
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  }
}

TEST_F(EagerBatch, TheLastTaskOfABurstStartsWithoutAFurtherCall) {
  for (int round = 1; round <= 20; ++round) {
    // Another number of tasks in each round, so that the burst ends in all states of a batch.
    for (int task = 0; task < 7 * round; ++task) fill(task);
    fill(round);
    copy_back();
    ASSERT_TRUE(shows(static_cast<std::uint32_t>(round) * 0x01010101U)) << "in round " << round;
  }
}

TEST_F(EagerBatch, TasksThatWaitedOnTheHostGoOutTogether) {
  aclvk::test::BlockedStream blocked(s);
  for (int task = 0; task < 50; ++task) fill(task);
  copy_back();
  const std::uint64_t before = submissions();
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_LE(submissions() - before, 4U) << "one writes the word, one has the 51 tasks";
  EXPECT_EQ(word(), 49 * 0x01010101U);
}

}  // namespace
