// Queues of message buffers: ids, attributes, depth, waiting, rights.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "support/queue_fixture.hpp"

namespace aclvk::test {
namespace {

using QueueAttributes = Plain;

TEST_F(QueueAttributes, HaveANameAndADepth) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  ASSERT_NE(attr, nullptr);
  const char* name = "camera";
  uint32_t depth = 3;
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name), 0);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth), 0);

  const char* kept = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(kept), &bytes, &kept), 0);
  EXPECT_STREQ(kept, "camera");
  EXPECT_EQ(bytes, sizeof(kept));
  depth = 0;
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &bytes, &depth), 0);
  EXPECT_EQ(depth, 3U);
  EXPECT_EQ(bytes, 4U);
  EXPECT_EQ(acltdtDestroyQueueAttr(attr), 0);
  EXPECT_EQ(acltdtDestroyQueueAttr(attr), kRefused);
}

TEST_F(QueueAttributes, AreChecked) {
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  const std::string long_name(128, 'x');
  const char* name = long_name.c_str();
  const char* no_name = nullptr;
  uint32_t depth = 0;
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &no_name), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_NAME_PTR, 4, &name), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 8, &name), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(attr, static_cast<acltdtQueueAttrType>(2), 4, &depth), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr), kRefused);
  EXPECT_EQ(acltdtSetQueueAttr(nullptr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &depth), kRefused);
  size_t bytes = 0;
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 3, &bytes, &depth), kRefused);
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, nullptr, &depth), kRefused);
  EXPECT_EQ(acltdtGetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &bytes, nullptr), kRefused);
  EXPECT_EQ(acltdtGetQueueAttr(nullptr, ACL_TDT_QUEUE_DEPTH_UINT32, 4, &bytes, &depth), kRefused);
  EXPECT_EQ(acltdtGetQueueAttr(attr, static_cast<acltdtQueueAttrType>(7), 4, &bytes, &depth), kRefused);
  EXPECT_EQ(acltdtDestroyQueueAttr(nullptr), kRefused);
  uint32_t qid = 0;
  EXPECT_EQ(acltdtCreateQueue(nullptr, &qid), kRefused);
  EXPECT_EQ(acltdtCreateQueue(attr, nullptr), kRefused);
  EXPECT_EQ(acltdtCreateQueue(attr, &qid), 0) << "the defaults are fine";
  EXPECT_EQ(acltdtDestroyQueue(qid), 0);
  EXPECT_EQ(acltdtDestroyQueueAttr(attr), 0);
}

TEST_F(Queues, HaveIdsOfTheirOwnAndAreDestroyedOnce) {
  const uint32_t a = new_queue(1);
  const uint32_t b = new_queue(1);
  EXPECT_NE(a, b);
  EXPECT_EQ(acltdtDestroyQueue(a), 0);
  EXPECT_EQ(acltdtDestroyQueue(a), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtDestroyQueue(b), 0);
}

TEST_F(Queues, ThatDoNotExistAreRefusedByTheirId) {
  constexpr uint32_t kNone = 4000000000;
  acltdtBuf buf = buffer_with("x");
  char byte = 0;
  size_t bytes = 0;
  uint32_t permission = 0;
  EXPECT_EQ(acltdtEnqueue(kNone, buf, 0), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtDequeue(kNone, &buf, 0), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtEnqueueData(kNone, &byte, 1, nullptr, 0, 0, 0), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtDequeueData(kNone, &byte, 1, &bytes, nullptr, 0, 0), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtGrantQueue(kNone, getpid(), 1, 0), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtAttachQueue(kNone, 0, &permission), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtFreeBuf(buf), 0) << "still the program's own";
}

TEST_F(Queues, GiveOutWhatWasPutInInItsOrder) {
  const uint32_t qid = new_queue(4);
  for (const char* text : {"first", "second", "third"}) {
    EXPECT_EQ(acltdtEnqueue(qid, buffer_with(text), 0), 0);
  }
  for (const char* text : {"first", "second", "third"}) {
    acltdtBuf buf = nullptr;
    ASSERT_EQ(acltdtDequeue(qid, &buf, 0), 0);
    EXPECT_EQ(text_of(buf), text);
    EXPECT_EQ(acltdtFreeBuf(buf), 0);
  }
}

TEST_F(Queues, AreFullAndEmpty) {
  const uint32_t qid = new_queue(2);
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtDequeue(qid, &buf, 5), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtEnqueue(qid, buffer_with("a"), 0), 0);
  EXPECT_EQ(acltdtEnqueue(qid, buffer_with("b"), 0), 0);
  acltdtBuf third = buffer_with("c");
  EXPECT_EQ(acltdtEnqueue(qid, third, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(acltdtEnqueue(qid, third, 5), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(text_of(third), "c") << "the program still has it";
  ASSERT_EQ(acltdtDequeue(qid, &buf, 0), 0);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
  EXPECT_EQ(acltdtEnqueue(qid, third, 0), 0);
}

TEST_F(Queues, MayBePolledWithoutLeavingErrors) {
  const uint32_t qid = new_queue(1);
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, 0), ACL_ERROR_RT_QUEUE_EMPTY);
  EXPECT_EQ(acltdtEnqueueData(qid, "x", 1, nullptr, 0, 0, 0), 0);
  EXPECT_EQ(acltdtEnqueueData(qid, "y", 1, nullptr, 0, 0, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
  EXPECT_EQ(acltdtDequeue(qid, nullptr, 0), kRefused);
  EXPECT_NE(aclGetRecentErrMsg(), nullptr) << "mistakes are told";
}

TEST_F(Queues, CheckTheirArguments) {
  const uint32_t qid = new_queue(2);
  acltdtBuf buf = buffer_with("x");
  EXPECT_EQ(acltdtEnqueue(qid, nullptr, 0), kRefused);
  EXPECT_EQ(acltdtEnqueue(qid, buf, -2), kRefused);
  EXPECT_EQ(acltdtDequeue(qid, nullptr, 0), kRefused);
  EXPECT_EQ(acltdtDequeue(qid, &buf, -2), kRefused);
  char data[4] = {};
  char user[100] = {};
  size_t bytes = 0;
  EXPECT_EQ(acltdtEnqueueData(qid, nullptr, 4, nullptr, 0, 0, 0), kRefused);
  EXPECT_EQ(acltdtEnqueueData(qid, data, 0, nullptr, 0, 0, 0), kRefused);
  EXPECT_EQ(acltdtEnqueueData(qid, data, 4, nullptr, 4, 0, 0), kRefused);
  EXPECT_EQ(acltdtEnqueueData(qid, data, 4, user, 97, 0, 0), kRefused);
  EXPECT_EQ(acltdtEnqueueData(qid, data, 4, nullptr, 0, -2, 0), kRefused);
  EXPECT_EQ(acltdtEnqueueData(qid, data, 4, nullptr, 0, 0, 1), kRefused) << "rsv is reserved";
  EXPECT_EQ(acltdtDequeueData(qid, nullptr, 4, &bytes, nullptr, 0, 0), kRefused);
  EXPECT_EQ(acltdtDequeueData(qid, data, 0, &bytes, nullptr, 0, 0), kRefused);
  EXPECT_EQ(acltdtDequeueData(qid, data, 4, nullptr, nullptr, 0, 0), kRefused);
  EXPECT_EQ(acltdtDequeueData(qid, data, 4, &bytes, nullptr, 4, 0), kRefused);
  EXPECT_EQ(acltdtDequeueData(qid, data, 4, &bytes, user, 97, 0), kRefused);
  EXPECT_EQ(acltdtDequeueData(qid, data, 4, &bytes, nullptr, 0, -2), kRefused);
  EXPECT_EQ(acltdtDequeue(qid, &buf, 0), ACL_ERROR_RT_QUEUE_EMPTY) << "nothing got in";
}

TEST_F(Queues, TakeTheBufferFromTheProgram) {
  const uint32_t qid = new_queue(2);
  acltdtBuf buf = buffer_with("mine no more");
  ASSERT_EQ(acltdtEnqueue(qid, buf, 0), 0);
  EXPECT_EQ(acltdtFreeBuf(buf), kRefused);
  EXPECT_EQ(acltdtSetBufDataLen(buf, 1), kRefused);
  EXPECT_EQ(acltdtEnqueue(qid, buf, 0), kRefused);
}

TEST_F(Queues, CarryLengthsPrivatePartsAndChains) {
  const uint32_t qid = new_queue(2);
  acltdtBuf head = buffer_with("head");
  acltdtBuf follower = buffer_with("follower");
  uint32_t mark = 42;
  ASSERT_EQ(acltdtSetBufUserData(head, &mark, 4, 8), 0);
  ASSERT_EQ(acltdtAppendBufChain(head, follower), 0);
  EXPECT_EQ(acltdtEnqueue(qid, follower, 0), kRefused) << "it belongs to the chain";
  ASSERT_EQ(acltdtEnqueue(qid, head, 0), 0);

  acltdtBuf buf = nullptr;
  ASSERT_EQ(acltdtDequeue(qid, &buf, 0), 0);
  uint32_t count = 0;
  EXPECT_EQ(acltdtGetBufChainNum(buf, &count), 0);
  EXPECT_EQ(count, 2U);
  acltdtBuf second = nullptr;
  ASSERT_EQ(acltdtGetBufFromChain(buf, 1, &second), 0);
  EXPECT_EQ(text_of(buf), "head");
  EXPECT_EQ(text_of(second), "follower");
  mark = 0;
  EXPECT_EQ(acltdtGetBufUserData(buf, &mark, 4, 8), 0);
  EXPECT_EQ(mark, 42U);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(Queues, CopyDataInAndOut) {
  const uint32_t qid = new_queue(2);
  std::string data = "payload";
  uint16_t mark = 7;
  ASSERT_EQ(acltdtEnqueueData(qid, data.data(), data.size(), &mark, sizeof(mark), 0, 0), 0);
  data = "changed";
  mark = 0;
  char out[32] = {};
  size_t bytes = 0;
  ASSERT_EQ(acltdtDequeueData(qid, out, sizeof(out), &bytes, &mark, sizeof(mark), 0), 0);
  EXPECT_EQ(std::string(out, bytes), "payload");
  EXPECT_EQ(mark, 7);
}

TEST_F(Queues, DoNotLoseDataThatDoesNotFit) {
  const uint32_t qid = new_queue(2);
  ASSERT_EQ(acltdtEnqueueData(qid, "payload", 7, nullptr, 0, 0, 0), 0);
  char out[8] = {};
  size_t bytes = 0;
  EXPECT_EQ(acltdtDequeueData(qid, out, 6, &bytes, nullptr, 0, 0), kRefused);
  EXPECT_EQ(bytes, 7U) << "so much room is needed";
  EXPECT_STREQ(out, "");
  EXPECT_EQ(acltdtDequeueData(qid, out, 7, &bytes, nullptr, 0, 0), 0);
  EXPECT_STREQ(out, "payload");
}

TEST_F(Queues, MixBuffersAndData) {
  const uint32_t qid = new_queue(2);
  uint32_t mark = 3;
  ASSERT_EQ(acltdtEnqueueData(qid, "data", 4, &mark, 4, 0, 0), 0);
  acltdtBuf head = buffer_with("one ");
  ASSERT_EQ(acltdtAppendBufChain(head, buffer_with("message")), 0);
  ASSERT_EQ(acltdtEnqueue(qid, head, 0), 0);

  acltdtBuf buf = nullptr;
  ASSERT_EQ(acltdtDequeue(qid, &buf, 0), 0);
  EXPECT_EQ(text_of(buf), "data");
  mark = 0;
  EXPECT_EQ(acltdtGetBufUserData(buf, &mark, 4, 0), 0);
  EXPECT_EQ(mark, 3U);
  EXPECT_EQ(acltdtFreeBuf(buf), 0);

  char out[32] = {};
  size_t bytes = 0;
  ASSERT_EQ(acltdtDequeueData(qid, out, sizeof(out), &bytes, nullptr, 0, 0), 0);
  EXPECT_EQ(std::string(out, bytes), "one message") << "a chain is one message";
}

TEST_F(Queues, RefuseAddressesWithoutMemory) {
  const uint32_t qid = new_queue(2);
  auto* nowhere = reinterpret_cast<void*>(uintptr_t{0x10});
  size_t bytes = 0;
  EXPECT_EQ(acltdtEnqueueData(qid, nowhere, 64, nullptr, 0, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(acltdtEnqueueData(qid, "x", 1, nullptr, 0, 0, 0), 0);
  EXPECT_EQ(acltdtDequeueData(qid, nowhere, 64, &bytes, nullptr, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  char out = 0;
  EXPECT_EQ(acltdtDequeueData(qid, &out, 1, &bytes, nullptr, 0, 0), 0) << "it is still there";
  EXPECT_EQ(out, 'x');
}

using QueuesOfADevice = OneStream;

TEST_F(QueuesOfADevice, TakeDataFromDeviceMemoryAndBringItThere) {
  const uint32_t qid = new_queue(1);
  void* from = nullptr;
  void* to = nullptr;
  ASSERT_EQ(aclrtMalloc(&from, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtMalloc(&to, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtMemset(from, 64, 0x5A, 64), 0);
  ASSERT_EQ(acltdtEnqueueData(qid, from, 64, nullptr, 0, 0, 0), 0);
  size_t bytes = 0;
  ASSERT_EQ(acltdtDequeueData(qid, to, 64, &bytes, nullptr, 0, 0), 0);
  EXPECT_EQ(bytes, 64U);
  std::vector<uint8_t> host(64);
  ASSERT_EQ(aclrtMemcpy(host.data(), 64, to, 64, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(host, std::vector<uint8_t>(64, 0x5A));
  EXPECT_EQ(aclrtFree(from), 0);
  EXPECT_EQ(aclrtFree(to), 0);
}

TEST_F(Queues, MakeTheTakerWaitForTheGiver) {
  const uint32_t qid = new_queue(1);
  std::thread giver([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(acltdtEnqueue(qid, buffer_with("late"), -1), 0);
  });
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, -1), 0);
  giver.join();
  EXPECT_EQ(text_of(buf), "late");
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(Queues, MakeTheGiverWaitForRoom) {
  const uint32_t qid = new_queue(1);
  ASSERT_EQ(acltdtEnqueue(qid, buffer_with("first"), 0), 0);
  std::thread taker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    acltdtBuf buf = nullptr;
    EXPECT_EQ(acltdtDequeue(qid, &buf, 0), 0);
    EXPECT_EQ(acltdtFreeBuf(buf), 0);
  });
  EXPECT_EQ(acltdtEnqueue(qid, buffer_with("second"), 60000), 0);
  taker.join();
}

TEST_F(Queues, BringEachMessageToOneOfManyThreads) {
  const uint32_t qid = new_queue(3);
  constexpr uint32_t kEach = 200;
  std::vector<std::thread> givers;
  for (uint32_t giver = 0; giver < 4; ++giver) {
    givers.emplace_back([=] {
      for (uint32_t i = 0; i < kEach; ++i) {
        const uint32_t number = giver * kEach + i;
        EXPECT_EQ(acltdtEnqueueData(qid, &number, sizeof(number), nullptr, 0, -1, 0), 0);
      }
    });
  }
  std::vector<std::vector<uint32_t>> taken(4);
  std::vector<std::thread> takers;
  for (auto& numbers : taken) {
    takers.emplace_back([qid, &numbers] {
      for (uint32_t i = 0; i < kEach; ++i) {
        uint32_t number = 0;
        size_t bytes = 0;
        EXPECT_EQ(acltdtDequeueData(qid, &number, sizeof(number), &bytes, nullptr, 0, -1), 0);
        numbers.push_back(number);
      }
    });
  }
  for (auto& thread : givers) thread.join();
  for (auto& thread : takers) thread.join();
  std::vector<int> seen(4 * kEach);
  for (const auto& numbers : taken) {
    for (const uint32_t number : numbers) ++seen[number];
  }
  EXPECT_EQ(seen, std::vector<int>(4 * kEach, 1));
}

TEST_F(Queues, WakeWhoWaitsWhenTheyAreDestroyed) {
  const uint32_t qid = new_queue(1);
  std::thread destroyer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(acltdtDestroyQueue(qid), 0);
  });
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(qid, &buf, -1), ACL_ERROR_INVALID_QUEUE_ID);
  destroyer.join();
}

TEST_F(Queues, GiveAllRightsToTheirOwnProcess) {
  const uint32_t qid = new_queue(1);
  uint32_t permission = 0;
  EXPECT_EQ(acltdtAttachQueue(qid, 0, &permission), 0);
  EXPECT_EQ(permission, uint32_t{ACL_TDT_QUEUE_PERMISSION_MANAGE | ACL_TDT_QUEUE_PERMISSION_DEQUEUE |
                                 ACL_TDT_QUEUE_PERMISSION_ENQUEUE});
  EXPECT_EQ(acltdtGrantQueue(qid, getpid(), ACL_TDT_QUEUE_PERMISSION_ENQUEUE, 0), 0);
  EXPECT_EQ(acltdtAttachQueue(qid, -1, nullptr), kRefused);
  EXPECT_EQ(acltdtAttachQueue(qid, -2, &permission), kRefused);
}

TEST_F(Queues, CheckWhatTheyGrant) {
  const uint32_t qid = new_queue(1);
  EXPECT_EQ(acltdtGrantQueue(qid, getpid(), 0, 0), kRefused);
  EXPECT_EQ(acltdtGrantQueue(qid, getpid(), 8, 0), kRefused);
  EXPECT_EQ(acltdtGrantQueue(qid, 0, 1, 0), kRefused);
  EXPECT_EQ(acltdtGrantQueue(qid, getpid(), 1, -2), kRefused);
}

TEST_F(Queues, AreAtMost1023) {
  uint32_t last = 0;
  for (int i = 0; i < 1023; ++i) last = new_queue(1);
  acltdtQueueAttr* attr = acltdtCreateQueueAttr();
  uint32_t qid = 0;
  EXPECT_EQ(acltdtCreateQueue(attr, &qid), ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
  ASSERT_EQ(acltdtDestroyQueue(last), 0);
  EXPECT_EQ(acltdtCreateQueue(attr, &qid), 0);
  EXPECT_EQ(acltdtDestroyQueueAttr(attr), 0);
}

}  // namespace
}  // namespace aclvk::test
