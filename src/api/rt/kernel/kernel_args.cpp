// acl/rt/kernel_args.h: lists of kernel arguments, appended one by one (runtime-semantics 10.3).
#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/kernel/kernel_arguments.hpp"
#include "base/error.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

/// Returns the index of a parameter of this list.
std::size_t index_of(const runtime::ArgumentListPtr& list, const void* handle) {
  const auto parameter = runtime::argument_parameter_handles().find(handle);
  check(parameter != nullptr, Code::kInvalidHandle, "paramHandle ({}) is not a live parameter.", handle);
  check(parameter->list.lock() == list, Code::kParamInvalid, "paramHandle ({}) is a parameter of another list.",
        handle);
  return parameter->index;
}

}  // namespace

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(memSize, "memSize");
    function_of(funcHandle);
    *memSize = runtime::argument_handle_bytes();
  });
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t* actualArgsSize) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(actualArgsSize, "actualArgsSize");
    function_of(funcHandle);
    *actualArgsSize = runtime::argument_memory_bytes(userArgsSize);
  });
}

aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(argsHandle, "argsHandle");
    function_of(funcHandle);
    *argsHandle = runtime::start_argument_list();
  });
}

// A list in memory of the program. Its handle is an address of the program, too, and no number of a handle table.
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void* userHostMem,
                                      size_t actualArgsSize) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(argsHandle, "argsHandle");
    require(userHostMem, "userHostMem");
    function_of(funcHandle);
    runtime::start_argument_list(argsHandle, userHostMem, actualArgsSize);
  });
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize,
                               aclrtParamHandle* paramHandle) {
  return guard(__func__, [&] {
    require(argsHandle, "argsHandle");
    require(param, "param");
    require(paramHandle, "paramHandle");
    check_array(static_cast<const std::byte*>(param), paramSize, "param");
    *paramHandle = argument_list_of(argsHandle)->append(param, paramSize);
  });
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle* paramHandle) {
  return guard(__func__, [&] {
    require(argsHandle, "argsHandle");
    require(paramHandle, "paramHandle");
    *paramHandle = argument_list_of(argsHandle)->append_placeholder();
  });
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize,
                                             void** bufferAddr) {
  return guard(__func__, [&] {
    require(argsHandle, "argsHandle");
    require(paramHandle, "paramHandle");
    require(bufferAddr, "bufferAddr");
    const auto list = argument_list_of(argsHandle);
    *bufferAddr = list->placeholder_buffer(index_of(list, paramHandle), dataSize);
  });
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void* param,
                                   size_t paramSize) {
  return guard(__func__, [&] {
    require(argsHandle, "argsHandle");
    require(paramHandle, "paramHandle");
    require(param, "param");
    const auto list = argument_list_of(argsHandle);
    list->update(index_of(list, paramHandle), param, paramSize);
  });
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle) {
  return guard(__func__, [&] { argument_list_of(argsHandle)->finalize(); });
}
