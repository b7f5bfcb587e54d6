#pragma once

#include <string>

namespace aclvk::api {

// What a thread can ask about past failures (runtime-semantics 0). Works on threads that are ending and in
// destructors of the program's statics, where sentences are no longer kept.

/// Keeps a code for aclrtGetLastError of this thread, if it is one of the runtime layer and no mere state.
void store_code(int code) noexcept;
/// Results of a synchronisation that tell how work has ended and not that it failed (runtime-semantics 4.6).
bool is_soft_result(int code) noexcept;
int peek_code() noexcept;
int take_code() noexcept;

/// Queues a sentence for aclGetRecentErrMsg, for this thread or for the process, as aclInit's configuration says.
void store_sentence(std::string sentence);
/// All queued sentences, newest first, and forgets them; null when there are none. Valid until this thread's next call.
const char* take_sentences();

}  // namespace aclvk::api
