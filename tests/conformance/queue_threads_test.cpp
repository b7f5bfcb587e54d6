// Queues, message buffers and channels that several threads use at the same time.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_tdt.h"
#include "support/queue_fixture.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 3;  // of each kind
constexpr int kRounds = 40;
constexpr int32_t kPatience = 60000;

/// Texts that several threads note; all of them have to be there in the end.
class Notes {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    texts_.push_back(text);
  }
  void expect_those_of_all_threads() {
    std::vector<std::string> expected;
    for (int thread = 0; thread < kThreads; ++thread) {
      for (int round = 0; round < kRounds; ++round) expected.push_back(text(thread, round));
    }
    std::sort(expected.begin(), expected.end());
    std::sort(texts_.begin(), texts_.end());
    EXPECT_EQ(texts_, expected);
  }
  static std::string text(int thread, int round) { return std::to_string(thread) + " says " + std::to_string(round); }

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

std::string take_patiently(uint32_t qid) {
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, kPatience), 0) << aclGetRecentErrMsg();
  const std::string text = text_of(buf);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
  return text;
}

class QueueThreads : public Plain {
  const Watchdog watchdog_{std::chrono::seconds(100), "A thread waits for a queue or a channel."};
};

// A queue with little room blocks the producer; the route after it moves on what there is.
TEST_F(QueueThreads, NothingGetsLostOnTheWayThroughTwoQueues) {
  const uint32_t source = new_queue(2);
  const uint32_t target = new_queue(3);
  acltdtQueueRouteList* routes = acltdtCreateQueueRouteList();
  acltdtQueueRoute* route = acltdtCreateQueueRoute(source, target);
  EXPECT_EQ(acltdtAddQueueRoute(routes, route), 0);
  EXPECT_EQ(acltdtBindQueueRoutes(routes), 0) << aclGetRecentErrMsg();
  Notes taken;
  {
    Threads threads;
    threads.start(kThreads, [&](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(acltdtEnqueue(source, buffer_with(Notes::text(thread, round)), kPatience), 0);
      }
    });
    threads.start(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) taken.add(take_patiently(target));
    });
  }
  taken.expect_those_of_all_threads();
  EXPECT_EQ(take_text(target), "(empty)");
  EXPECT_EQ(acltdtUnbindQueueRoutes(routes), 0);
  EXPECT_EQ(acltdtDestroyQueueRoute(route), 0);
  EXPECT_EQ(acltdtDestroyQueueRouteList(routes), 0);
}

TEST_F(QueueThreads, QueuesComeAndGo) {
  Threads threads;
  threads.start(2 * kThreads, [](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const uint32_t qid = new_queue(1);
      EXPECT_EQ(acltdtGrantQueue(qid, getppid(), ACL_TDT_QUEUE_PERMISSION_DEQUEUE, 0), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(acltdtEnqueue(qid, buffer_with(Notes::text(thread, round)), 0), 0);
      EXPECT_EQ(take_text(qid), Notes::text(thread, round));
      EXPECT_EQ(acltdtDestroyQueue(qid), 0);
      EXPECT_EQ(acltdtDestroyQueue(qid), ACL_ERROR_INVALID_QUEUE_ID);
    }
  });
}

// A thread that waits for a queue gets an error when another thread destroys it.
TEST_F(QueueThreads, QueuesEndWhileOthersWaitForThem) {
  for (int round = 0; round < kRounds; ++round) {
    const uint32_t qid = new_queue(1);
    std::atomic<int> taken{0};
    Threads threads;
    threads.start(kThreads, [&](int) {
      acltdtBuf buf = nullptr;
      const aclError code = acltdtDequeue(qid, &buf, kPatience);
      if (code == 0) {
        EXPECT_EQ(acltdtFreeBuf(buf), 0);
        ++taken;
      } else {
        EXPECT_EQ(code, ACL_ERROR_INVALID_QUEUE_ID);
      }
    });
    EXPECT_EQ(acltdtEnqueue(qid, buffer_with("one"), 0), 0);
    while (taken == 0) std::this_thread::yield();
    EXPECT_EQ(acltdtDestroyQueue(qid), 0);
  }
}

TEST_F(QueueThreads, ABufferIsDescribedByAllThreads) {
  acltdtBuf shared = buffer_with("");
  {
    Threads threads;
    threads.start(2 * kThreads, [shared](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        const int mark = 1000 * thread + round;
        const std::size_t place = static_cast<std::size_t>(thread) * sizeof(mark);
        acltdtBuf copy = nullptr;
        int read = -1;
        size_t length = 0;
        EXPECT_EQ(acltdtSetBufUserData(shared, &mark, sizeof(mark), place), 0);
        EXPECT_EQ(acltdtSetBufDataLen(shared, static_cast<size_t>(thread)), 0);
        EXPECT_EQ(acltdtCopyBufRef(shared, &copy), 0);
        EXPECT_EQ(acltdtGetBufUserData(copy, &read, sizeof(read), place), 0);
        EXPECT_EQ(read, mark);
        EXPECT_EQ(acltdtGetBufDataLen(copy, &length), 0);
        EXPECT_LT(length, size_t{2 * kThreads});
        EXPECT_EQ(acltdtFreeBuf(copy), 0);
      }
    });
  }
  EXPECT_EQ(acltdtFreeBuf(shared), 0);
}

TEST_F(QueueThreads, AChainGrowsByAllThreads) {
  acltdtBuf head = buffer_with("head");
  {
    Threads threads;
    threads.start(kThreads, [head](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        uint32_t length = 0;
        acltdtBuf last = nullptr;
        EXPECT_EQ(acltdtAppendBufChain(head, buffer_with(Notes::text(thread, round))), 0);
        EXPECT_EQ(acltdtGetBufChainNum(head, &length), 0);
        EXPECT_EQ(acltdtGetBufFromChain(head, length - 1, &last), 0);
      }
    });
  }
  Notes found;
  uint32_t length = 0;
  EXPECT_EQ(acltdtGetBufChainNum(head, &length), 0);
  for (uint32_t place = 1; place < length; ++place) {
    acltdtBuf buf = nullptr;
    EXPECT_EQ(acltdtGetBufFromChain(head, place, &buf), 0);
    found.add(text_of(buf));
  }
  found.expect_those_of_all_threads();
  EXPECT_EQ(acltdtFreeBuf(head), 0);
}

void send(acltdtChannelHandle* channel, std::string text) {
  const auto bytes = static_cast<int64_t>(text.size());
  acltdtDataItem* item = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, &bytes, 1, ACL_UINT8, text.data(), text.size());
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtAddDataItem(set, item), 0);
  EXPECT_EQ(acltdtSendTensor(channel, set, kPatience), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  EXPECT_EQ(acltdtDestroyDataItem(item), 0);
}

std::string receive(acltdtChannelHandle* channel) {
  acltdtDataset* set = acltdtCreateDataset();
  EXPECT_EQ(acltdtReceiveTensor(channel, set, kPatience), 0) << aclGetRecentErrMsg();
  const acltdtDataItem* item = acltdtGetDataItem(set, 0);
  std::string text(static_cast<char*>(acltdtGetDataAddrFromItem(item)), acltdtGetDataSizeFromItem(item));
  EXPECT_EQ(acltdtDestroyDataset(set), 0);
  return text;
}

/// Each thread opens the channel anew for each dataset; one handle keeps it open.
TEST_F(QueueThreads, AChannelIsOpenedByAllThreads) {
  constexpr size_t kCapacity = 2;
  const auto open = [] { return acltdtCreateChannelWithCapacity(0, "between threads", kCapacity); };
  acltdtChannelHandle* kept = open();
  Notes received;
  {
    Threads threads;
    threads.start(kThreads, [&](int thread) {
      for (int round = 0; round < kRounds; ++round) {
        acltdtChannelHandle* channel = open();
        send(channel, Notes::text(thread, round));
        EXPECT_EQ(acltdtDestroyChannel(channel), 0);
      }
    });
    threads.start(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        size_t size = 99;
        EXPECT_EQ(acltdtQueryChannelSize(kept, &size), 0);
        EXPECT_LE(size, kCapacity);
        received.add(receive(kept));
      }
    });
  }
  received.expect_those_of_all_threads();
  EXPECT_EQ(acltdtDestroyChannel(kept), 0);
}

TEST_F(QueueThreads, ChannelsComeAndGoAndAreStopped) {
  Threads threads;
  threads.start(2 * kThreads, [](int thread) {
    const std::string name = "channel " + std::to_string(thread % 2);
    for (int round = 0; round < kRounds; ++round) {
      acltdtChannelHandle* channel = acltdtCreateChannel(0, name.c_str());
      ASSERT_NE(channel, nullptr) << aclGetRecentErrMsg();
      EXPECT_EQ(acltdtCleanChannel(channel), 0);
      EXPECT_EQ(acltdtStopChannel(channel), 0);
      EXPECT_EQ(acltdtDestroyChannel(channel), 0);
      EXPECT_NE(acltdtDestroyChannel(channel), 0);
    }
  });
}

}  // namespace
}  // namespace aclvk::test
