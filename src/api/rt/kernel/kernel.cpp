// acl/rt/kernel.h: launches of kernels (runtime-semantics 10.2).
#include <cstddef>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/kernel/kernel_arguments.hpp"
#include "base/error.hpp"
#include "runtime/stream/kernel_launch.hpp"

using namespace aclvk;
using namespace aclvk::api;
using runtime::Grid;
using runtime::KernelArguments;

namespace {

void check_size(size_t bytes) {
  check(bytes > 0, Code::kParamInvalid, "argsSize is 0; arguments have at least one byte.");
}

// `code` differs between the functions of this header: 100000 or 107000 (runtime-semantics 10.2).
Grid blocks_of(uint32_t numBlocks, Code code) {
  check(numBlocks > 0, code, "numBlocks is 0; a kernel runs with one or more.");
  return {{numBlocks, 1, 1}, {}};
}

Grid grid_of(const dim3& blocks, const dim3& threads) {
  check(blocks.x > 0 && blocks.y > 0 && blocks.z > 0, Code::kParamInvalid,
        "gridDim is ({}, {}, {}); a kernel runs with one block or more.", blocks.x, blocks.y, blocks.z);
  check(threads.x > 0 && threads.y > 0 && threads.z > 0, Code::kParamInvalid,
        "blockDim is ({}, {}, {}); a block has one thread or more.", threads.x, threads.y, threads.z);
  return {{blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z}};
}

void check_dynamic_memory(size_t bytes) {
  check(bytes == 0, Code::kFeatureNotSupported,
        "dynUbufSize is {}; the shared memory of a Vulkan kernel is part of its module, so 0 is expected.", bytes);
}

/// Copies the arguments, so that the caller may change them as soon as the launch has returned.
KernelArguments host_arguments(const void* args, size_t bytes, const aclrtPlaceHolderInfo* placeholders, size_t count) {
  constexpr std::size_t kAddressBytes = 8;
  check(count == 0 || placeholders, Code::kParamInvalid, "placeHolderArray is NULL; placeHolderNum is {}.", count);
  check(count <= bytes / kAddressBytes, Code::kParamInvalid,
        "placeHolderNum is {}; arguments of {} bytes have room for {} addresses.", count, bytes, bytes / kAddressBytes);
  const auto* first = static_cast<const std::byte*>(args);
  check_array(first, bytes, "hostArgs");
  check_array(placeholders, count, "placeHolderArray");
  KernelArguments arguments{{first, first + bytes}};
  for (size_t i = 0; i < count; ++i) {
    arguments.placeholders.push_back({placeholders[i].addrOffset, placeholders[i].dataOffset});
  }
  return arguments;
}

void launch_with_device_arguments(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* args, size_t bytes,
                                  const aclrtLaunchKernelCfg* cfg, aclrtStream stream) {
  require(funcHandle, "funcHandle");
  require(args, "argsData");
  const Grid grid = blocks_of(numBlocks, Code::kParamInvalid);
  check_size(bytes);
  const auto attributes = attributes_of(cfg);
  const auto function = function_of(funcHandle);
  const auto own = own_stream_of(stream);
  runtime::launch(*own, *function, {{}, {}, own->resolve(args, bytes, "argsData")}, grid, attributes);
}

}  // namespace

// The arguments of these two are device memory, which the kernel reads (runtime-semantics 10.2).
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize,
                           aclrtStream stream) {
  return guard(__func__,
               [&] { launch_with_device_arguments(funcHandle, numBlocks, argsData, argsSize, nullptr, stream); });
}

aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData, size_t argsSize,
                             aclrtLaunchKernelCfg* cfg, aclrtStream stream) {
  return guard(__func__, [&] { launch_with_device_arguments(funcHandle, numBlocks, argsData, argsSize, cfg, stream); });
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* cfg, aclrtArgsHandle argsHandle, void* reserve) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(argsHandle, "argsHandle");
    const Grid grid = blocks_of(numBlocks, Code::kInvalidParam);
    check(reserve == nullptr, Code::kInvalidParam, "reserve is {}; NULL is expected.", reserve);
    const auto attributes = attributes_of(cfg);
    const auto function = function_of(funcHandle);
    const KernelArguments arguments = argument_list_of(argsHandle)->arguments_for(*function);
    runtime::launch(*own_stream_of(stream), *function, arguments, grid, attributes);
  });
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                       aclrtLaunchKernelCfg* cfg, void* hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo* placeHolderArray, size_t placeHolderNum) {
  return guard(__func__, [&] {
    require(funcHandle, "funcHandle");
    require(hostArgs, "hostArgs");
    const Grid grid = blocks_of(numBlocks, Code::kParamInvalid);
    check_size(argsSize);
    const KernelArguments arguments = host_arguments(hostArgs, argsSize, placeHolderArray, placeHolderNum);
    runtime::check_placeholders(arguments);
    const auto attributes = attributes_of(cfg);
    const auto function = function_of(funcHandle);
    runtime::launch(*own_stream_of(stream), *function, arguments, grid, attributes);
  });
}

aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg* cfg,
                                        void** args) {
  return guard(__func__, [&] {
    require(func, "func");
    const Grid grid = blocks_of(numBlocks, Code::kInvalidParam);
    const auto attributes = attributes_of(cfg);
    const auto function = function_of(func, "func");
    runtime::launch(*own_stream_of(stream), *function, {runtime::gather_arguments(*function, args)}, grid, attributes);
  });
}

// The two SIMT launches give the threads of a block; the others take them from the module.
aclError aclrtLaunchSIMTKernelWithArgsArray(void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                            aclrtStream stream, aclrtLaunchKernelCfg* cfg, void** args) {
  return guard(__func__, [&] {
    require(func, "func");
    const Grid grid = grid_of(gridDim, blockDim);
    const auto attributes = attributes_of(cfg);
    const auto function = function_of(func, "func");
    const auto own = own_stream_of(stream);
    check_dynamic_memory(dynUbufSize);
    runtime::launch(*own, *function, {runtime::gather_arguments(*function, args)}, grid, attributes);
  });
}

aclError aclrtLaunchSIMTKernelWithHostArgs(void* func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                           aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* hostArgs,
                                           size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray,
                                           size_t placeHolderNum) {
  return guard(__func__, [&] {
    require(func, "func");
    require(hostArgs, "hostArgs");
    const Grid grid = grid_of(gridDim, blockDim);
    check_size(argsSize);
    const KernelArguments arguments = host_arguments(hostArgs, argsSize, placeHolderArray, placeHolderNum);
    runtime::check_placeholders(arguments);
    const auto attributes = attributes_of(cfg);
    const auto function = function_of(func, "func");
    const auto own = own_stream_of(stream);
    check_dynamic_memory(dynUbufSize);
    runtime::launch(*own, *function, arguments, grid, attributes);
  });
}
