#include "ops/elementwise/nibbles.hpp"

#include <cstdint>
#include <utility>

#include "ops/kernel/grid.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kNibblesOfWord = 8;

}  // namespace

Tensor unpacked_row(const char* name, const std::byte* words, DType elements, std::int64_t count, Staging& staging,
                    Kernels& before) {
  const auto vec8s = static_cast<std::uint64_t>((count + kNibblesOfWord - 1) / kNibblesOfWord);
  const Tensor bytes = staging.make({static_cast<std::int64_t>(vec8s) * kNibblesOfWord},
                                    elements == DType::kInt4 ? DType::kInt8 : DType::kFloat8E4M3);
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "elementwise/nibbles_i32";
  kernel.constants = {static_cast<std::uint32_t>(elements)};
  kernel.operands = {{words, static_cast<std::uint64_t>(count + 1) / 2, Access::kRead},
                     operand_of(name, bytes, Access::kWrite)};
  kernel.arguments = runtime::argument_bytes(static_cast<std::uint32_t>(vec8s));
  kernel.groups = row_of_groups(vec8s);
  before.push_back(std::move(kernel));
  return bytes;
}

}  // namespace aclvk::ops
