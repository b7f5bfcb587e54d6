#include "ops/builtin/reduce.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "builtin/reduce.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/tensor/dtype.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(ReduceArguments, REDUCE_ARGUMENTS);
CONSTANT_STRUCT(ReduceConstants, REDUCE_CONSTANTS);

constexpr std::uint64_t kMaxTaskBytes =
    std::uint64_t{1} << 30;  // bytes of a task; keeps signed byte offsets in the shader within 32 bits
constexpr std::uint64_t kBytesPerThread = 16;
constexpr int kSum = 10;
constexpr int kEqual = 13;

constexpr DTypeSet kReducible = {DType::kFloat, DType::kFloat16, DType::kBfloat16, DType::kInt8,   DType::kInt16,
                                 DType::kInt32, DType::kUint8,   DType::kUint16,   DType::kUint32, DType::kInt4};

std::uint32_t bits_of(DType dtype) {
  return dtype == DType::kInt4 ? 4 : static_cast<std::uint32_t>(size_of(dtype)) * 8;
}

void check_elements(const char* name, const void* pointer, DType dtype) {
  check(reinterpret_cast<std::uintptr_t>(pointer) % size_of(dtype) == 0, Code::kParamInvalid,
        "{} {} is not a multiple of the {} bytes of {}.", name, pointer, size_of(dtype), dtype);
}

runtime::Kernel kernel_for(std::byte* dst, const std::byte* src, std::uint64_t bytes, DType dtype, int kind) {
  using runtime::Access;
  KernelBuilder kernel("aclrtReduceAsync", "builtin/reduce");
  ReduceConstants constants;
  constants.kDtype = static_cast<uint>(dtype);
  constants.kBits = bits_of(dtype);
  constants.kOperation = static_cast<uint>(kind);
  kernel.add_constants(constants);
  kernel.add_operand(src, bytes, Access::kRead);
  kernel.add_operand(dst, bytes, Access::kReadWrite);
  ReduceArguments arguments;
  arguments.bytes = static_cast<uint>(bytes);
  kernel.add_arguments(arguments);
  // Threads own whole words, and dst may begin inside of one.
  const std::uint64_t lead = reinterpret_cast<std::uintptr_t>(dst) % 4;
  kernel.set_core(runtime::Core::kNone);
  kernel.set_threads((lead + bytes + kBytesPerThread - 1) / kBytesPerThread);
  return kernel.build();
}

}  // namespace

void check_reducible(int dtype) {
  check(kReducible.contains(static_cast<DType>(dtype)), Code::kInvalidParam,
        "{} cannot be reduced in memory; expected one of {}.", static_cast<DType>(dtype), kReducible);
}

void reduce_in_stream(runtime::Stream& stream, const MemoryReduction& reduction) {
  const auto dtype = static_cast<DType>(reduction.dtype);
  check(reduction.bytes != 0, Code::kParamInvalid, "count is 0; a reduction has at least one element.");
  check(reduction.kind >= kSum && reduction.kind <= kEqual, Code::kParamInvalid,
        "Reduce kind {} is unknown; expected SUM (10), MAX (11), MIN (12) or EQUAL (13).", reduction.kind);
  check(reduction.bytes % size_of(dtype) == 0, Code::kParamInvalid,
        "count is {} bytes, which is no whole number of elements of {}.", reduction.bytes, dtype);
  check_elements("dst", reduction.dst, dtype);
  check_elements("src", reduction.src, dtype);
  stream.resolve(reduction.dst, reduction.bytes, "dst");
  stream.resolve(reduction.src, reduction.bytes, "src");
  auto* dst = static_cast<std::byte*>(reduction.dst);
  const auto* src = static_cast<const std::byte*>(reduction.src);
  std::vector<runtime::Kernel> kernels;
  for (std::uint64_t at = 0; at < reduction.bytes; at += kMaxTaskBytes) {
    const std::uint64_t bytes = std::min(kMaxTaskBytes, reduction.bytes - at);
    kernels.push_back(kernel_for(dst + at, src + at, bytes, dtype, reduction.kind));
  }
  stream.launch(std::move(kernels));
}

}  // namespace aclvk::ops
