#include "ops/elementwise/nibbles.hpp"

#include <cstdint>
#include <utility>

#include "elementwise/nibbles.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(NibblesArguments, NIBBLES_ARGUMENTS);
CONSTANT_STRUCT(NibblesConstants, NIBBLES_CONSTANTS);

constexpr std::int64_t kNibblesOfWord = 8;

}  // namespace

Tensor unpacked_row(const char* name, const std::byte* words, DType elements, std::int64_t count, Staging& staging,
                    Kernels& before) {
  const auto vec8s = static_cast<std::uint64_t>((count + kNibblesOfWord - 1) / kNibblesOfWord);
  // A thread unpacks a word, so the row is rounded up to whole words. FLOAT8_E4M3 represents both 4-bit floats.
  const Tensor bytes = staging.make({static_cast<std::int64_t>(vec8s) * kNibblesOfWord},
                                    elements == DType::kInt4 ? DType::kInt8 : DType::kFloat8E4M3);
  KernelBuilder kernel(name, "elementwise/nibbles_i32");
  NibblesConstants constants;
  constants.kElements = static_cast<uint>(elements);
  kernel.add_constants(constants);
  kernel.add_operand(words, static_cast<std::uint64_t>(count + 1) / 2, Access::kRead);
  kernel.add_operand(operand_of(name, bytes, Access::kWrite));
  NibblesArguments arguments;
  arguments.words = static_cast<uint>(vec8s);
  kernel.add_arguments(arguments);
  kernel.set_threads(vec8s);
  before.push_back(kernel.build());
  return bytes;
}

}  // namespace aclvk::ops
