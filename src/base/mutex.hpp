#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "base/thread_annotations.hpp"

namespace aclvk {

/// A std::mutex that clang's thread safety analysis knows.
class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};

/// A std::recursive_mutex for the analysis, which sees a second lock of a thread only inside one function.
class CAPABILITY("mutex") RecursiveMutex {
 public:
  RecursiveMutex() = default;
  RecursiveMutex(const RecursiveMutex&) = delete;
  RecursiveMutex& operator=(const RecursiveMutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  std::recursive_mutex mutex_;
};

/// A std::shared_mutex for the analysis.
class CAPABILITY("mutex") SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  void lock_shared() ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void unlock_shared() RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

/// Holds a mutex during its lifetime: std::lock_guard for the analysis.
template <typename M>
class SCOPED_CAPABILITY LockGuard {
 public:
  explicit LockGuard(M& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~LockGuard() RELEASE() { mutex_.unlock(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  M& mutex_;
};

/// Holds a SharedMutex or SharedSpinLock as one of several readers: std::shared_lock for the analysis.
template <typename M>
class SCOPED_CAPABILITY SharedLock {
 public:
  explicit SharedLock(M& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) { mutex_.lock_shared(); }
  ~SharedLock() RELEASE() { mutex_.unlock_shared(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  M& mutex_;
};

/// Holds a mutex, and can release it before its lifetime ends: std::unique_lock for the analysis.
template <typename M>
class SCOPED_CAPABILITY UniqueLock {
 public:
  explicit UniqueLock(M& mutex) ACQUIRE(mutex) : lock_(mutex) {}
  ~UniqueLock() RELEASE() {}
  UniqueLock(const UniqueLock&) = delete;
  UniqueLock& operator=(const UniqueLock&) = delete;

  void lock() ACQUIRE() { lock_.lock(); }
  void unlock() RELEASE() { lock_.unlock(); }

 private:
  std::unique_lock<M> lock_;
};

/// Releases a mutex during its lifetime, also when an exception ends that.
template <typename M>
class SCOPED_CAPABILITY UnlockedScope {
 public:
  explicit UnlockedScope(M& mutex) RELEASE(mutex) : mutex_(mutex) { mutex_.unlock(); }
  ~UnlockedScope() RELEASE() { mutex_.lock(); }
  UnlockedScope(const UnlockedScope&) = delete;
  UnlockedScope& operator=(const UnlockedScope&) = delete;

 private:
  M& mutex_;
};

/// A std::condition_variable for a Mutex.
class ConditionVariable {
 public:
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

  /// Blocks without the mutex until `ready` returns true, which is called with the mutex.
  template <typename Ready>
  void wait(Mutex& mutex, Ready ready) REQUIRES(mutex) {
    const Adopted lock(mutex.mutex_);
    condition_.wait(lock.get(), std::move(ready));
  }
  /// As above, but no longer than until the deadline. Returns the last value of `ready`.
  template <typename Clock, typename Duration, typename Ready>
  bool wait_until(Mutex& mutex, const std::chrono::time_point<Clock, Duration>& deadline, Ready ready) REQUIRES(mutex) {
    const Adopted lock(mutex.mutex_);
    return condition_.wait_until(lock.get(), deadline, std::move(ready));
  }
  template <typename Rep, typename Period, typename Ready>
  bool wait_for(Mutex& mutex, const std::chrono::duration<Rep, Period>& time, Ready ready) REQUIRES(mutex) {
    const Adopted lock(mutex.mutex_);
    return condition_.wait_for(lock.get(), time, std::move(ready));
  }

 private:
  /// The std::unique_lock that the standard library asks for, over a mutex that the caller holds and keeps.
  class Adopted {
   public:
    explicit Adopted(std::mutex& mutex) : lock_(mutex, std::adopt_lock) {}
    ~Adopted() { lock_.release(); }
    Adopted(const Adopted&) = delete;
    Adopted& operator=(const Adopted&) = delete;
    std::unique_lock<std::mutex>& get() const { return lock_; }

   private:
    mutable std::unique_lock<std::mutex> lock_;
  };

  std::condition_variable condition_;
};

}  // namespace aclvk
