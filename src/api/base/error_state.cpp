#include "api/base/error_state.hpp"

#include <deque>
#include <utility>

#include "base/at_fork_lock.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "base/thread_value.hpp"
#include "runtime/process/init.hpp"

namespace aclvk::api {
namespace {

// Most programs never ask for sentences, so the queue is bounded; the newest remain.
constexpr std::size_t kMaxSentences = 32;

class Sentences {
 public:
  void add(std::string sentence) {
    const LockGuard lock(mutex_);
    queued_.push_front(std::move(sentence));
    if (queued_.size() > kMaxSentences) queued_.pop_back();
  }

  std::string take() {
    const LockGuard lock(mutex_);
    std::string text;
    for (const std::string& sentence : queued_) text += (text.empty() ? "" : "\n") + sentence;
    queued_.clear();
    return text;
  }

 protected:
  Mutex mutex_;

 private:
  std::deque<std::string> queued_ GUARDED_BY(mutex_);
};

struct ThreadState {
  Sentences sentences;
  std::string handed_out;  // the last aclGetRecentErrMsg of this thread returned a pointer into it
  const std::uint64_t generation = process_generation();
};

// A plain pointer, so that destructors that run after that of ThreadEnd can still read it.
thread_local ThreadState* thread_state = nullptr;
thread_local bool thread_ends = false;
thread_local ThreadValue<int> last_code;

/// Its destructor runs when the thread ends.
struct ThreadEnd {
  ~ThreadEnd() {
    delete std::exchange(thread_state, nullptr);
    thread_ends = true;
  }
};

/// Null once the thread's ThreadEnd has been destroyed.
ThreadState* state_of_thread() {
  if (thread_ends) return nullptr;
  if (thread_state && thread_state->generation != process_generation()) delete std::exchange(thread_state, nullptr);
  if (!thread_state) {
    static thread_local ThreadEnd end;
    thread_state = new ThreadState;
  }
  return thread_state;
}

/// The sentences of all threads, when the configuration asks for one queue a process.
struct ProcessSentences : Sentences {
  AtForkLock held{mutex_};
};

ProcessSentences& process_sentences() { return ProcessState<ProcessSentences, StateId::kSentences>::get(); }

// Created when the library is loaded: a call that fails may hold a lock that a fork waits for.
[[maybe_unused]] const bool kMade = (process_sentences(), true);

// Returns whether a code of the runtime layer is a state and not a failure.
bool is_state(int code) {
  switch (code) {
    case 207000:  // not supported
    case 507004:  // stream not complete
    case 507006:  // event not complete
      return true;
    default: return is_soft_result(code);
  }
}

bool is_of_runtime(int code) {
  const int area = code / 1000;
  return area == 107 || area == 207 || area == 507;
}

}  // namespace

bool is_soft_result(int code) noexcept {
  switch (code) {
    case 207003:  // overflow found by AI cores
    case 207016:  // overflow found by vector cores
    case 207017:  // overflow
    case 507005:  // end of sequence
    case 507023:  // model ended normally
    case 507901:  // socket closed
      return true;
    default: return false;
  }
}

void store_code(int code) noexcept {
  if (is_of_runtime(code) && !is_state(code)) last_code.get() = code;
}

int peek_code() noexcept { return last_code.get(); }

int take_code() noexcept { return std::exchange(last_code.get(), 0); }

void store_sentence(std::string sentence) {
  if (runtime::messages_per_process()) {
    process_sentences().add(std::move(sentence));
  } else if (ThreadState* state = state_of_thread()) {
    state->sentences.add(std::move(sentence));
  }
}

const char* take_sentences() {
  ThreadState* state = state_of_thread();
  if (!state) return nullptr;
  Sentences& scope = runtime::messages_per_process() ? process_sentences() : state->sentences;
  state->handed_out = scope.take();
  return state->handed_out.empty() ? nullptr : state->handed_out.c_str();
}

}  // namespace aclvk::api
