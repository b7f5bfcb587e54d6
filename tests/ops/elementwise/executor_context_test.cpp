#include <atomic>
#include <thread>
#include <vector>

#include "aclnnop/aclnn_add.h"
#include "support/op_fixture.hpp"

// The contexts and threads that executors are made and run in.

namespace aclvk::test {
namespace {

constexpr int kNullptr = 161001;

class ContextsOfExecutors : public OpTest {
 protected:
  ContextsOfExecutors() : alpha(ACL_FLOAT, 1) {}

  aclnnStatus plan_add(const OpTensor& self, const OpTensor& other, const OpScalar& by, const OpTensor& out) {
    return aclnnAddGetWorkspaceSize(self.get(), other.get(), by.get(), out.get(), &size, &executor);
  }

  static aclrtContext current_context() {
    aclrtContext context = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), 0);
    return context;
  }

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  OpScalar alpha;
};

TEST_F(ContextsOfExecutors, AreThoseOfTheirStreams) {
  const OpTensor t(ACL_FLOAT, {4});
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  const aclrtContext own = current_context();
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 361001);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("belongs to another context"), std::string::npos);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
  EXPECT_EQ(aclrtDestroyContext(other), 0);
}

TEST_F(ContextsOfExecutors, AreMissingOnThreadsWithoutADevice) {
  const OpTensor t(ACL_FLOAT, {4});
  std::thread([&] {
    EXPECT_EQ(aclnnAddGetWorkspaceSize(nullptr, t.get(), alpha.get(), t.get(), &size, &executor), kNullptr) << "first";
    EXPECT_EQ(plan_add(t, t, alpha, t), 361001);
  }).join();
  EXPECT_EQ(executor, nullptr);
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  std::thread([&] { EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 361001); }).join();
}

TEST_F(ContextsOfExecutors, AreMissedOnceTheyAreDestroyed) {
  const OpTensor t(ACL_FLOAT, {4});
  const aclrtContext own = current_context();
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  aclrtStream its_stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&its_stream), 0);
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  ASSERT_EQ(aclnnAdd(nullptr, 0, executor, its_stream), 0);
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  std::thread([&] { ASSERT_EQ(aclrtDestroyContext(context), 0); }).join();
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 361001);
  EXPECT_EQ(plan_add(t, t, alpha, t), 361001);
  ASSERT_EQ(aclrtSetCurrentContext(own), 0);
  ASSERT_EQ(plan_add(t, t, alpha, t), 0);
  EXPECT_EQ(aclnnAdd(nullptr, 0, executor, stream()), 0);
}

TEST_F(ContextsOfExecutors, LetOneThreadOfManyRunAnExecutor) {
  const OpTensor t(ACL_FLOAT, {4});
  constexpr int kThreads = 4;
  for (int round = 0; round < 50; ++round) {
    ASSERT_EQ(plan_add(t, t, alpha, t), 0);
    std::atomic<int> ready{0};
    std::atomic<int> ran{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, context = current_context()] {
        aclrtSetCurrentContext(context);
        for (++ready; ready < kThreads;) std::this_thread::yield();
        const aclnnStatus status = aclnnAdd(nullptr, 0, executor, stream());
        EXPECT_TRUE(status == 0 || status == kNullptr) << status;
        ran += status == 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(ran, 1);
  }
}

}  // namespace
}  // namespace aclvk::test
