#include "runtime/share/share_socket.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

namespace aclvk::runtime {
namespace {

constexpr LocalService kHasty{"test", SOCK_SEQPACKET, std::chrono::seconds(1)};
constexpr LocalService kPatient{"test", SOCK_SEQPACKET, std::chrono::seconds(0)};

int interrupted() {
  errno = EINTR;
  return -1;
}

TEST(CallsOnAConnection, AreMadeAgainWhenTheyAreInterrupted) {
  for (const LocalService& service : {kHasty, kPatient}) {
    int calls = 0;
    EXPECT_EQ(retry_interrupted(service, [&] { return ++calls < 4 ? interrupted() : 7; }), 7);
    EXPECT_EQ(calls, 4);
  }
}

TEST(CallsOnAConnection, AreNotMadeAgainWhenTheyFail) {
  int calls = 0;
  const auto silence = [&] {
    ++calls;
    errno = EAGAIN;
    return -1;
  };
  EXPECT_EQ(retry_interrupted(kHasty, silence), -1);
  EXPECT_EQ(calls, 1);
}

TEST(CallsOnAConnection, EndWithTheTimeoutWhileSignalsCome) {
  const auto slow = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return interrupted();
  };
  EXPECT_EQ(retry_interrupted(kHasty, slow), -1);
  EXPECT_EQ(errno, EINTR);
}

/// Two ends of a connection. The first has the timeout of the service.
struct Ends {
  Ends() {
    int numbers[2] = {-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers), 0);
    first = File(numbers[0]);
    second = File(numbers[1]);
    const timeval timeout{kShareService.timeout.count(), 0};
    setsockopt(first.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  }

  File first;
  File second;
};

std::atomic<int> signals{0};

TEST(Answers, ComeThroughSignals) {
  struct sigaction handling {};
  struct sigaction before {};
  handling.sa_handler = [](int) { ++signals; };
  handling.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGUSR1, &handling, &before), 0);
  const Ends ends;
  bool received = false;
  ShareAnswer answer;
  std::thread receiver([&] {
    File file;
    received = receive_answer(ends.first, answer, file);
  });
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(pthread_kill(receiver.native_handle(), SIGUSR1), 0);
    while (signals < i) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  send_answer(ends.second, {ShareAnswer::Result::kGiven, {}}, -1);
  receiver.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_TRUE(received);
  EXPECT_EQ(answer.result, ShareAnswer::Result::kGiven);
}

}  // namespace
}  // namespace aclvk::runtime
