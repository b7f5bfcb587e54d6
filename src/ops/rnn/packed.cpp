#include "ops/rnn/packed.hpp"

#include "base/error.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "rnn/packed.args.h"
#include "rnn/packed_rows.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(PackedArguments, PACKED_ARGUMENTS);
CONSTANT_STRUCT(PackedConstants, PACKED_CONSTANTS);
ARGUMENT_STRUCT(PackedRowsArguments, PACKED_ROWS_ARGUMENTS);

/// kMove of shaders/rnn/packed.comp.
enum class Move : std::uint32_t { kUnpack = 0, kPack = 1, kFillEnded = 2 };

Kernels move_kernels(const char* name, Move move, const Tensor& rows, const Tensor& other, const Tensor& all) {
  KernelBuilder kernel(name, "rnn/packed_f32");
  PackedConstants constants;
  constants.kMove = static_cast<uint>(move);
  constants.kDtype1 = static_cast<uint>(other.dtype);
  kernel.add_constants(constants);
  if (all.empty()) return {kernel.build()};
  const bool packs = move == Move::kPack;
  // If no row is packed, the operand still needs a valid address.
  const Tensor& place = other.empty() ? all : other;
  kernel.add_operand(operand_of(name, rows, Access::kRead));
  kernel.add_operand(operand_of(name, place, packs ? Access::kReadWrite : Access::kRead));
  kernel.add_operand(operand_of(name, all, packs ? Access::kRead : Access::kReadWrite));
  PackedArguments arguments;
  arguments.rows = word(rows.elements());
  arguments.columns = word(other.shape[1]);
  arguments.batch = word(rows.shape[1]);
  arguments.row_step = word(other.strides[0]);
  arguments.column_step = word(other.strides[1]);
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(all.elements()));
  return {kernel.build()};
}

}  // namespace

Tensor packed_rows(const char* name, const Tensor& sizes, std::int64_t batch, std::int64_t total, Staging& staging,
                   Kernels& before) {
  const std::int64_t steps = sizes.shape[0];
  const Tensor rows = staging.make({steps, batch}, DType::kUint32);
  const Tensor ends = staging.make({steps}, DType::kUint32);
  if (rows.empty()) return rows;
  // The rows of a step follow those of the earlier steps. The running sums of the batch sizes are their ends.
  append(before, {running_sum_kernel(name, ends, sizes)});
  KernelBuilder kernel(name, "rnn/packed_rows");
  kernel.add_operand(operand_of(name, sizes, Access::kRead));
  kernel.add_operand(operand_of(name, ends, Access::kRead));
  kernel.add_operand(operand_of(name, rows, Access::kWrite));
  PackedRowsArguments arguments;
  arguments.steps = word(steps);
  arguments.batch = word(batch);
  arguments.step = word(sizes.strides[0]);
  arguments.total = word(total);
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(rows.elements()));
  append(before, {kernel.build()});
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
