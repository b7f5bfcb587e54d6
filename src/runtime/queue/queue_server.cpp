#include "runtime/queue/queue_server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "base/at_fork_lock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "runtime/queue/local_queue.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/queue/queue_connection.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kSlice{100};

/// Waits for the timeout of the caller in slices of 100 ms, and ends early when the caller disconnects.
class SlicedWait {
 public:
  SlicedWait(const QueueConnection& caller, WaitTimeout timeout)
      : caller_(caller),
        forever_(timeout.milliseconds() < 0),
        end_(Clock::now() + Milliseconds(timeout.milliseconds())) {}

  /// Returns the timeout of the next slice.
  WaitTimeout slice() const {
    const auto left = std::chrono::ceil<Milliseconds>(end_ - Clock::now());
    const auto now = forever_ ? kSlice : std::clamp(left, Milliseconds(0), kSlice);
    return WaitTimeout(static_cast<std::int32_t>(now.count()));
  }
  bool over() const { return (!forever_ && Clock::now() >= end_) || !caller_.alive(); }

  /// Repeats the call with the timeout of a slice while it throws `again`.
  template <typename Call>
  auto repeat(Code again, Call&& call) const {
    while (true) {
      try {
        return call(slice());
      } catch (const Error& error) {
        if (error.code() != again || over()) throw;
      }
    }
  }

 private:
  const QueueConnection& caller_;
  bool forever_;
  Clock::time_point end_;
};

void check_right(std::uint32_t id, pid_t process, std::uint32_t needed) {
  const std::uint32_t granted = permissions_of(id, process, WaitTimeout(0));
  check((granted & needed) != 0, Code::kNoPermission, "Process {} has permissions {} on queue {}; {} is needed.",
        process, granted, id, needed);
}

void attach_caller(QueueConnection& caller, const QueueRequest& request) {
  const SlicedWait wait(caller, WaitTimeout(request.milliseconds));
  std::uint32_t granted = 0;
  do {
    granted = permissions_of(request.queue, caller.peer(), wait.slice());
  } while (granted == 0 && !wait.over());
  check(granted != 0, Code::kNoPermission, "Process {} has not been granted any rights on queue {}.", caller.peer(),
        request.queue);
  caller.send(QueueAnswer{0, granted, {}});
}

void put_for_caller(QueueConnection& caller, const QueueRequest& request) {
  const Message message = caller.receive_message();
  check_right(request.queue, caller.peer(), kEnqueuePermission);
  const SlicedWait wait(caller, WaitTimeout(request.milliseconds));
  // A caller that has timed out has reported that the message is not in the queue.
  const auto make = [&] {
    check(caller.alive(), Code::kRuntimeInternal, "Process {} does not wait any more.", caller.peer());
    return message;
  };
  wait.repeat(Code::kQueueFull, [&](WaitTimeout slice) { put_local(request.queue, slice, make); });
  caller.send(QueueAnswer{});
}

/// Thrown for a message that is larger than the caller's memory. The answer reports its size.
struct TooSmall {
  std::size_t needed;
};

void take_for_caller(QueueConnection& caller, const QueueRequest& request) {
  check_right(request.queue, caller.peer(), kDequeuePermission);
  const auto inspect = [&](const Message& first) {
    if (total_length(first) > request.capacity) throw TooSmall{total_length(first)};
  };
  const SlicedWait wait(caller, WaitTimeout(request.milliseconds));
  const Message message =
      wait.repeat(Code::kQueueEmpty, [&](WaitTimeout slice) { return take_local(request.queue, slice, inspect); });
  try {
    caller.send(QueueAnswer{0, total_length(message), {}});
    caller.send_message(message);
    caller.receive<char>();  // the caller confirms the message
  } catch (const Error&) {
    put_back(request.queue, message);
    throw;
  }
}

void answer(QueueConnection& caller, const QueueRequest& request) {
  switch (request.operation) {
    case QueueRequest::Operation::kAttach: return attach_caller(caller, request);
    case QueueRequest::Operation::kPut: return put_for_caller(caller, request);
    case QueueRequest::Operation::kTake: return take_for_caller(caller, request);
    case QueueRequest::Operation::kDestroy:
      check_right(request.queue, caller.peer(), kManagePermission);
      destroy_local_queue(request.queue);
      return caller.send(QueueAnswer{});
  }
  fail(Code::kParamInvalid, "Operation {} on a queue is unknown.", static_cast<std::uint32_t>(request.operation));
}

QueueAnswer failure(Code code, const std::string& sentence, std::size_t number = 0) {
  QueueAnswer answer{static_cast<std::int32_t>(code), number, {}};
  sentence.copy(answer.sentence.data(), answer.sentence.size() - 1);
  return answer;
}

void serve(QueueConnection& caller) {
  const auto request = caller.receive<QueueRequest>();
  try {
    answer(caller, request);
  } catch (const TooSmall& small) {
    caller.send(failure(Code::kInvalidParam,
                        fmt::format("The message has {} bytes; dataSize is {}.", small.needed, request.capacity),
                        small.needed));
  } catch (const Error& error) {
    caller.send(failure(error.code(), error.sentence()));
  } catch (const std::bad_alloc&) {
    caller.send(failure(Code::kMemoryAllocation, "The owner of the queue has no memory left."));
  }
}

// A call may wait for a full or empty queue, so each has a thread of its own. A caller has one call at a time in each
// of its threads, and the thread here ends when the caller disconnects. A limit could keep out the call that the others
// wait for.
void serve_in_a_thread(QueueConnection caller) {
  std::thread([caller = std::move(caller)]() mutable {
    try {
      serve(caller);
    } catch (const std::exception& exception) {
      log().debug("A call of another process on a queue ends: {}", exception.what());
    }
  }).detach();
}

/// Accepts connections. Drops a caller for which no thread can be started.
void serve_callers(const File& listener) {
  while (true) {
    QueueConnection caller(accept_local(kQueueService, listener));
    if (!caller.open()) continue;
    try {
      serve_in_a_thread(std::move(caller));
    } catch (const std::exception& exception) {
      log().warn("A call of another process on a queue is not served: {}", exception.what());
    }
  }
}

struct Server {
  Mutex mutex;
  AtForkLock held{mutex};
  pid_t process GUARDED_BY(mutex) = 0;  // with a running server; a forked child has none of the threads
};

Server& server() {
  static auto* server = new Server;
  return *server;
}
[[maybe_unused]] const bool kMade = (server(), true);  // at load time: this must not race with a fork

}  // namespace

void serve_queues() {
  Server& all = server();
  const LockGuard lock(all.mutex);
  if (all.process == getpid()) return;
  std::thread([listener = listen_local(kQueueService)] { serve_callers(listener); }).detach();
  all.process = getpid();
}

}  // namespace aclvk::runtime
