#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace aclvk {

/// The states of a Process (runtime/process/process.hpp), in the order of their beginning. process_states.def lists
/// them, and what outlives a Process.
enum class StateId {
#define STATE(name) name,
#include "base/process_states.def"
#undef STATE
  kCount
};

/// Registers the function that ends a state. Each state calls it at its first use in a Process. Takes no lock, and
/// allocates nothing.
void at_process_end(StateId id, void (*end)()) noexcept;

/// Calls the registered functions from the last state to the first, and begins the next generation. Returns the names
/// of states that the ends of lower states have used again: these are ended again, and their rows in
/// process_states.def are in the wrong order. Precondition: no other thread uses the library.
std::vector<const char*> end_process_states();

namespace detail {

inline std::atomic<std::uint64_t> process_generation{0};

}  // namespace detail

/// Returns the number of Processes that have ended in this process of the operating system.
inline std::uint64_t process_generation() noexcept {
  return detail::process_generation.load(std::memory_order_relaxed);
}

/// A state of type T. Created at the first use in a Process, and destroyed when the Process ends; in a program that is
/// never, because its threads and the destructors of its statics may use the library while the process exits. A forked
/// child inherits it.
///
/// Threads whose first uses meet each create a T, and all but one are destroyed: constructors have no effect outside of
/// their object. So there is no lock that could be held while the process forks.
template <typename T, StateId kId>
class ProcessState {
 public:
  static T& get() {
    if (T* existing = current.load(std::memory_order_acquire)) return *existing;
    return create();
  }

  /// Returns null before the first use.
  static T* find() noexcept { return current.load(std::memory_order_acquire); }

  /// Detaches the object without destroying it, and returns it; null before the first use. The next use creates
  /// another.
  static T* leave() noexcept { return current.exchange(nullptr); }

 private:
  [[gnu::noinline, gnu::cold]] static T& create() {
    auto made = std::make_unique<T>();
    T* existing = nullptr;
    if (!current.compare_exchange_strong(existing, made.get())) return *existing;
    at_process_end(kId, end);
    return *made.release();
  }

  // Detaches the object first: end_process_states() reports a destructor that uses its own state.
  static void end() { delete current.exchange(nullptr); }

  static inline std::atomic<T*> current{nullptr};
};

/// A number or flag that each Process begins with the value `kInitial`. A read is a load of the value itself.
template <typename T, T kInitial, StateId kId>
class ProcessValue {
 public:
  static T get() noexcept { return value.load(); }

  static void set(T wanted) noexcept {
    value = wanted;
    at_process_end(kId, end);
  }

  /// Adds 1, and returns the value before.
  static T next() noexcept {
    const T before = value++;
    if (before == kInitial) at_process_end(kId, end);
    return before;
  }

 private:
  static void end() { value = kInitial; }

  static inline std::atomic<T> value{kInitial};
};

}  // namespace aclvk
