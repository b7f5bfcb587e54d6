#pragma once

#include <string>

namespace aclvk::api {

// Past failures of a thread: the last code and the queue of sentences (runtime-semantics 0). Thread safe. May be called
// on threads that are ending and in destructors of the program's statics, where sentences are dropped.

/// Stores the code that aclrtGetLastError of this thread returns. Ignores codes of other layers and codes that are
/// states.
void store_code(int code) noexcept;
/// Returns whether a result of a synchronisation says how work has ended and not that it failed (runtime-semantics
/// 4.6).
bool is_soft_result(int code) noexcept;
/// Returns the stored code, or 0.
int peek_code() noexcept;
/// Returns the stored code and clears it.
int take_code() noexcept;

/// Queues a sentence for aclGetRecentErrMsg: for this thread, or for the process if aclInit's configuration says so.
void store_sentence(std::string sentence);
/// Returns all queued sentences, newest first, and clears the queue; null when it is empty. Valid until this thread's
/// next call.
const char* take_sentences();

}  // namespace aclvk::api
