#pragma once

#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"

namespace aclvk::api {

// Look-ups of public handles. The codes for NULL and for stale handles differ between kinds of handles
// (runtime-semantics 0).

/// Throws kInvalidParam "`name` is NULL." for NULL.
void require(const void* pointer, const char* name);

/// Returns the live stream; NULL stands for the default stream of the current context. kInvalidHandle for anything
/// else.
runtime::StreamPtr stream_of(const void* handle);
/// Returns the live stream, as stream_of, and checks that it belongs to the current context (kStreamContext,
/// kContextNull).
runtime::StreamPtr own_stream_of(const void* handle);
/// Returns the live object. kInvalidParam for NULL, kInvalidHandle for anything else.
runtime::EventPtr event_of(const void* handle, const char* name = "event");
std::shared_ptr<runtime::Notify> notify_of(const void* handle);
runtime::CountNotifyPtr count_notify_of(const void* handle);
/// Returns the live context. kInvalidParam for NULL, kParamInvalid for anything else (runtime-semantics 3.3).
runtime::ContextPtr context_of(const void* handle);

}  // namespace aclvk::api
