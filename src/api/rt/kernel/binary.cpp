// acl/rt/binary.h: modules of kernels, loaded from files and memory (runtime-semantics 10.1).
#include <vector>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/kernel/kernel_arguments.hpp"
#include "base/error.hpp"
#include "runtime/context/binary_loading.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

void check_load_options(const aclrtBinaryLoadOptions* options) {
  if (!options || options->numOpt == 0) return;
  check(options->options != nullptr, Code::kParamInvalid, "options is NULL; numOpt is {}.", options->numOpt);
  check_array(options->options, options->numOpt, "options");
  std::vector<runtime::BinaryOption> all;
  for (std::size_t i = 0; i < options->numOpt; ++i) {
    const aclrtBinaryLoadOption& option = options->options[i];
    all.push_back({static_cast<int>(option.type), option.value.rsv[0]});
  }
  runtime::check_options(all);
}

}  // namespace

aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen) {
  aclrtBinary binary = nullptr;
  guard_host(__func__, [&] {
    require(data, "data");
    binary = runtime::binary_bytes_handles().insert(
        std::make_shared<const runtime::BinaryBytes>(runtime::BinaryBytes{data, dataLen}));
  });
  return binary;
}

aclError aclrtDestroyBinary(aclrtBinary binary) {
  return guard_host(__func__, [&] {
    require(binary, "binary");
    check(runtime::binary_bytes_handles().remove(binary) != nullptr, Code::kInvalidHandle,
          "binary ({}) is not a live description of a binary.", binary);
  });
}

aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle) {
  return guard(__func__, [&] {
    require(binary, "binary");
    require(binHandle, "binHandle");
    const auto bytes = runtime::binary_bytes_handles().find(binary);
    check(bytes != nullptr, Code::kInvalidHandle, "binary ({}) is not a live description of a binary.", binary);
    *binHandle = runtime::load_binary(bytes->data, bytes->size, "The binary");
  });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) {
  return guard(__func__, [&] {
    require(binHandle, "binHandle");
    runtime::unload_binary(binHandle);
  });
}

aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle) {
  return guard(__func__, [&] {
    require(binPath, "binPath");
    require(binHandle, "binHandle");
    check_load_options(options);
    *binHandle = runtime::load_binary_file(binPath);
  });
}

aclError aclrtBinaryLoadFromData(const void* data, size_t length, const aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle) {
  return guard(__func__, [&] {
    require(data, "data");
    require(binHandle, "binHandle");
    check(length > 0, Code::kParamInvalid, "length is 0; a binary has at least one byte.");
    check_load_options(options);
    *binHandle = runtime::load_binary(data, length, "The binary");
  });
}

aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void** binAddr, size_t* binSize) {
  return guard(__func__, [&] {
    require(binHandle, "binHandle");
    require(binAddr, "binAddr");
    require(binSize, "binSize");
    binary_of(binHandle);
    fail(Code::kFeatureNotSupported,
         "Vulkan does not tell where the driver keeps the instructions of a kernel; there is no address to give.");
  });
}

// A SPIR-V module declares no variable with an address: only buffers of the program outlive a launch.
aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name, void** dptr, size_t* size) {
  return guard(__func__, [&] {
    require(binHandle, "binHandle");
    require(name, "name");
    require(dptr, "dptr");
    require(size, "size");
    binary_of(binHandle);
    fail(Code::kInvalidSymbol,
         "The binary has no global variable {}: SPIR-V has none that keeps its value from launch to launch. Pass the "
         "address of a buffer.",
         name);
  });
}

aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName, const char* kernelName,
                              aclrtFuncHandle* funcHandle) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(funcName, "funcName");
    require(kernelName, "kernelName");
    require(funcHandle, "funcHandle");
    binary_of(handle);
    fail(Code::kFeatureNotSupported,
         "{} would run on the device's own processor; a Vulkan device has none. aclrtLaunchHostFunc runs functions on "
         "the host in stream order.",
         funcName);
  });
}
