// Programs whose threads share what is launched again with other arguments: lists of arguments and executors of
// operators.
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "support/kernel_fixture.hpp"
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;

using SharedArguments = KernelTest;

TEST_F(SharedArguments, AllFillOneListToItsEnd) {
  constexpr int kRounds = 12;
  constexpr int kMost = 128;
  aclrtFuncHandle function = load_function(kAddByPointer);
  for (int round = 0; round < kRounds; ++round) {
    aclrtArgsHandle list = nullptr;
    ASSERT_EQ(aclrtKernelArgsInit(function, &list), 0);
    std::atomic<int> added{0};
    {
      Barrier barrier(kThreads);
      const Crowd crowd(kThreads, [&](int thread) {
        float value = 1;
        aclrtParamHandle parameter = nullptr;
        const auto append = [&] {
          return thread % 2 ? aclrtKernelArgsAppendPlaceHolder(list, &parameter)
                            : aclrtKernelArgsAppend(list, &value, sizeof(value), &parameter);
        };
        barrier.wait();
        aclError code = append();
        for (; code == 0; code = append()) ++added;
        EXPECT_EQ(code, ACL_ERROR_RT_PARAM_INVALID) << last_message();
      });
    }
    EXPECT_EQ(added, kMost);
  }
}

// Another thread may have changed an argument between the end of the list and its launch; that launch is refused.
TEST_F(SharedArguments, AllChangeAndLaunchOneList) {
  constexpr int kRounds = 40;
  aclrtFuncHandle function = load_function(kAddByPointer);
  const Cell in(10), out;
  aclrtArgsHandle list = nullptr;
  ASSERT_EQ(aclrtKernelArgsInit(function, &list), 0);
  aclrtParamHandle parameter = nullptr;
  const void* source = in.address();
  void* target = out.address();
  float by = 0;
  ASSERT_EQ(aclrtKernelArgsAppend(list, &source, sizeof(source), &parameter), 0);
  ASSERT_EQ(aclrtKernelArgsAppend(list, &target, sizeof(target), &parameter), 0);
  ASSERT_EQ(aclrtKernelArgsAppend(list, &by, sizeof(by), &parameter), 0);
  std::atomic<int> launched{0};
  {
    Barrier barrier(kThreads);
    const Crowd crowd(kThreads, [&](int thread) {
      auto own = static_cast<float>(thread + 1);
      for (int round = 0; round < kRounds; ++round) {
        barrier.wait();
        EXPECT_EQ(aclrtKernelArgsParaUpdate(list, parameter, &own, sizeof(own)), 0);
        EXPECT_EQ(aclrtKernelArgsFinalize(list), 0);
        const aclError code = aclrtLaunchKernelWithConfig(function, 1, s, nullptr, list, nullptr);
        EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_PARAM_INVALID) << code;
        launched += code == 0;
      }
    });
  }
  sync(s);
  EXPECT_GE(launched, 1) << "nobody changes the list after the last launch";
  EXPECT_GE(out.value(), 11);
  EXPECT_LE(out.value(), 10 + kThreads);
}

TEST_F(SharedArguments, ManyListsInMemoryOfTheProgram) {
  constexpr int kRounds = 20;
  aclrtFuncHandle function = load_function(kAddByPointer);
  std::size_t handle_bytes = 0;
  std::size_t bytes = 0;
  ASSERT_EQ(aclrtKernelArgsGetHandleMemSize(function, &handle_bytes), 0);
  ASSERT_EQ(aclrtKernelArgsGetMemSize(function, sizeof(AddArguments), &bytes), 0);
  Barrier barrier(kThreads);
  const Crowd crowd(kThreads, [&](int) {
    const OwnStream stream;
    const Cell in(1), out;
    const void* source = in.address();
    void* target = out.address();
    std::vector<std::vector<std::uint64_t>> handles(kRounds, std::vector<std::uint64_t>(handle_bytes / 8 + 1));
    std::vector<std::uint64_t> memory(bytes / 8 + 1);
    for (int round = 0; round < kRounds; ++round) {
      aclrtArgsHandle list = handles[static_cast<std::size_t>(round)].data();
      auto by = static_cast<float>(round);
      aclrtParamHandle parameter = nullptr;
      barrier.wait();
      EXPECT_EQ(aclrtKernelArgsInitByUserMem(function, list, memory.data(), bytes), 0) << last_message();
      EXPECT_EQ(aclrtKernelArgsAppend(list, &source, sizeof(source), &parameter), 0);
      EXPECT_EQ(aclrtKernelArgsAppend(list, &target, sizeof(target), &parameter), 0);
      EXPECT_EQ(aclrtKernelArgsAppend(list, &by, sizeof(by), &parameter), 0);
      EXPECT_EQ(aclrtKernelArgsFinalize(list), 0);
      EXPECT_EQ(aclrtLaunchKernelWithConfig(function, 1, stream, nullptr, list, nullptr), 0) << last_message();
      sync(stream);
      EXPECT_EQ(out.value(), by + 1);
    }
  });
}

/// The repeatable executor of out = in + by.
aclOpExecutor* new_executor(const Cell& in, float by, const Cell& out) {
  const float one = 1;
  aclScalar* other = aclCreateScalar(const_cast<float*>(&by), ACL_FLOAT);
  aclScalar* alpha = aclCreateScalar(const_cast<float*>(&one), ACL_FLOAT);
  std::uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnAddsGetWorkspaceSize(in.tensor(), other, alpha, out.tensor(), &workspace, &executor), 0);
  EXPECT_EQ(workspace, 0U);
  EXPECT_EQ(aclDestroyScalar(other), 0);
  EXPECT_EQ(aclDestroyScalar(alpha), 0);
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  return executor;
}

using SharedExecutor = CaptureTest;

// Between a thread's change and its launch others may have changed it, too: then it runs with what they have set.
TEST_F(SharedExecutor, AllChangeAndLaunchIt) {
  constexpr int kRounds = 30;
  const Cell in(1);
  const std::array<Cell, kThreads> outs;
  const Cell last;
  aclOpExecutor* executor = new_executor(in, 2, last);
  {
    const Crowd crowd(kThreads, [&](int thread) {
      const OwnStream stream;
      const Cell& own = outs[static_cast<std::size_t>(thread)];
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, own.tensor(), own.address()), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(aclSetInputTensorAddr(executor, 0, in.tensor(), in.address()), 0);
        EXPECT_EQ(aclnnAdds(nullptr, 0, executor, stream), 0) << aclGetRecentErrMsg();
      }
      sync(stream);
    });
  }
  EXPECT_EQ(last.value(), 0) << "each launch was after a change";
  int written = 0;
  for (const Cell& out : outs) {
    EXPECT_TRUE(out.value() == 0 || out.value() == 3) << out.value();
    written += out.value() == 3;
  }
  EXPECT_GE(written, 1);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(SharedExecutor, ItIsDestroyedWhileOthersLaunchIt) {
  constexpr int kRounds = 20;
  const Cell sum;
  std::atomic<int> launched{0};
  for (int round = 0; round < kRounds; ++round) {
    aclOpExecutor* executor = new_executor(sum, 1, sum);
    Barrier barrier(kThreads);
    const Crowd crowd(kThreads, [&](int thread) {
      barrier.wait();
      if (thread == 0) {
        while (launched < 10 * (round + 1)) std::this_thread::yield();
        EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
        return;
      }
      aclnnStatus code = 0;
      while ((code = aclnnAdds(nullptr, 0, executor, s)) == 0) ++launched;
      EXPECT_EQ(code, ACLNN_ERR_PARAM_NULLPTR) << aclGetRecentErrMsg();
    });
  }
  sync(s);
  EXPECT_EQ(sum.value(), static_cast<float>(launched));
}

}  // namespace
}  // namespace aclvk::test
