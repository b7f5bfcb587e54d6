#include "runtime/share/sharing.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "base/at_fork_lock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/share/share_socket.hpp"

namespace aclvk::runtime {
namespace {

struct Entry {
  ShareKey key;
  Offer offer;
  std::set<pid_t> allowed;
};

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostCallers = 64;  // more wait in the socket's queue

/// A process that has connected, and has until `deadline` to send its request.
struct Caller {
  LocalPeer peer;
  Clock::time_point deadline;
};

/// Returns the milliseconds until the first deadline for poll(2); -1 (no limit) without callers.
int milliseconds_left(const std::vector<Caller>& callers) {
  if (callers.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(callers.front().deadline - Clock::now());
  return static_cast<int>(std::max(left, std::chrono::milliseconds(0)).count());
}

/// The offers of this process, and the thread that serves requests for them.
class Offers {
 public:
  ShareKey add(Offer offer) {
    std::random_device random;
    const LockGuard lock(mutex_);
    at_process_end(StateId::kOffers, withdraw_all);
    if (served_ != getpid()) start();
    ShareKey key;
    do {
      key.number = static_cast<std::uint64_t>(getpid()) << 32 | (random() & 0xFFFFFFFFU);
    } while (entries_.count(key.number) != 0);
    if (!offer.plain_number) std::generate(key.secret.begin(), key.secret.end(), [&] { return random() & 0xFFU; });
    entries_[key.number] = {key, std::move(offer), {}};
    return key;
  }

  bool remove(const ShareKey& key) {
    Entries ended;  // destroyed after the lock is released: an offer may hold the last reference to its device
    const LockGuard lock(mutex_);
    const auto found = entries_.find(key.number);
    if (found == entries_.end() || !(found->second.key == key)) return false;
    ended.insert(entries_.extract(found));
    return true;
  }

  bool allow(SharedKind kind, const ShareKey& key, const std::vector<pid_t>& processes) {
    const LockGuard lock(mutex_);
    const auto found = entries_.find(key.number);
    if (!key.own() || found == entries_.end() || !(found->second.key == key)) return false;
    if (found->second.offer.kind != kind) return false;
    found->second.allowed.insert(processes.begin(), processes.end());
    return true;
  }

 private:
  using Entries = std::map<std::uint64_t, Entry>;

  static void withdraw_all();

  void start() REQUIRES(mutex_) {
    listener_ = listen_local(kShareService);
    try {
      // Never joined: it serves until the process ends, and uses only leaked objects.
      std::thread([this] { serve(); }).detach();
    } catch (...) {
      listener_ = File();  // the next export tries again
      throw;
    }
    served_ = getpid();
  }

  void serve() {
    std::vector<Caller> callers;  // in the order of their deadlines
    for (;;) {
      try {
        for (const Caller& caller : next_requests(callers)) answer_or_log(caller.peer);
      } catch (const std::exception& exception) {
        log().warn("Requests of other processes wait: {}", exception.what());
      }
    }
  }

  // Returns callers that have sent a request. Waits for all of them at once, because one that sends none, such as a
  // stopped process, must not delay others.
  std::vector<Caller> next_requests(std::vector<Caller>& callers) {
    const short accepted = callers.size() < kMostCallers ? POLLIN : 0;
    std::vector<pollfd> files = {{listener_.fd(), accepted, 0}};
    for (const Caller& caller : callers) files.push_back({caller.peer.connection.fd(), POLLIN, 0});
    if (poll(files.data(), files.size(), milliseconds_left(callers)) < 0) return {};  // a signal
    const Clock::time_point now = Clock::now();
    std::vector<Caller> ready;
    std::vector<Caller> waiting;
    waiting.reserve(callers.size() + 1);
    for (std::size_t i = 0; i < callers.size(); ++i) {
      if (files[i + 1].revents != 0) {
        ready.push_back(std::move(callers[i]));
      } else if (now < callers[i].deadline) {
        waiting.push_back(std::move(callers[i]));
      }
    }
    callers = std::move(waiting);
    if (files[0].revents != 0) {
      LocalPeer peer = accept_local(kShareService, listener_);
      if (peer.connection.open()) callers.push_back({std::move(peer), now + kShareService.timeout});
    }
    return ready;
  }

  void answer_or_log(const LocalPeer& caller) {
    try {
      answer(caller);
    } catch (const std::exception& exception) {
      log().warn("Process {} gets no answer to what it asks for: {}", caller.process, exception.what());
    }
  }

  // Holds the lock until the file has been sent: once remove() has returned, the offer is sent to no process. Neither
  // transfer blocks: a request has arrived, and the answer is the first packet of its connection.
  void answer(const LocalPeer& caller) {
    ShareRequest request;
    if (!receive_request(caller.connection, request)) return;
    const LockGuard lock(mutex_);
    const auto found = entries_.find(request.key.number);
    const bool known = found != entries_.end() && found->second.key == request.key &&
                       found->second.offer.kind == request.kind &&
                       (!found->second.offer.valid || found->second.offer.valid());
    if (!known) return send_answer(caller.connection, {ShareAnswer::Result::kUnknown, {}}, -1);
    const Entry& entry = found->second;
    const bool allowed = entry.offer.to_all || entry.allowed.count(caller.process) != 0;
    if (!allowed) return send_answer(caller.connection, {ShareAnswer::Result::kNotAllowed, {}}, -1);
    send_answer(caller.connection, {ShareAnswer::Result::kGiven, entry.offer.metadata}, entry.offer.file.fd());
  }

  Mutex mutex_;
  AtForkLock held_{mutex_};
  Entries entries_ GUARDED_BY(mutex_);
  File listener_;  // set before the thread starts, which reads it without the mutex
  // Pid with a running thread; a forked child has none, and inherits only the listener.
  pid_t served_ GUARDED_BY(mutex_) = 0;
};

// Leaked, and not of a Process: its thread serves other processes while this one exits.
Offers& offers() {
  static auto* offers = new Offers;
  return *offers;
}
[[maybe_unused]] const bool kMade = (offers(), true);  // at load time: this must not race with a fork

void Offers::withdraw_all() {
  Entries ended;  // as above
  const LockGuard lock(offers().mutex_);
  ended.swap(offers().entries_);
}

std::uint64_t parse_hex(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  check(error == std::errc() && end == digits.data() + digits.size(), Code::kParamInvalid,
        "The key is not one that a process has exported.");
  return value;
}

}  // namespace

bool ShareKey::own() const { return process() == getpid(); }

std::string ShareKey::text() const {
  std::string text = fmt::format("{:016x}", number);
  for (const std::uint8_t byte : secret) text += fmt::format("{:02x}", byte);
  return text;
}

ShareKey ShareKey::parse(const char* text) {
  const std::string_view digits(text, strnlen(text, kTextSize));
  check(digits.size() == kTextSize, Code::kParamInvalid, "The key has {} characters; exported ones have {}.",
        digits.size(), kTextSize);
  ShareKey key;
  key.number = parse_hex(digits.substr(0, 16));
  for (std::size_t i = 0; i < key.secret.size(); ++i) {
    key.secret[i] = static_cast<std::uint8_t>(parse_hex(digits.substr(16 + 2 * i, 2)));
  }
  return key;
}

ShareKey offer(Offer offer) { return offers().add(std::move(offer)); }

bool withdraw(const ShareKey& key) { return offers().remove(key); }

void allow(SharedKind kind, const ShareKey& key, const std::vector<pid_t>& processes) {
  check(offers().allow(kind, key, processes), Code::kParamInvalid, "This process has exported nothing under the key.");
}

// A process cannot open its own keys, of whatever kind (docs/adr/0011).
Taken take(SharedKind kind, const ShareKey& key) {
  check(!key.own(), Code::kParamInvalid, "The key was exported by this process; only other processes can open it.");
  const File connection = connect_local(kShareService, key.process());
  check(connection.open(), Code::kParamInvalid, "No process {} of this user shares anything; it may have ended.",
        key.process());
  ShareAnswer answer;
  Taken taken;
  const bool answered = send_request(connection, {kind, key}) && receive_answer(connection, answer, taken.file);
  check(answered, Code::kParamInvalid, "Process {} does not answer; it may have ended.", key.process());
  check(answer.result != ShareAnswer::Result::kNotAllowed, Code::kParamInvalid,
        "Process {} has not put this process, {}, on the list of those that may open the key.", key.process(),
        getpid());
  check(answer.result == ShareAnswer::Result::kGiven && taken.file.open(), Code::kParamInvalid,
        "Process {} shares nothing of this kind under the key (any more).", key.process());
  taken.metadata = answer.metadata;
  return taken;
}

}  // namespace aclvk::runtime
