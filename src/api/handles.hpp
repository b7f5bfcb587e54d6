#pragma once

#include "runtime/current.hpp"
#include "runtime/handles.hpp"

namespace aclvk::api {

// From public pointers to objects. The codes for NULL and for stale handles differ, as programs expect them.

/// Throws kInvalidParam "stream is NULL." when it is.
void require(const void* pointer, const char* name);

/// The live stream; NULL means the default stream of the current context. kInvalidHandle for anything else.
runtime::StreamPtr stream_of(const void* handle);
/// The same, and the stream belongs to the current context (kStreamContext, kContextNull).
runtime::StreamPtr own_stream_of(const void* handle);
/// The live object; kInvalidParam for NULL, kInvalidHandle for anything else.
runtime::EventPtr event_of(const void* handle, const char* name = "event");
std::shared_ptr<runtime::Notify> notify_of(const void* handle);
runtime::CountNotifyPtr count_notify_of(const void* handle);
/// The live context; kInvalidParam for NULL, kParamInvalid for anything else (runtime-semantics 3.3).
runtime::ContextPtr context_of(const void* handle);

}  // namespace aclvk::api
