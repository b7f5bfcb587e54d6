#include "ops/builtin/random_numbers.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "builtin/random_numbers.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/dtype.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(RandomNumbersArguments, RANDOM_NUMBERS_ARGUMENTS);
CONSTANT_STRUCT(RandomNumbersConstants, RANDOM_NUMBERS_CONSTANTS);

constexpr std::uint64_t kMaxValuesPerLaunch = std::uint64_t{1}
                                              << 27;  // of a launch; keeps offsets in the shader below 2^31
constexpr std::uint32_t kCounterBytes = 8;

constexpr DTypeSet kRandom = {DType::kInt32,    DType::kInt64,   DType::kUint32, DType::kUint64,
                              DType::kBfloat16, DType::kFloat16, DType::kFloat};

// aclrtRandomNumFuncType
constexpr int kDropoutMask = 0;
constexpr int kTruncatedNormal = 3;

/// Operands 0 to 4 of the shader.
struct Source {
  const char* name;
  RandomParameter parameter;
};
using Sources = std::array<Source, 5>;

// Device memory, whose elements have no type on the host.
const void* address_of(const RandomParameter& parameter) {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(parameter.value));
}

RandomParameter with_size(RandomParameter parameter, std::size_t usual) {
  if (parameter.bytes == 0) parameter.bytes = static_cast<std::uint32_t>(usual);
  // A value on the host is cut to its declared size, as a value in memory would be.
  if (!parameter.by_address && parameter.bytes < 8) parameter.value &= (std::uint64_t{1} << parameter.bytes * 8) - 1;
  return parameter;
}

Sources sources_of(const RandomNumbers& task) {
  const std::size_t element = size_of(static_cast<DType>(task.dtype));
  const RandomParameter counter{task.counter != nullptr, reinterpret_cast<std::uintptr_t>(task.counter), kCounterBytes};
  // A dropout mask has one parameter, the probability.
  const RandomParameter second = task.function == kDropoutMask ? RandomParameter{} : task.second;
  return {{{"randomCounterAddr", counter},
           {"randomSeed", with_size(task.seed, 8)},
           {"randomNum", with_size(task.number, 8)},
           {"the first parameter", with_size(task.first, element)},
           {"the second parameter", with_size(second, element)}}};
}

bool is_size(std::uint32_t bytes, bool real) { return bytes == 2 || bytes == 4 || bytes == 8 || (bytes == 1 && !real); }

void check_source(const runtime::Stream& stream, const Source& source, bool real) {
  const RandomParameter& parameter = source.parameter;
  check(is_size(parameter.bytes, real), Code::kParamInvalid, "The size of {} is {}; expected {}2, 4 or 8.", source.name,
        parameter.bytes, real ? "" : "1, ");
  if (!parameter.by_address) return;
  check(parameter.value % std::min<std::uint32_t>(parameter.bytes, 4) == 0, Code::kParamInvalid,
        "The address of {} is {}, which is no multiple of {}.", source.name, address_of(parameter),
        std::min<std::uint32_t>(parameter.bytes, 4));
  stream.resolve(address_of(parameter), parameter.bytes, source.name);
}

void check_task(const runtime::Stream& stream, const RandomNumbers& task, const Sources& sources) {
  check(task.function >= kDropoutMask && task.function <= kTruncatedNormal, Code::kParamInvalid,
        "funcType {} is unknown; expected {} to {}.", task.function, kDropoutMask, kTruncatedNormal);
  check(task.result != nullptr, Code::kParamInvalid, "randomResultAddr is NULL.");
  const bool reals = kind_of(static_cast<DType>(task.dtype)) == Kind::kFloating || task.function == kDropoutMask;
  for (std::size_t i = 0; i < sources.size(); ++i) check_source(stream, sources[i], reals && i >= 3);
  const std::size_t unit = task.function == kDropoutMask ? 4 : std::max<std::size_t>(4, size_of(DType(task.dtype)));
  check(reinterpret_cast<std::uintptr_t>(task.result) % unit == 0, Code::kParamInvalid,
        "randomResultAddr {} is not a multiple of {}.", task.result, unit);
}

/// The number of values, or the capacity of the buffer when the number is only known on the device.
std::uint64_t count_values(const runtime::Stream& stream, const RandomNumbers& task, const RandomParameter& number) {
  const std::uint64_t element = size_of(static_cast<DType>(task.dtype));
  const bool mask = task.function == kDropoutMask;
  if (number.by_address) {
    stream.resolve(task.result, mask ? 1 : element, "randomResultAddr");
    // Kernels cover the rest of the allocation. Threads past the number that they read on the device return
    // early.
    const runtime::AllocationRange range = runtime::range_of(task.result);
    const auto before =
        static_cast<std::uint64_t>(static_cast<std::byte*>(task.result) - static_cast<std::byte*>(range.start));
    return mask ? (range.bytes - before) * 8 : (range.bytes - before) / element;
  }
  check(number.value <= UINT64_MAX / 8 - 7, Code::kParamInvalid, "randomNum {} is more than any device holds.",
        number.value);
  if (number.value > 0) {
    stream.resolve(task.result, mask ? (number.value + 7) / 8 : number.value * element, "randomResultAddr");
  }
  return number.value;
}

RandomNumbersConstants constants_of(const RandomNumbers& task, const Sources& sources) {
  RandomNumbersConstants constants;
  constants.kDtype = static_cast<uint>(task.dtype);
  constants.kFunction = static_cast<uint>(task.function);
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    // A bit of each source says whether it is in memory, four bits are its size in bytes.
    constants.kByAddress |= (sources[i].parameter.by_address ? 1U : 0U) << i;
    constants.kSizes |= sources[i].parameter.bytes << 4 * i;
  }
  return constants;
}

runtime::Kernel kernel_for(const RandomNumbers& task, const Sources& sources, std::uint64_t first,
                           std::uint64_t values) {
  using runtime::Access;
  const std::uint64_t element = size_of(static_cast<DType>(task.dtype));
  const bool mask = task.function == kDropoutMask;
  auto* result = static_cast<std::byte*>(task.result) + (mask ? first / 8 : first * element);
  const std::uint64_t bytes = mask ? (values + 7) / 8 : values * element;
  KernelBuilder kernel("aclrtRandomNumAsync", "builtin/random_numbers");
  kernel.set_core(runtime::Core::kNone);
  kernel.add_constants(constants_of(task, sources));
  RandomNumbersArguments arguments;
  arguments.first = two_words(first);
  arguments.capacity = static_cast<uint>(values);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const RandomParameter& parameter = sources[i].parameter;
    if (!parameter.by_address) {
      const auto words = two_words(parameter.value);
      std::copy(words.begin(), words.end(), arguments.host_values.begin() + 2 * i);
    }
    // A parameter that is given on the host has no memory; each operand needs some.
    const void* address = parameter.by_address ? address_of(parameter) : result;
    kernel.add_operand(address, parameter.by_address ? parameter.bytes : 1, Access::kRead);
  }
  kernel.add_operand(result, bytes, Access::kReadWrite);
  kernel.add_arguments(arguments);
  kernel.add_word(0);  // the block is a multiple of 8 bytes, the alignment of its slots
  // A thread writes whole words: 32 bits of a mask, for which it draws as many random words, or the values of one
  // Philox block of four words.
  const std::uint64_t per_thread = mask ? 32 : element == 8 ? 2 : 4;
  kernel.set_threads((values + per_thread - 1) / per_thread);
  return kernel.build();
}

}  // namespace

void check_random_dtype(int dtype) {
  check(kRandom.contains(static_cast<DType>(dtype)), Code::kInvalidParam,
        "There are no random numbers of {}; expected one of {}.", static_cast<DType>(dtype), kRandom);
}

void random_numbers_in_stream(runtime::Stream& stream, const RandomNumbers& task) {
  const Sources sources = sources_of(task);
  check_task(stream, task, sources);
  const std::uint64_t values = count_values(stream, task, sources[2].parameter);
  std::vector<runtime::Kernel> kernels;
  for (std::uint64_t first = 0; first < values; first += kMaxValuesPerLaunch) {
    kernels.push_back(kernel_for(task, sources, first, std::min(kMaxValuesPerLaunch, values - first)));
  }
  stream.launch(std::move(kernels));
}

}  // namespace aclvk::ops
