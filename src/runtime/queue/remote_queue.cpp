#include "runtime/queue/remote_queue.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "runtime/host/process.hpp"
#include "runtime/queue/queue_connection.hpp"
#include "runtime/queue/queue_id.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
using Operation = QueueRequest::Operation;

QueueConnection connect_to(pid_t process) { return QueueConnection({connect_local(kQueueService, process), process}); }

QueueConnection call_owner(std::uint32_t id) {
  QueueConnection owner = connect_to(process_of_queue(id));
  check(owner.open(), Code::kInvalidQueueId, "Queue {} does not exist here, and process {} shares no queue of its own.",
        id, process_of_queue(id));
  return owner;
}

// The owner waits for the timeout of the call, and has a second more to answer.
void set_answer_deadline(QueueConnection& owner, WaitTimeout timeout, Code timeout_code) {
  constexpr Milliseconds kAnswerMargin{1000};
  if (timeout.milliseconds() < 0) return;
  owner.set_deadline(Clock::now() + Milliseconds(timeout.milliseconds()) + kAnswerMargin, timeout_code);
}

/// Returns the number of a successful answer. Throws the error of another one.
std::uint64_t number_or_throw(const QueueAnswer& answer) {
  const auto& text = answer.sentence;
  const std::string sentence(text.begin(), std::find(text.begin(), text.end(), '\0'));
  if (answer.code != 0) throw Error(static_cast<Code>(answer.code), sentence);
  return answer.number;
}

/// Connects to a process, which listens from its first grant on. Polls until then, unless it has ended or belongs to
/// another user.
QueueConnection wait_for_owner(pid_t process, WaitTimeout timeout, Clock::time_point end) {
  while (true) {
    QueueConnection owner = connect_to(process);
    const bool lives = process > 0 && kill(process, 0) == 0 && !has_ended(process);
    const bool over = timeout.milliseconds() >= 0 && Clock::now() >= end;
    if (owner.open() || !lives || over) return owner;
    std::this_thread::sleep_for(Milliseconds(5));
  }
}

}  // namespace

std::uint32_t attach_remote(std::uint32_t id, WaitTimeout timeout) {
  const Clock::time_point end = Clock::now() + Milliseconds(timeout.milliseconds());
  QueueConnection owner = wait_for_owner(process_of_queue(id), timeout, end);
  check(owner.open(), Code::kInvalidQueueId,
        "Queue {} does not exist, or process {} has granted no process any rights.", id, process_of_queue(id));
  const auto left = std::chrono::ceil<Milliseconds>(end - Clock::now()).count();
  const auto limit = timeout.milliseconds() < 0 ? -1 : static_cast<std::int32_t>(std::max<std::int64_t>(left, 0));
  set_answer_deadline(owner, WaitTimeout(limit), Code::kNoPermission);
  owner.send(QueueRequest{Operation::kAttach, id, limit, 0});
  return static_cast<std::uint32_t>(number_or_throw(owner.receive<QueueAnswer>()));
}

void destroy_remote(std::uint32_t id) {
  QueueConnection owner = call_owner(id);
  owner.send(QueueRequest{Operation::kDestroy, id, 0, 0});
  number_or_throw(owner.receive<QueueAnswer>());
}

void put_remote(std::uint32_t id, const Message& message, WaitTimeout timeout) {
  QueueConnection owner = call_owner(id);
  set_answer_deadline(owner, timeout, Code::kQueueFull);
  owner.send(QueueRequest{Operation::kPut, id, timeout.milliseconds(), 0});
  owner.send_message(message);
  number_or_throw(owner.receive<QueueAnswer>());
}

Message take_remote(std::uint32_t id, std::size_t capacity, std::size_t* size, WaitTimeout timeout) {
  QueueConnection owner = call_owner(id);
  set_answer_deadline(owner, timeout, Code::kQueueEmpty);
  owner.send(QueueRequest{Operation::kTake, id, timeout.milliseconds(), capacity});
  const auto answer = owner.receive<QueueAnswer>();
  const bool known = answer.code == 0 || answer.code == static_cast<std::int32_t>(Code::kInvalidParam);
  if (known) *size = answer.number;
  number_or_throw(answer);
  Message message = owner.receive_message();
  const std::size_t length = total_length(message);
  check(length == answer.number && length <= capacity, Code::kRuntimeInternal,
        "Process {} gives {} bytes as a message of {} bytes of queue {}; at most {} are expected.", owner.peer(),
        length, answer.number, id, capacity);
  owner.send('+');  // confirms the message: without it the owner puts the message back
  return message;
}

}  // namespace aclvk::runtime
