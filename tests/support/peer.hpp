#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <string>

#include "support/folder.hpp"

extern char** environ;

namespace aclvk::test {

/// Another process that uses the library; tests/support/peer.cpp has its commands. It ends with the scope. Each answer
/// has a timeout, after which the test fails.
class Peer {
 public:
  struct Answer {
    int code = -1;
    std::string result;
  };

  Peer() {
    int to_peer[2];
    int from_peer[2];
    EXPECT_EQ(pipe2(to_peer, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(from_peer, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to_peer[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from_peer[1], STDOUT_FILENO);
    std::string program = beside_tests("aclvk_peer");
    char* arguments[] = {program.data(), nullptr};
    EXPECT_EQ(posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(to_peer[0]);
    close(from_peer[1]);
    input_ = to_peer[1];
    output_ = from_peer[0];
  }
  ~Peer() { end(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  std::int32_t process() const { return process_; }

  Answer ask(const std::string& command) {
    const std::string line = command + '\n';
    EXPECT_EQ(write(input_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    Answer answer;
    std::istringstream words(read_line(command));
    words >> answer.code >> answer.result;
    return answer;
  }
  int code(const std::string& command) { return ask(command).code; }

  /// Lets the process end as a program whose main() returns.
  void leave() {
    const std::string line = "leave\n";
    EXPECT_EQ(write(input_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    gone();
  }
  /// Kills the process, as a crash would end it.
  void end() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    gone();
  }

 private:
  void gone() {
    waitpid(process_, nullptr, 0);
    process_ = 0;
    close(input_);
    close(output_);
  }

  std::string read_line(const std::string& command) {
    constexpr int kPatienceMs = 60000;
    std::string line;
    for (char next = 0; next != '\n';) {
      pollfd state{output_, POLLIN, 0};
      if (poll(&state, 1, kPatienceMs) != 1 || read(output_, &next, 1) != 1) {
        ADD_FAILURE() << "The other process does not answer \"" << command << '"';
        return "-1";
      }
      line += next;
    }
    return line;
  }

  pid_t process_ = 0;
  int input_ = -1;
  int output_ = -1;
};

}  // namespace aclvk::test
