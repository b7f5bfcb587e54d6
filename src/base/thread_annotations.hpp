#pragma once

// Attributes of clang's thread safety analysis (https://clang.llvm.org/docs/ThreadSafetyAnalysis.html): which mutex
// guards a field, and which one a function requires, acquires or releases. scripts/check_locks reports what breaks
// them; other compilers see nothing. The analysis does not look into constructors and destructors, nor through a
// std::function or an algorithm of the standard library, so a lambda that needs a lock has the attribute itself.
// clang 14 ignores an attribute between a function's parameters and a body that is a try block.

#if defined(__clang__)
#define ACLVK_THREAD_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#else
#define ACLVK_THREAD_ATTRIBUTE(...)
#endif

/// Declares a type of mutex.
#define CAPABILITY(name) ACLVK_THREAD_ATTRIBUTE(capability(name))
/// Declares a type whose objects hold a mutex during their lifetime.
#define SCOPED_CAPABILITY ACLVK_THREAD_ATTRIBUTE(scoped_lockable)

/// The field is used with the mutex only.
#define GUARDED_BY(mutex) ACLVK_THREAD_ATTRIBUTE(guarded_by(mutex))
/// The object of the pointer is used with the mutex only.
#define PT_GUARDED_BY(mutex) ACLVK_THREAD_ATTRIBUTE(pt_guarded_by(mutex))

/// The caller has the mutex, before and after the call.
#define REQUIRES(...) ACLVK_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) ACLVK_THREAD_ATTRIBUTE(requires_shared_capability(__VA_ARGS__))
/// The caller does not have the mutex.
#define EXCLUDES(...) ACLVK_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

#define ACQUIRE(...) ACLVK_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) ACLVK_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) ACLVK_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) ACLVK_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) ACLVK_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))

/// The order of locks: a thread that holds both has locked this mutex before (after) those. Checked inside a function,
/// with what it REQUIRES, for mutexes that are variables or fields.
#define ACQUIRED_BEFORE(...) ACLVK_THREAD_ATTRIBUTE(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) ACLVK_THREAD_ATTRIBUTE(acquired_after(__VA_ARGS__))

/// The mutex is held from here on, by a rule that the analysis cannot follow.
#define ASSERT_CAPABILITY(...) ACLVK_THREAD_ATTRIBUTE(assert_capability(__VA_ARGS__))
/// The function returns a reference to the mutex.
#define RETURN_CAPABILITY(mutex) ACLVK_THREAD_ATTRIBUTE(lock_returned(mutex))
/// The function is not analysed; a comment has the reason.
#define NO_THREAD_SAFETY_ANALYSIS ACLVK_THREAD_ATTRIBUTE(no_thread_safety_analysis)
