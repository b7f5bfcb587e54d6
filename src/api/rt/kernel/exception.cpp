// acl/rt/exception.h: functions that hear of failed tasks, and their questions (runtime-semantics 8.6).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/kernel/kernel_arguments.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/kernel/binary.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::require;
using runtime::FailedTask;

namespace {

constexpr uint32_t kNothing = 0xFFFFFFFF;

// An aclrtExceptionInfo is opaque to programs: it is the FailedTask that a listener of this thread is being called
// with. Null for any other pointer, which is never dereferenced.
const FailedTask* find_task(const aclrtExceptionInfo* info) {
  const FailedTask* current = runtime::current_failure();
  return reinterpret_cast<const FailedTask*>(info) == current ? current : nullptr;
}

const FailedTask& task_of(const aclrtExceptionInfo* info) {
  require(info, "info");
  const FailedTask* task = find_task(info);
  check(task != nullptr, Code::kInvalidParam,
        "info is {}; it can be asked only in the function that was given it, until that returns.",
        static_cast<const void*>(info));
  return *task;
}

uint32_t number_of(const aclrtExceptionInfo* info, uint32_t FailedTask::*member) {
  const FailedTask* task = find_task(info);
  return task ? task->*member : kNothing;
}

runtime::FailureListener listener_of(aclrtExceptionInfoCallback callback) {
  return reinterpret_cast<runtime::FailureListener>(callback);
}

}  // namespace

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return guard(__func__, [&] { runtime::set_failure_listener(listener_of(callback)); });
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  return guard(__func__, [&] { runtime::add_failure_listener(listener_of(callback)); });
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  return guard(__func__, [&] { runtime::remove_failure_listener(listener_of(callback)); });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &FailedTask::task_id);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &FailedTask::stream_id);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &FailedTask::thread_id);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &FailedTask::device_id);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return number_of(info, &FailedTask::code);
}

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr, uint32_t* devArgsLen) {
  return guard_host(__func__, [&] {
    const auto& arguments = task_of(info).arguments;
    require(devArgsPtr, "devArgsPtr");
    require(devArgsLen, "devArgsLen");
    *devArgsPtr = arguments ? arguments->data() : nullptr;
    *devArgsLen = arguments ? static_cast<uint32_t>(arguments->size()) : 0;
  });
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info, aclrtFuncHandle* func) {
  return guard_host(__func__, [&] {
    const FailedTask& task = task_of(info);
    require(func, "func");
    *func = task.function;
  });
}

aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback, void* userData) {
  return guard(__func__, [&] {
    const auto binary = api::binary_of(binHandle);
    require(reinterpret_cast<const void*>(callback), "callback");
    binary->set_failure_listener(reinterpret_cast<runtime::KernelFailureListener>(callback), userData);
  });
}
