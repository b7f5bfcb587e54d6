// acl/rt/function.h: kernels of a module, by name or entry, and their attributes.
#include <algorithm>
#include <cstring>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/kernel/kernel_arguments.hpp"
#include "base/error.hpp"
#include "runtime/kernel/custom_function.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

[[noreturn]] void fail_for_code(const runtime::Function& function, const char* what) {
  fail(Code::kFeatureNotSupported,
       "The {} of kernel {} is not known: Vulkan keeps the instructions of kernels to itself.", what, function.name());
}

}  // namespace

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName, aclrtFuncHandle* funcHandle) {
  return guard(__func__, [&] {
    require(binHandle, "binHandle");
    require(kernelName, "kernelName");
    require(funcHandle, "funcHandle");
    *funcHandle = binary_of(binHandle)->function(std::string(kernelName));
  });
}

aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle* funcHandle) {
  return guard(__func__, [&] {
    require(binHandle, "binHandle");
    require(funcHandle, "funcHandle");
    *funcHandle = binary_of(binHandle)->function(funcEntry);
  });
}

// Only the vendor's compiler registers host symbols, so every symbol is unknown.
aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle) {
  return guard(__func__, [&] {
    require(symbol, "symbol");
    require(funcHandle, "funcHandle");
    fail(Code::kInvalidSymbol,
         "No kernel is registered for the symbol {}; aclrtBinaryGetFunction finds kernels by name.", symbol);
  });
}

// Machine code of a kernel belongs to the driver; Vulkan exposes neither its address nor its size.
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(aicAddr, "aicAddr");
    require(aivAddr, "aivAddr");
    fail_for_code(*function_of(funcHandle), "address");
  });
}

aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize, size_t* aivSize) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(aicSize, "aicSize");
    require(aivSize, "aivSize");
    fail_for_code(*function_of(funcHandle), "size");
  });
}

aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(name, "name");
    check(maxLen > 0, Code::kInvalidParam, "maxLen is 0; a name needs one byte at least.");
    const auto own = function_of(funcHandle)->name();
    const std::size_t bytes = std::min<std::size_t>(own.size(), maxLen - 1);
    std::memcpy(name, own.data(), bytes);
    name[bytes] = '\0';
  });
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t* attrValue) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(attrValue, "attrValue");
    const bool cube = function_of(funcHandle)->core() == runtime::Core::kCube;
    switch (attrType) {
      case ACL_FUNC_ATTR_KERNEL_TYPE: *attrValue = cube ? ACL_KERNEL_TYPE_CUBE : ACL_KERNEL_TYPE_VECTOR; break;
      case ACL_FUNC_ATTR_KERNEL_RATIO:  // the ratio of cores of a mixed kernel; a GPU has one kind
      case ACL_FUNC_ATTR_KERNEL_SCHED_MODE: *attrValue = 0; break;
      default:
        fail(Code::kParamInvalid, "Function attribute {} is unknown; expected {} to {}.", static_cast<int>(attrType),
             static_cast<int>(ACL_FUNC_ATTR_KERNEL_TYPE), static_cast<int>(ACL_FUNC_ATTR_KERNEL_SCHED_MODE));
    }
  });
}

aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle* binHandle) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(binHandle, "binHandle");
    const auto function = function_of(funcHandle);
    const auto* custom = dynamic_cast<const runtime::CustomFunction*>(function.get());
    check(custom != nullptr, Code::kFeatureNotSupported, "{} is a kernel of the library; it is not in a binary.",
          function->name());
    check(custom->binary != nullptr, Code::kInvalidHandle, "The binary of kernel {} has been unloaded.",
          function->name());
    *binHandle = custom->binary;
  });
}

aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount) {
  return guard(__func__, [&] {
    require(func, "func");
    require(paramCount, "paramCount");
    *paramCount = function_of(func, "func")->parameters().size();
  });
}

aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return guard(__func__, [&] {
    require(func, "func");
    require(paramOffset, "paramOffset");
    require(paramSize, "paramSize");
    const auto function = function_of(func, "func");
    const auto parameters = function->parameters();
    check(paramIndex < parameters.size(), Code::kParamInvalid, "paramIndex is {}; kernel {} takes {} arguments.",
          paramIndex, function->name(), parameters.size());
    *paramOffset = parameters[paramIndex].offset;
    *paramSize = parameters[paramIndex].bytes;
  });
}

// A Vulkan kernel declares all its shared memory in its module; a launch cannot add any.
aclError aclrtFunctionGetAvailDynUbufPerBlock(void* func, uint32_t flags, size_t* dynamicUbufSize) {
  return guard(__func__, [&] {
    require(func, "func");
    require(dynamicUbufSize, "dynamicUbufSize");
    function_of(func, "func");
    check(flags == 0, Code::kParamInvalid, "flags is {}; 0 is expected.", flags);
    *dynamicUbufSize = 0;
  });
}
