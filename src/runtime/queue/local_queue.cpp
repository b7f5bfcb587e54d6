#include "runtime/queue/local_queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/per_process.hpp"
#include "runtime/queue/queue_id.hpp"
#include "runtime/queue/routing.hpp"

namespace aclvk::runtime {
namespace {

struct Queue;
using QueuePtr = std::shared_ptr<Queue>;

/// All queues, under one lock: a message that is taken from a queue may let messages of other queues advance along
/// routes.
struct Queues {
  Mutex mutex;
  std::map<std::uint32_t, QueuePtr> by_id GUARDED_BY(mutex);
  std::uint32_t last_number GUARDED_BY(mutex) = 0;
  Routing routing GUARDED_BY(mutex);
};

Queues& queues() { return PerProcess<Queues, StateId::kQueues>::get(); }

struct Queue {
  explicit Queue(QueueAttributes wanted) : attributes(std::move(wanted)) {}

  bool full() const REQUIRES(queues().mutex) { return messages.size() >= attributes.depth; }

  const QueueAttributes attributes;
  std::deque<Message> messages GUARDED_BY(queues().mutex);
  std::map<pid_t, std::uint32_t> permissions GUARDED_BY(queues().mutex);  // of other processes
  ConditionVariable changed;
  bool destroyed GUARDED_BY(queues().mutex) = false;
};

QueuePtr find(std::uint32_t id) REQUIRES(queues().mutex) {
  const auto found = queues().by_id.find(id);
  check(found != queues().by_id.end(), Code::kInvalidQueueId, "Queue {} does not exist.", id);
  return found->second;
}

/// Returns the free id that has been unused for the longest time.
std::uint32_t free_id() REQUIRES(queues().mutex) {
  check(queues().by_id.size() < kMaxQueues, Code::kResourceAllocation,
        "This process has {} queues; it can have no more.", kMaxQueues);
  while (true) {
    std::uint32_t& number = queues().last_number;
    number = number % kMaxQueues + 1;
    if (queues().by_id.count(queue_id(getpid(), number)) == 0) return queue_id(getpid(), number);
  }
}

/// Moves the first message of the source to all its targets, unless it has none or one of them is full.
bool forward_one(std::uint32_t source) REQUIRES(queues().mutex) {
  Queue& from = *find(source);
  const std::vector<std::uint32_t> targets = queues().routing.targets_of(source);
  if (from.messages.empty() || targets.empty()) return false;
  if (std::any_of(targets.begin(), targets.end(),
                  [](std::uint32_t id) REQUIRES(queues().mutex) { return find(id)->full(); }))
    return false;
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

// Forwards messages along the routes until none can advance. Terminates because the routes have no cycles.
void forward_all() REQUIRES(queues().mutex) {
  const std::vector<std::uint32_t> sources = queues().routing.sources();
  const auto forward = [](std::uint32_t source) REQUIRES(queues().mutex) { return forward_one(source); };
  while (std::count_if(sources.begin(), sources.end(), forward) > 0) {
  }
}

/// Waits until the queue is ready.
template <typename Ready>
void wait_until(Queue& queue, std::uint32_t id, WaitTimeout timeout, Code timeout_code, const Ready& ready)
    REQUIRES(queues().mutex) {
  const bool in_time = timeout.wait(queue.changed, queues().mutex,
                                    [&]() REQUIRES(queues().mutex) { return queue.destroyed || ready(); });
  check(!queue.destroyed, Code::kInvalidQueueId, "Queue {} has been destroyed.", id);
  check(in_time, timeout_code, "Queue {} is {} for {} ms; it has {} of {} messages.", id,
        timeout_code == Code::kQueueFull ? "full" : "empty", timeout.milliseconds(), queue.messages.size(),
        queue.attributes.depth);
}

}  // namespace

std::uint32_t create_local_queue(const QueueAttributes& attributes) {
  auto queue = std::make_shared<Queue>(attributes);
  const LockGuard lock(queues().mutex);
  const std::uint32_t id = free_id();
  queues().by_id.emplace(id, std::move(queue));
  return id;
}

void destroy_local_queue(std::uint32_t id) {
  const LockGuard lock(queues().mutex);
  const QueuePtr queue = find(id);
  // Waiting threads share ownership of the queue, and see this when they wake.
  queue->destroyed = true;
  queue->messages.clear();
  queue->changed.notify_all();
  queues().by_id.erase(id);
  queues().routing.remove_queue(id);
  forward_all();
}

void check_local_queue(std::uint32_t id) {
  const LockGuard lock(queues().mutex);
  find(id);
}

void put_local(std::uint32_t id, WaitTimeout timeout, const std::function<Message()>& make) {
  const LockGuard lock(queues().mutex);
  const QueuePtr queue = find(id);
  wait_until(*queue, id, timeout, Code::kQueueFull, [&]() REQUIRES(queues().mutex) { return !queue->full(); });
  queue->messages.push_back(make());
  queue->changed.notify_all();
  forward_all();
}

Message take_local(std::uint32_t id, WaitTimeout timeout, const std::function<void(const Message&)>& inspect) {
  const LockGuard lock(queues().mutex);
  const QueuePtr queue = find(id);
  wait_until(*queue, id, timeout, Code::kQueueEmpty,
             [&]() REQUIRES(queues().mutex) { return !queue->messages.empty(); });
  inspect(queue->messages.front());
  Message message = std::move(queue->messages.front());
  queue->messages.pop_front();
  queue->changed.notify_all();
  forward_all();
  return message;
}

// The message was the first one and becomes it again. The queue may then have one message more than its depth.
void put_back(std::uint32_t id, const Message& message) {
  const LockGuard lock(queues().mutex);
  const auto found = queues().by_id.find(id);
  if (found == queues().by_id.end()) return;
  found->second->messages.push_front(message);
  found->second->changed.notify_all();
  forward_all();
}

void grant_local(std::uint32_t id, pid_t process, std::uint32_t permissions) {
  const LockGuard lock(queues().mutex);
  const QueuePtr queue = find(id);
  queue->permissions[process] |= permissions;
  queue->changed.notify_all();
}

std::uint32_t permissions_of(std::uint32_t id, pid_t process, WaitTimeout timeout) {
  const LockGuard lock(queues().mutex);
  const QueuePtr queue = find(id);
  timeout.wait(queue->changed, queues().mutex,
               [&]() REQUIRES(queues().mutex) { return queue->destroyed || queue->permissions.count(process) != 0; });
  check(!queue->destroyed, Code::kInvalidQueueId, "Queue {} has been destroyed.", id);
  const auto found = queue->permissions.find(process);
  return found == queue->permissions.end() ? 0 : found->second;
}

void bind_local(const std::vector<Route>& routes) {
  const LockGuard lock(queues().mutex);
  // Changes a copy, so that one refused route leaves all as they were.
  Routing changed = queues().routing;
  for (const Route& route : routes) {
    find(route.source);
    find(route.target);
    changed.add(route.source, route.target);
  }
  queues().routing = std::move(changed);
  forward_all();
}

void unbind_local(const std::vector<Route>& routes) {
  const LockGuard lock(queues().mutex);
  for (const Route& route : routes) queues().routing.remove(route.source, route.target);
  forward_all();
}

std::vector<Route> find_bound(const RouteQuery& query) {
  const LockGuard lock(queues().mutex);
  return queues().routing.find(query);
}

}  // namespace aclvk::runtime
