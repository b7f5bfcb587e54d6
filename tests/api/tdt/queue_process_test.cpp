// Queues between processes: rights, and everything that they allow.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>

#include "acl/acl_tdt_queue.h"
#include "support/queue_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr uint32_t kManage = ACL_TDT_QUEUE_PERMISSION_MANAGE;
constexpr uint32_t kDequeue = ACL_TDT_QUEUE_PERMISSION_DEQUEUE;
constexpr uint32_t kEnqueue = ACL_TDT_QUEUE_PERMISSION_ENQUEUE;

/// A process that does something with a queue and ends with 0 when all went well. It waits for the id of the queue, and
/// is waited for at the end of the scope. Forked before this process uses the library, except where that is the point.
class Child {
 public:
  explicit Child(const std::function<bool(uint32_t)>& work) {
    EXPECT_EQ(pipe(pipe_), 0);
    pid_ = fork();
    if (pid_ > 0) return;
    uint32_t qid = 0;
    const bool has_id = read(pipe_[0], &qid, sizeof(qid)) == sizeof(qid);
    _exit(has_id && work(qid) ? 0 : 1);
  }
  ~Child() {
    int status = -1;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    EXPECT_EQ(status, 0) << "the other process is not content";
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void send(uint32_t qid) const { EXPECT_EQ(write(pipe_[1], &qid, sizeof(qid)), ssize_t{sizeof(qid)}); }

 private:
  int pipe_[2] = {};
  pid_t pid_ = 0;
};

bool attached(uint32_t qid, uint32_t expected) {
  uint32_t permission = 0;
  return acltdtAttachQueue(qid, 60000, &permission) == 0 && permission == expected;
}

using SharedQueue = Plain;

TEST_F(SharedQueue, IsFilledByAnotherProcess) {
  const Child child([](uint32_t qid) {
    uint32_t mark = 77;
    return attached(qid, kEnqueue) && acltdtEnqueueData(qid, "hello", 5, &mark, 4, -1, 0) == 0;
  });
  const uint32_t qid = new_queue(2);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kEnqueue, 0), 0);
  child.send(qid);
  char out[8] = {};
  uint32_t mark = 0;
  size_t bytes = 0;
  ASSERT_EQ(acltdtDequeueData(qid, out, sizeof(out), &bytes, &mark, 4, 60000), 0);
  EXPECT_STREQ(out, "hello");
  EXPECT_EQ(mark, 77U);
}

TEST_F(SharedQueue, IsEmptiedByAnotherProcess) {
  const Child child([](uint32_t qid) {
    if (!attached(qid, kDequeue)) return false;
    acltdtBuf buf = nullptr;
    if (acltdtDequeue(qid, &buf, -1) != 0) return false;
    uint32_t count = 0;
    acltdtBuf second = nullptr;
    if (acltdtGetBufChainNum(buf, &count) != 0 || count != 2) return false;
    if (acltdtGetBufFromChain(buf, 1, &second) != 0) return false;
    const bool same = text_of(buf) == "head" && text_of(second) == "follower";
    return same && acltdtFreeBuf(buf) == 0 && acltdtDequeue(qid, &buf, 0) == ACL_ERROR_RT_QUEUE_EMPTY;
  });
  const uint32_t qid = new_queue(2);
  acltdtBuf head = buffer_with("head");
  ASSERT_EQ(acltdtAppendBufChain(head, buffer_with("follower")), 0);
  ASSERT_EQ(acltdtEnqueue(qid, head, 0), 0);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kDequeue, 0), 0);
  child.send(qid);
}

TEST_F(SharedQueue, PassesLargeMessagesBothWays) {
  constexpr size_t kLarge = 3U << 20;
  const Child child([](uint32_t qid) {
    if (!attached(qid, kEnqueue | kDequeue)) return false;
    std::string data(kLarge, 0);
    size_t bytes = 0;
    if (acltdtDequeueData(qid, data.data(), kLarge, &bytes, nullptr, 0, -1) != 0 || bytes != kLarge) return false;
    for (char& byte : data) ++byte;
    return acltdtEnqueueData(qid, data.data(), kLarge, nullptr, 0, -1, 0) == 0;
  });
  const uint32_t qid = new_queue(1);
  const std::string sent(kLarge, 'a');
  ASSERT_EQ(acltdtEnqueueData(qid, sent.data(), kLarge, nullptr, 0, 0, 0), 0);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kEnqueue | kDequeue, 0), 0);
  child.send(qid);
  // Its answer is the message that begins with another letter.
  std::string received(kLarge, 0);
  size_t bytes = 0;
  while (true) {
    ASSERT_EQ(acltdtDequeueData(qid, received.data(), kLarge, &bytes, nullptr, 0, 60000), 0);
    if (received[0] == 'b') break;
    ASSERT_EQ(acltdtEnqueueData(qid, received.data(), kLarge, nullptr, 0, 0, 0), 0) << "not for this process";
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(received, std::string(kLarge, 'b'));
}

TEST_F(SharedQueue, KeepsWhatDoesNotFit) {
  const Child child([](uint32_t qid) {
    if (!attached(qid, kDequeue)) return false;
    char out[8] = {};
    size_t bytes = 0;
    if (acltdtDequeueData(qid, out, 4, &bytes, nullptr, 0, -1) != ACL_ERROR_INVALID_PARAM || bytes != 7) return false;
    return acltdtDequeueData(qid, out, 8, &bytes, nullptr, 0, 0) == 0 && std::string(out) == "payload";
  });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtEnqueueData(qid, "payload", 7, nullptr, 0, 0, 0), 0);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kDequeue, 0), 0);
  child.send(qid);
}

TEST_F(SharedQueue, MakesOtherProcessesWait) {
  const Child child([](uint32_t qid) {
    if (!attached(qid, kEnqueue | kDequeue)) return false;
    if (acltdtEnqueue(qid, buffer_with("x"), 0) != ACL_ERROR_RT_QUEUE_FULL) return false;
    if (acltdtEnqueue(qid, buffer_with("x"), 30) != ACL_ERROR_RT_QUEUE_FULL) return false;
    return acltdtEnqueue(qid, buffer_with("late"), -1) == 0;
  });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtEnqueue(qid, buffer_with("early"), 0), 0);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kEnqueue | kDequeue, 0), 0);
  child.send(qid);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(take_text(qid), "early");
  acltdtBuf buf = nullptr;
  ASSERT_EQ(acltdtDequeue(qid, &buf, 60000), 0);
  EXPECT_EQ(text_of(buf), "late");
}

TEST_F(SharedQueue, LeavesABufferWithTheSenderUntilItIsTaken) {
  const Child child([](uint32_t qid) {
    if (!attached(qid, kEnqueue)) return false;
    acltdtBuf first = buffer_with("first");
    acltdtBuf second = buffer_with("second");
    const bool sent = acltdtEnqueue(qid, first, 0) == 0 && acltdtFreeBuf(first) == ACL_ERROR_INVALID_PARAM;
    const bool kept = acltdtEnqueue(qid, second, 0) == ACL_ERROR_RT_QUEUE_FULL && text_of(second) == "second";
    return sent && kept && acltdtFreeBuf(second) == 0;
  });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kEnqueue, 0), 0);
  child.send(qid);
}

TEST_F(SharedQueue, AllowsWhatWasGrantedAndNothingElse) {
  const Child child([](uint32_t qid) {
    if (!attached(qid, kDequeue)) return false;
    acltdtBuf buf = buffer_with("x");
    return acltdtEnqueue(qid, buf, 0) == ACL_ERROR_RT_NO_PERMISSION &&
           acltdtDestroyQueue(qid) == ACL_ERROR_RT_NO_PERMISSION && acltdtFreeBuf(buf) == 0;
  });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kDequeue, 0), 0);
  child.send(qid);
}

TEST_F(SharedQueue, CanBeWaitedFor) {
  const Child child([](uint32_t qid) {
    uint32_t permission = 0;
    return acltdtAttachQueue(qid, 0, &permission) != 0 && attached(qid, kManage);
  });
  const uint32_t qid = new_queue(1);
  child.send(qid);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kManage, 0), 0);
}

TEST_F(SharedQueue, IsNotForStrangers) {
  const Child child([](uint32_t qid) {
    uint32_t permission = 0;
    return acltdtAttachQueue(qid, 20, &permission) == ACL_ERROR_RT_NO_PERMISSION &&
           acltdtAttachQueue(qid + 1, 20, &permission) == ACL_ERROR_INVALID_QUEUE_ID &&
           acltdtEnqueueData(qid, "x", 1, nullptr, 0, 0, 0) == ACL_ERROR_RT_NO_PERMISSION;
  });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtGrantQueue(qid, getppid(), kEnqueue, 0), 0) << "somebody else";
  child.send(qid);
}

TEST_F(SharedQueue, MayBeDestroyedByAManager) {
  const Child child([](uint32_t qid) { return attached(qid, kManage) && acltdtDestroyQueue(qid) == 0; });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kManage, 0), 0);
  child.send(qid);
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, 60000), ACL_ERROR_INVALID_QUEUE_ID);
}

TEST_F(SharedQueue, LosesNothingWhenATakerDies) {
  pid_t taker = 0;
  const uint32_t depth = 1;
  int pipes[2] = {};
  ASSERT_EQ(pipe(pipes), 0);
  taker = fork();
  if (taker == 0) {
    uint32_t qid = 0;
    acltdtBuf buf = nullptr;
    if (read(pipes[0], &qid, sizeof(qid)) == sizeof(qid) && attached(qid, kDequeue)) acltdtDequeue(qid, &buf, -1);
    _exit(0);
  }
  const uint32_t qid = new_queue(depth);
  ASSERT_EQ(acltdtGrantQueue(qid, taker, kDequeue, 0), 0);
  ASSERT_EQ(write(pipes[1], &qid, sizeof(qid)), ssize_t{sizeof(qid)});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ASSERT_EQ(kill(taker, SIGKILL), 0);
  ASSERT_EQ(waitpid(taker, nullptr, 0), taker);
  ASSERT_EQ(acltdtEnqueue(qid, buffer_with("precious"), 0), 0);
  acltdtBuf buf = nullptr;
  ASSERT_EQ(acltdtDequeue(qid, &buf, 60000), 0);
  EXPECT_EQ(text_of(buf), "precious");
}

// It is this process that lets the owner continue, so that a call which waited for his answer would not come back.
TEST_F(SharedQueue, OfAProcessThatIsStoppedIsNotWaitedForLongerThanWanted) {
  int from_owner[2] = {};
  int to_owner[2] = {};
  ASSERT_EQ(pipe(from_owner), 0);
  ASSERT_EQ(pipe(to_owner), 0);
  const pid_t owner = fork();
  if (owner == 0) {
    char next = 0;
    acltdtBuf buf = nullptr;
    const uint32_t made = new_queue(2);
    const bool shared = acltdtGrantQueue(made, getppid(), kEnqueue | kDequeue, 0) == 0 &&
                        write(from_owner[1], &made, sizeof(made)) == ssize_t{sizeof(made)} &&
                        read(to_owner[0], &next, 1) == 1;
    _exit(shared && acltdtDequeue(made, &buf, 0) == ACL_ERROR_RT_QUEUE_EMPTY ? 0 : 1);
  }
  uint32_t qid = 0;
  ASSERT_EQ(read(from_owner[0], &qid, sizeof(qid)), ssize_t{sizeof(qid)});
  ASSERT_TRUE(attached(qid, kEnqueue | kDequeue));
  ASSERT_EQ(kill(owner, SIGSTOP), 0);
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, 10), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtEnqueueData(qid, "late", 4, nullptr, 0, 10, 0), ACL_ERROR_RT_QUEUE_FULL);
  ASSERT_EQ(kill(owner, SIGCONT), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ASSERT_EQ(write(to_owner[1], "", 1), 1);
  int status = -1;
  EXPECT_EQ(waitpid(owner, &status, 0), owner);
  EXPECT_EQ(status, 0) << "the message came after all";
}

// It has not been waited for, so its number still belongs to a process.
TEST_F(SharedQueue, IsNotAwaitedOfAProcessThatHasEnded) {
  constexpr int kNumberBits = 10;
  const pid_t owner = fork();
  if (owner == 0) _exit(0);
  siginfo_t end{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(owner), &end, WEXITED | WNOWAIT), 0);
  uint32_t permission = 0;
  const uint32_t qid = static_cast<uint32_t>(owner) << kNumberBits | 1U;
  EXPECT_EQ(acltdtAttachQueue(qid, -1, &permission), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(waitpid(owner, nullptr, 0), owner);
}

TEST_F(SharedQueue, IsNotInheritedByAChild) {
  const uint32_t source = new_queue(1);
  const uint32_t target = new_queue(1);
  const Child child([target](uint32_t qid) {
    acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
    acltdtAddQueueRoute(list, acltdtCreateQueueRoute(qid, target));
    return acltdtGrantQueue(qid, getppid(), kEnqueue, 0) == ACL_ERROR_INVALID_QUEUE_ID &&
           acltdtBindQueueRoutes(list) == ACL_ERROR_INVALID_QUEUE_ID;
  });
  child.send(source);
}

TEST_F(SharedQueue, OfAChildKnowsNoRoutesOfItsParent) {
  const uint32_t source = new_queue(1);
  const uint32_t target = new_queue(1);
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  ASSERT_EQ(acltdtAddQueueRoute(list, acltdtCreateQueueRoute(source, target)), 0);
  ASSERT_EQ(acltdtBindQueueRoutes(list), 0);
  const Child child([](uint32_t) {
    const uint32_t own = new_queue(1);
    return acltdtEnqueue(own, buffer_with("own"), 0) == 0 && take_text(own) == "own" && acltdtDestroyQueue(own) == 0;
  });
  child.send(source);
}

TEST_F(SharedQueue, HasNoRoutesToQueuesOfOtherProcesses) {
  const Child child([](uint32_t qid) {
    acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
    acltdtAddQueueRoute(list, acltdtCreateQueueRoute(new_queue(1), qid));
    return attached(qid, kManage) && acltdtBindQueueRoutes(list) == ACL_ERROR_INVALID_QUEUE_ID;
  });
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtGrantQueue(qid, child.pid(), kManage, 0), 0);
  child.send(qid);
}

}  // namespace
}  // namespace aclvk::test
