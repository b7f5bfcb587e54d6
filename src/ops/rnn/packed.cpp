#include "ops/rnn/packed.hpp"

#include "base/error.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/grid.hpp"
#include "ops/kernel/operand.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

/// kMove of shaders/rnn/packed.comp.
enum class Move : std::uint32_t { kUnpack = 0, kPack = 1, kFillEnded = 2 };

Kernels move_kernels(const char* name, Move move, const Tensor& rows, const Tensor& other, const Tensor& all) {
  struct Arguments {
    std::uint32_t rows;
    std::uint32_t columns;
    std::uint32_t batch;
    std::uint32_t row_step;
    std::uint32_t column_step;
  };
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "rnn/packed_f32";
  kernel.constants = {static_cast<std::uint32_t>(move), static_cast<std::uint32_t>(other.dtype)};
  if (all.empty()) return {kernel};
  const bool packs = move == Move::kPack;
  // If no row is packed, the operand still needs a valid address.
  const Tensor& place = other.empty() ? all : other;
  kernel.operands = {operand_of(name, rows, Access::kRead),
                     operand_of(name, place, packs ? Access::kReadWrite : Access::kRead),
                     operand_of(name, all, packs ? Access::kRead : Access::kReadWrite)};
  kernel.arguments = runtime::argument_bytes(Arguments{word(rows.elements()), word(other.shape[1]), word(rows.shape[1]),
                                                       word(other.strides[0]), word(other.strides[1])});
  kernel.groups = row_of_groups(static_cast<std::uint64_t>(all.elements()));
  return {kernel};
}

}  // namespace

Tensor packed_rows(const char* name, const Tensor& sizes, std::int64_t batch, std::int64_t total, Staging& staging,
                   Kernels& before) {
  struct Arguments {
    std::uint32_t steps;
    std::uint32_t batch;
    std::uint32_t step;
    std::uint32_t total;
  };
  const std::int64_t steps = sizes.shape[0];
  const Tensor rows = staging.make({steps, batch}, DType::kUint32);
  const Tensor ends = staging.make({steps}, DType::kUint32);
  if (rows.empty()) return rows;
  append(before, {running_sum_kernel(name, ends, sizes)});
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "rnn/packed_rows";
  kernel.operands = {operand_of(name, sizes, Access::kRead), operand_of(name, ends, Access::kRead),
                     operand_of(name, rows, Access::kWrite)};
  kernel.arguments = runtime::argument_bytes(Arguments{word(steps), word(batch), word(sizes.strides[0]), word(total)});
  kernel.groups = row_of_groups(static_cast<std::uint64_t>(rows.elements()));
  append(before, {kernel});
  return rows;
}

Kernels unpack_kernels(const char* name, const Tensor& rows, const Tensor& packed, const Tensor& all) {
  return move_kernels(name, Move::kUnpack, rows, packed, all);
}
Kernels pack_kernels(const char* name, const Tensor& rows, const Tensor& all, const Tensor& packed) {
  return move_kernels(name, Move::kPack, rows, packed, all);
}
Kernels fill_ended_kernels(const char* name, const Tensor& rows, const Tensor& state, const Tensor& all) {
  return move_kernels(name, Move::kFillEnded, rows, state, all);
}

}  // namespace aclvk::ops
