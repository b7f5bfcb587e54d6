#include "runtime/queue/remote_queue.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "runtime/queue/queue_connection.hpp"
#include "runtime/queue/queue_id.hpp"
#include "runtime/share/process.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
using Operation = QueueRequest::Operation;

QueueConnection reach(pid_t process) { return QueueConnection({connect_local(kQueueService, process), process}); }

QueueConnection call_owner(std::uint32_t id) {
  QueueConnection owner = reach(process_of_queue(id));
  check(owner.open(), Code::kInvalidQueueId,
        "Queue {} does not exist here, and process {} lets nobody reach a queue of its own.", id, process_of_queue(id));
  return owner;
}

// The owner waits for as long as the caller wants to, and needs a moment more for his answer.
void limit_silence(QueueConnection& owner, Patience patience, Code too_late) {
  constexpr Milliseconds kMoment{1000};
  if (patience.milliseconds() < 0) return;
  owner.give_up_at(Clock::now() + Milliseconds(patience.milliseconds()) + kMoment, too_late);
}

/// The number of an answer that is a success; else its code and sentence are thrown.
std::uint64_t successful(const QueueAnswer& answer) {
  const auto& text = answer.sentence;
  const std::string sentence(text.begin(), std::find(text.begin(), text.end(), '\0'));
  if (answer.code != 0) throw Error(static_cast<Code>(answer.code), sentence);
  return answer.number;
}

/// A process listens from its first grant on, which may be still to come; one of another user never grants any.
QueueConnection await_owner(pid_t process, Patience patience, Clock::time_point end) {
  while (true) {
    QueueConnection owner = reach(process);
    const bool lives = process > 0 && kill(process, 0) == 0 && !has_ended(process);
    const bool over = patience.milliseconds() >= 0 && Clock::now() >= end;
    if (owner.open() || !lives || over) return owner;
    std::this_thread::sleep_for(Milliseconds(5));
  }
}

}  // namespace

std::uint32_t attach_remote(std::uint32_t id, Patience patience) {
  const Clock::time_point end = Clock::now() + Milliseconds(patience.milliseconds());
  QueueConnection owner = await_owner(process_of_queue(id), patience, end);
  check(owner.open(), Code::kInvalidQueueId, "Queue {} does not exist, or process {} has granted nobody any rights.",
        id, process_of_queue(id));
  const auto left = std::chrono::ceil<Milliseconds>(end - Clock::now()).count();
  const auto limit = patience.milliseconds() < 0 ? -1 : static_cast<std::int32_t>(std::max<std::int64_t>(left, 0));
  limit_silence(owner, Patience(limit), Code::kNoPermission);
  owner.send(QueueRequest{Operation::kAttach, id, limit, 0});
  return static_cast<std::uint32_t>(successful(owner.receive<QueueAnswer>()));
}

void destroy_remote(std::uint32_t id) {
  QueueConnection owner = call_owner(id);
  owner.send(QueueRequest{Operation::kDestroy, id, 0, 0});
  successful(owner.receive<QueueAnswer>());
}

void put_remote(std::uint32_t id, const Message& message, Patience patience) {
  QueueConnection owner = call_owner(id);
  limit_silence(owner, patience, Code::kQueueFull);
  owner.send(QueueRequest{Operation::kPut, id, patience.milliseconds(), 0});
  owner.send_message(message);
  successful(owner.receive<QueueAnswer>());
}

Message take_remote(std::uint32_t id, std::size_t capacity, std::size_t* size, Patience patience) {
  QueueConnection owner = call_owner(id);
  limit_silence(owner, patience, Code::kQueueEmpty);
  owner.send(QueueRequest{Operation::kTake, id, patience.milliseconds(), capacity});
  const auto answer = owner.receive<QueueAnswer>();
  const bool known = answer.code == 0 || answer.code == static_cast<std::int32_t>(Code::kInvalidParam);
  if (known) *size = answer.number;
  successful(answer);
  Message message = owner.receive_message();
  const std::size_t length = total_length(message);
  check(length == answer.number && length <= capacity, Code::kRuntimeInternal,
        "Process {} gives {} bytes as a message of {} bytes of queue {}; at most {} are expected.", owner.peer(),
        length, answer.number, id, capacity);
  owner.send('+');  // the owner may forget it
  return message;
}

}  // namespace aclvk::runtime
