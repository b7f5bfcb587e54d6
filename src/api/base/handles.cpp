#include "api/base/handles.hpp"

#include "base/error.hpp"
#include "runtime/context/stream_use.hpp"

namespace aclvk::api {

void require(const void* pointer, const char* name) {
  check(pointer != nullptr, Code::kInvalidParam, "{} is NULL.", name);
}

runtime::StreamPtr stream_of(const void* handle) {
  if (!handle) return runtime::current_context()->default_stream();
  runtime::StreamPtr stream = runtime::stream_handles().find(handle);
  check(stream != nullptr, Code::kInvalidHandle, "stream ({}) is not a live stream.", handle);
  return stream;
}

runtime::StreamPtr own_stream_of(const void* handle) {
  runtime::StreamPtr stream = stream_of(handle);
  runtime::check_own_context(*stream);
  return stream;
}

runtime::EventPtr event_of(const void* handle, const char* name) {
  require(handle, name);
  runtime::EventPtr event = runtime::event_handles().find(handle);
  check(event != nullptr, Code::kInvalidHandle, "{} ({}) is not a live event.", name, handle);
  return event;
}

std::shared_ptr<runtime::Notify> notify_of(const void* handle) {
  require(handle, "notify");
  std::shared_ptr<runtime::Notify> notify = runtime::notify_handles().find(handle);
  check(notify != nullptr, Code::kInvalidHandle, "notify ({}) is not a live notify.", handle);
  return notify;
}

runtime::CountNotifyPtr count_notify_of(const void* handle) {
  require(handle, "cntNotify");
  runtime::CountNotifyPtr notify = runtime::count_notify_handles().find(handle);
  check(notify != nullptr, Code::kInvalidHandle, "cntNotify ({}) is not a live counting notify.", handle);
  return notify;
}

runtime::ContextPtr context_of(const void* handle) {
  require(handle, "context");
  runtime::ContextPtr context = runtime::context_handles().find(handle);
  check(context != nullptr, Code::kParamInvalid, "context ({}) is not a live context.", handle);
  return context;
}

}  // namespace aclvk::api
