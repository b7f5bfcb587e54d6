// Queues whose owner violates the protocol. tests/api/tdt/queue_process_test.cpp has owners that follow it.
#include "runtime/queue/remote_queue.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "runtime/queue/queue_connection.hpp"
#include "runtime/queue/queue_id.hpp"

namespace aclvk::runtime {
namespace {

/// Answers one request on the socket of this process, as the owner of a remote queue does.
class Owner {
 public:
  explicit Owner(std::function<void(QueueConnection&)> answer)
      : listener_(listen_local(kQueueService)), thread_([this, answer = std::move(answer)] {
          QueueConnection caller(accept_local(kQueueService, listener_));
          caller.receive<QueueRequest>();
          answer(caller);
        }) {}
  ~Owner() { thread_.join(); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

 private:
  File listener_;
  std::thread thread_;
};

Message message_of(const std::string& text) {
  auto message = std::make_shared<MessageBuffer>();
  message->data = std::make_shared<MessageData>(text.size());
  message->length = text.size();
  std::memcpy(message->data->bytes(), text.data(), text.size());
  return message;
}

/// Returns whether the taker has confirmed the message to the owner.
bool is_thanked(QueueConnection& caller) {
  try {
    return caller.receive<char>() == '+';
  } catch (const Error&) {
    return false;
  }
}

/// Takes at most four bytes. Returns the code of the error, or 0.
int take_four(std::size_t* size) {
  try {
    take_remote(queue_id(getpid(), 1), 4, size, WaitTimeout(0));
    return 0;
  } catch (const Error& error) {
    return static_cast<int>(error.code());
  }
}

void give(const std::string& text, std::size_t reported, int expected) {
  SCOPED_TRACE(text);
  bool thanked = false;
  std::size_t size = 0;
  {
    const Owner owner([&](QueueConnection& caller) {
      caller.send(QueueAnswer{0, reported, {}});
      caller.send_message(message_of(text));
      thanked = is_thanked(caller);
    });
    EXPECT_EQ(take_four(&size), expected);
  }
  EXPECT_EQ(size, reported);
  EXPECT_EQ(thanked, expected == 0) << "else the owner keeps the message";
}

TEST(RemoteQueue, GivesWhatFits) { give("four", 4, 0); }

TEST(RemoteQueue, CannotGiveMoreThanFits) {
  give("too long", 8, static_cast<int>(Code::kRuntimeInternal));
  give("too long", 3, static_cast<int>(Code::kRuntimeInternal));
}

TEST(RemoteQueue, HasSentencesThatEnd) {
  const Owner owner([](QueueConnection& caller) {
    QueueAnswer answer{static_cast<std::int32_t>(Code::kNoPermission), 0, {}};
    answer.sentence.fill('x');
    caller.send(answer);
  });
  try {
    destroy_remote(queue_id(getpid(), 1));
    FAIL() << "the owner refuses";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNoPermission);
    EXPECT_EQ(error.sentence(), std::string(512, 'x'));
  }
}

}  // namespace
}  // namespace aclvk::runtime
