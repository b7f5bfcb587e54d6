// The interface below acl: launches of kernels for NPU cores, which no Vulkan device executes.
#include "api/base/guard.hpp"
#include "api/loaded/loaded.hpp"
#include "base/error.hpp"

namespace {

using namespace aclvk;

int no_npu_core(const char* function) {
  return api::guard_host(function, [&] {
    fail(Code::kFeatureNotSupported,
         "{} is about kernels for the cores of an NPU, which no Vulkan device executes; aclrtBinaryLoadFromData takes "
         "SPIR-V.",
         function);
  });
}

}  // namespace

std::int32_t rtDevBinaryRegister(const void*, void**) { return no_npu_core(__func__); }
std::int32_t rtFunctionRegister(void*, const void*, const char*, const void*, std::uint32_t) {
  return no_npu_core(__func__);
}
std::int32_t rtKernelLaunch(const void*, std::uint32_t, void*, std::uint32_t, void*, void*) {
  return no_npu_core(__func__);
}
std::int32_t rtGetC2cCtrlAddr(std::uint64_t*, std::uint32_t*) {
  return api::guard_host(__func__, [] {
    fail(Code::kFeatureNotSupported,
         "rtGetC2cCtrlAddr gives registers with which the cores of an NPU synchronize; a Vulkan device has none.");
  });
}
