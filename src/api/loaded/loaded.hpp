#pragma once

#include <cstddef>
#include <cstdint>

// Functions that no public header declares, but that programs link with or look up at run time. interface/loaded.tsv
// lists which programs do so, and the answer of each function.

#define ACLVK_LOADED extern "C" __attribute__((visibility("default")))

ACLVK_LOADED std::int32_t MsprofRegisterCallback(std::uint32_t module,
                                                 std::int32_t (*handle)(std::uint32_t, void*, std::uint32_t));
ACLVK_LOADED std::int32_t MsprofReportApi(std::uint32_t aging, const void* api);
ACLVK_LOADED std::int32_t MsprofReportCompactInfo(std::uint32_t aging, const void* data, std::uint32_t length);
ACLVK_LOADED std::int32_t MsprofReportAdditionalInfo(std::uint32_t aging, const void* data, std::uint32_t length);
ACLVK_LOADED std::uint64_t MsprofGetHashId(const char* text, std::size_t length);
ACLVK_LOADED std::uint64_t MsprofSysCycleTime();

ACLVK_LOADED std::int32_t rtDevBinaryRegister(const void* binary, void** handle);
ACLVK_LOADED std::int32_t rtFunctionRegister(void* binary, const void* stub, const char* name, const void* kernel,
                                             std::uint32_t mode);
ACLVK_LOADED std::int32_t rtKernelLaunch(const void* stub, std::uint32_t blocks, void* arguments, std::uint32_t size,
                                         void* descriptor, void* stream);
ACLVK_LOADED std::int32_t rtGetC2cCtrlAddr(std::uint64_t* address, std::uint32_t* length);

ACLVK_LOADED std::int32_t halGetAPIVersion(std::int32_t* version);
ACLVK_LOADED std::int32_t halGetDeviceInfo(std::uint32_t device, std::int32_t module, std::int32_t info,
                                           std::int64_t* value);
ACLVK_LOADED std::int32_t drvGetDevNum(std::uint32_t* count);
