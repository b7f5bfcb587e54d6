#include "runtime/queue/queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "runtime/copy.hpp"
#include "runtime/queue/routing.hpp"

namespace aclvk::runtime {
namespace {

struct Queue {
  explicit Queue(QueueAttributes wanted) : attributes(std::move(wanted)) {}

  bool full() const { return messages.size() >= attributes.depth; }

  const QueueAttributes attributes;
  std::deque<Message> messages;
  std::condition_variable changed;
  bool destroyed = false;
};

using QueuePtr = std::shared_ptr<Queue>;

/// One lock for all queues: a message that is taken from one may set free others along the routes.
struct Queues {
  std::mutex mutex;
  std::map<std::uint32_t, QueuePtr> by_id;
  std::uint32_t next_id = 1;
  Routing routing;
};

// Leaked: threads of programs that never clean up still wait in it while the process exits.
Queues& queues() {
  static auto* queues = new Queues;
  return *queues;
}

QueuePtr find(std::uint32_t id) {
  const auto found = queues().by_id.find(id);
  check(found != queues().by_id.end(), Code::kInvalidQueueId, "Queue {} does not exist.", id);
  return found->second;
}

void check_exists(std::uint32_t id) {
  const std::lock_guard lock(queues().mutex);
  find(id);
}

/// Moves a message to all targets of the source, if there are any and all have room.
bool forward_one(std::uint32_t source) {
  Queue& from = *find(source);
  const std::vector<std::uint32_t> targets = queues().routing.targets_of(source);
  if (from.messages.empty() || targets.empty()) return false;
  if (std::any_of(targets.begin(), targets.end(), [](std::uint32_t id) { return find(id)->full(); })) return false;
  for (const std::uint32_t id : targets) {
    Queue& to = *find(id);
    const bool last = id == targets.back();
    to.messages.push_back(last ? from.messages.front() : copy_of(from.messages.front()));
    to.changed.notify_all();
  }
  from.messages.pop_front();
  from.changed.notify_all();
  return true;
}

// Each step brings a message nearer to the end of its routes, and there are no circles.
void settle() {
  const std::vector<std::uint32_t> sources = queues().routing.sources();
  const auto forward = [](std::uint32_t source) { return forward_one(source); };
  while (std::count_if(sources.begin(), sources.end(), forward) > 0) {
  }
}

/// Waits until the queue exists no more or is ready; the lock is held before and after.
template <typename Ready>
void wait_until(std::unique_lock<std::mutex>& lock, Queue& queue, std::uint32_t id, Patience patience, Code too_late,
                Ready&& ready) {
  const bool in_time = patience.wait(queue.changed, lock, [&] { return queue.destroyed || ready(); });
  check(!queue.destroyed, Code::kInvalidQueueId, "Queue {} has been destroyed.", id);
  check(in_time, too_late, "Queue {} is {} for {} ms; it has {} of {} messages.", id,
        too_late == Code::kQueueFull ? "full" : "empty", patience.milliseconds(), queue.messages.size(),
        queue.attributes.depth);
}

/// Puts what `take` returns into the queue, once it has room.
template <typename Take>
void put(std::uint32_t id, Patience patience, Take&& take) {
  std::unique_lock lock(queues().mutex);
  const QueuePtr queue = find(id);
  wait_until(lock, *queue, id, patience, Code::kQueueFull, [&] { return !queue->full(); });
  queue->messages.push_back(take());
  queue->changed.notify_all();
  settle();
}

/// Takes the first message out, if `fits` has nothing against it.
template <typename Fits>
Message take(std::uint32_t id, Patience patience, Fits&& fits) {
  std::unique_lock lock(queues().mutex);
  const QueuePtr queue = find(id);
  wait_until(lock, *queue, id, patience, Code::kQueueEmpty, [&] { return !queue->messages.empty(); });
  fits(queue->messages.front());
  Message message = std::move(queue->messages.front());
  queue->messages.pop_front();
  queue->changed.notify_all();
  settle();
  return message;
}

void copy_out(const Message& message, void* to) {
  auto* end = static_cast<std::byte*>(to);
  const auto add = [&](const MessageBuffer& buffer) {
    if (buffer.length > 0) copy_now(end, buffer.data->bytes(), buffer.length);
    end += buffer.length;
  };
  add(*message);
  for (const auto& follower : message->followers) add(*follower);
}

}  // namespace

std::uint32_t create_queue(const QueueAttributes& attributes) {
  auto queue = std::make_shared<Queue>(attributes);
  const std::lock_guard lock(queues().mutex);
  while (queues().by_id.count(queues().next_id) != 0) ++queues().next_id;
  const std::uint32_t id = queues().next_id++;
  queues().by_id.emplace(id, std::move(queue));
  return id;
}

void destroy_queue(std::uint32_t id) {
  const std::lock_guard lock(queues().mutex);
  const QueuePtr queue = find(id);
  queue->destroyed = true;
  queue->messages.clear();
  queue->changed.notify_all();
  queues().by_id.erase(id);
  queues().routing.remove_queue(id);
  settle();
}

void enqueue(std::uint32_t id, const void* buffer, Patience patience) {
  check_owned(buffer);
  put(id, patience, [&] { return take_message(buffer); });
}

void* dequeue(std::uint32_t id, Patience patience) {
  return give_message(take(id, patience, [](const Message&) {}));
}

void enqueue_data(std::uint32_t id, const void* data, std::size_t bytes, const void* user, std::size_t user_bytes,
                  Patience patience) {
  check_exists(id);
  const Message message = make_message(data, bytes, user, user_bytes);
  put(id, patience, [&] { return message; });
}

void dequeue_data(std::uint32_t id, const ReceivedData& to, Patience patience) {
  const Message message = take(id, patience, [&](const Message& first) {
    *to.length = total_length(first);
    check(*to.length <= to.capacity, Code::kInvalidParam, "The message has {} bytes; dataSize is {}.", *to.length,
          to.capacity);
    check_accessible(to.data, *to.length, "data");
  });
  copy_out(message, to.data);
  if (to.user_bytes > 0) std::memcpy(to.user, message->user.data(), to.user_bytes);
}

void grant(std::uint32_t id, std::int32_t process, std::uint32_t permissions) {
  check(permissions != 0 && (permissions & ~kAllPermissions) == 0, Code::kInvalidParam,
        "permission is {}; a sum of MANAGE (1), DEQUEUE (2) and ENQUEUE (4) is expected.", permissions);
  check(process > 0, Code::kInvalidParam, "pid is {}; the number of a process is expected.", process);
  check_exists(id);
  check(process == getpid(), Code::kFeatureNotSupported,
        "pid is {}; a queue lives in the memory of its process, here {}, and no other process can reach it.", process,
        getpid());
}

std::uint32_t attach(std::uint32_t id) {
  check_exists(id);
  return kAllPermissions;
}

void bind_routes(RouteList& list) {
  const std::lock_guard lock(queues().mutex);
  Routing changed = queues().routing;
  for (const Route& route : list.routes) {
    find(route.source);
    find(route.target);
    changed.add(route.source, route.target);
  }
  queues().routing = std::move(changed);
  for (Route& route : list.routes) route.status = RouteStatus::kBound;
  settle();
}

void unbind_routes(RouteList& list) {
  const std::lock_guard lock(queues().mutex);
  for (Route& route : list.routes) {
    queues().routing.remove(route.source, route.target);
    route.status = RouteStatus::kUnbound;
  }
  settle();
}

void query_routes(const RouteQuery& query, RouteList& list) {
  const std::lock_guard lock(queues().mutex);
  list.routes = queues().routing.find(query);
}

}  // namespace aclvk::runtime
