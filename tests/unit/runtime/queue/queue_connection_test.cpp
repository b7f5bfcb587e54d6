#include "runtime/queue/queue_connection.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

namespace aclvk::runtime {
namespace {

/// A process that has ended. It stays a zombie until the end of the scope, so that its pid is not reused.
class EndedProcess {
 public:
  EndedProcess() : process_(fork()) {
    if (process_ == 0) _exit(0);
    siginfo_t end{};
    EXPECT_EQ(waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOWAIT), 0);
  }
  ~EndedProcess() { waitpid(process_, nullptr, 0); }
  EndedProcess(const EndedProcess&) = delete;
  EndedProcess& operator=(const EndedProcess&) = delete;

  pid_t number() const { return process_; }

 private:
  pid_t process_;
};

/// Both ends of a connection. This process keeps them open, as a forked child of a peer would.
struct Ends {
  explicit Ends(pid_t peer) {
    int numbers[2] = {-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers), 0);
    const timeval timeout{0, 20000};
    setsockopt(numbers[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    setsockopt(numbers[0], SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
    near = QueueConnection({File(numbers[0]), peer});
    far = QueueConnection({File(numbers[1]), getpid()});
  }

  QueueConnection near{LocalPeer{}};
  QueueConnection far{LocalPeer{}};
};

Code code_of_receiving(QueueConnection& connection) {
  try {
    connection.receive<char>();
    return Code::kSuccess;
  } catch (const Error& error) {
    return error.code();
  }
}

TEST(QueueConnection, EndsWithTheProcessAtTheOtherEnd) {
  const EndedProcess peer;
  Ends ends(peer.number());
  EXPECT_FALSE(ends.near.alive());
  EXPECT_EQ(code_of_receiving(ends.near), Code::kRuntimeInternal);
  EXPECT_TRUE(ends.far.alive());
}

TEST(QueueConnection, HasWhatAProcessSentBeforeItsEnd) {
  const EndedProcess peer;
  Ends ends(peer.number());
  ends.far.send(7);
  EXPECT_EQ(ends.near.receive<int>(), 7);
  EXPECT_EQ(code_of_receiving(ends.near), Code::kRuntimeInternal);
}

TEST(QueueConnection, DoesNotWaitForRoomWithAProcessThatHasEnded) {
  const EndedProcess peer;
  Ends ends(peer.number());
  const auto message = std::make_shared<MessageBuffer>();
  message->data = std::make_shared<MessageData>(std::size_t{16} << 20);
  message->length = message->data->capacity();
  EXPECT_THROW(ends.near.send_message(message), Error);
}

std::atomic<int> signals{0};

TEST(QueueConnection, WaitsLongerThanItsTimeoutAndThroughSignals) {
  struct sigaction handling {};
  struct sigaction before {};
  handling.sa_handler = [](int) { ++signals; };
  ASSERT_EQ(sigaction(SIGUSR1, &handling, &before), 0);
  Ends ends(getpid());
  std::atomic<int> received{0};
  std::thread receiver([&] { received = ends.near.receive<int>(); });
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(pthread_kill(receiver.native_handle(), SIGUSR1), 0);
    while (signals < i) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(received, 0);
  EXPECT_TRUE(ends.near.alive());
  ends.far.send(8);
  receiver.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(received, 8);
}

}  // namespace
}  // namespace aclvk::runtime
