#include "ops/kernel/transpose.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "kernel/transpose.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(TransposeArguments, TRANSPOSE_ARGUMENTS);
CONSTANT_STRUCT(TransposeConstants, TRANSPOSE_CONSTANTS);

constexpr std::size_t kOuter = std::tuple_size_v<decltype(TransposeArguments::sizes)>;
/// Fewer elements, of at most 8 bytes, fit in a first-level cache, where the order of accesses costs little.
constexpr std::int64_t kFewElements = 4096;

/// A copy whose contiguous dim is `row` in the input and `column` in the output.
struct Transposition {
  LoopNest nest;
  std::size_t row;
  std::size_t column;
};

std::optional<Transposition> transposition_of(LoopNest nest) {
  const Shape& from = nest.strides[0];
  const Shape& to = nest.strides[1];
  const std::size_t column = nest.sizes.size() - 1;
  const auto* one = std::find(from.begin(), from.end(), 1);
  const auto row = static_cast<std::size_t>(one - from.begin());
  // An input that repeats elements or runs backwards has no rows to read whole.
  const bool repeats = std::any_of(from.begin(), from.end(), [](std::int64_t step) { return step <= 0; });
  if (to.back() != 1 || row >= column || repeats || nest.sizes.size() > kOuter + 2) return std::nullopt;
  if (nest.sizes[row] < kVec8 || nest.sizes[column] < kVec8) return std::nullopt;
  return Transposition{std::move(nest), row, column};
}

/// The bytes from the first element to the end of the last one.
std::uint64_t bytes_of(const LoopNest& nest, const Shape& strides, std::size_t bytes) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < nest.sizes.size(); ++i) last += (nest.sizes[i] - 1) * strides[i];
  return static_cast<std::uint64_t>(last + 1) * bytes;
}

/// Returns whether rows along a dim consist of aligned vec8s.
bool has_vec8_access(const Transposition& call, const Shape& strides, std::size_t dim, const Tensor& tensor) {
  const std::size_t bytes = size_of(tensor.dtype);
  const std::size_t unit = std::min(kLine, bytes * kVec8);
  if (call.nest.sizes[dim] % kVec8 != 0 || reinterpret_cast<std::uintptr_t>(tensor.address()) % unit != 0) return false;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (i != dim && static_cast<std::size_t>(strides[i]) * bytes % unit != 0) return false;
  }
  return true;
}

/// The numbers from which a thread computes its block of 8 x 8 elements.
struct Blocks {
  std::int64_t shift = 0;
  std::int64_t of_row = 0;
  std::int64_t of_column = 0;
  std::uint64_t threads = 0;
};

Blocks blocks_of(const Transposition& call) {
  const auto vec8s = [&](std::size_t dim) { return (call.nest.sizes[dim] + kVec8 - 1) / kVec8; };
  Blocks blocks;
  // Eight adjacent threads cover 4 x 2 blocks: two blocks of 4-byte elements are a line of most caches, on both sides.
  while (blocks.shift < 2 && std::int64_t{1} << blocks.shift < vec8s(call.row)) ++blocks.shift;
  if (vec8s(call.column) == 1) blocks.shift = 3;
  const auto cut = [](std::int64_t count, std::int64_t shift) { return (count + (1 << shift) - 1) >> shift; };
  blocks.of_row = cut(vec8s(call.row), blocks.shift);
  blocks.of_column = cut(vec8s(call.column), 3 - blocks.shift);
  std::int64_t threads = kVec8 * blocks.of_row * blocks.of_column;
  for (std::size_t i = 0; i < call.nest.sizes.size(); ++i) {
    if (i != call.row && i != call.column) threads *= call.nest.sizes[i];
  }
  blocks.threads = static_cast<std::uint64_t>(threads);
  return blocks;
}

TransposeArguments arguments_for(const Transposition& call, const Blocks& blocks) {
  const LoopNest& nest = call.nest;
  TransposeArguments arguments;
  arguments.threads = static_cast<uint>(blocks.threads);
  arguments.row = word(nest.sizes[call.row]);
  arguments.column = word(nest.sizes[call.column]);
  arguments.x_step = word(nest.strides[0][call.column]);
  arguments.z_step = word(nest.strides[1][call.row]);
  arguments.blocks_of_row = word(blocks.of_row);
  arguments.blocks_of_column = word(blocks.of_column);
  arguments.block_shift = word(blocks.shift);
  const auto assign_outer = [&](std::array<uint, kOuter>& words, const Shape& values) {
    // Dims that the call does not have count as one element.
    words.fill(1);
    std::size_t at = 0;
    for (std::size_t i = values.size(); i-- > 0;) {
      if (i != call.row && i != call.column) words[at++] = word(values[i]);
    }
  };
  assign_outer(arguments.sizes, nest.sizes);
  assign_outer(arguments.x_steps, nest.strides[0]);
  assign_outer(arguments.z_steps, nest.strides[1]);
  return arguments;
}

}  // namespace

std::optional<runtime::Kernel> transposing_kernel(std::string_view name, const Tensor& out, const Tensor& input) {
  const std::size_t bytes = size_of(out.dtype);
  if (bytes > 8 || out.elements() < kFewElements) return std::nullopt;
  const auto call =
      transposition_of(collapse({out.shape, {broadcast_strides(input.shape, input.strides, out.shape), out.strides}}));
  if (!call) return std::nullopt;
  const Shape& from = call->nest.strides[0];
  const Shape& to = call->nest.strides[1];
  const bool whole_rows = has_vec8_access(*call, from, call->row, input);
  const bool whole_columns = has_vec8_access(*call, to, call->column, out);
  // Without vec8 access on either side this kernel is only faster for 8-byte elements.
  if (bytes < 8 && !whole_rows && !whole_columns) return std::nullopt;
  const std::uint64_t read = bytes_of(call->nest, from, bytes);
  const std::uint64_t written = bytes_of(call->nest, to, bytes);
  const Blocks blocks = blocks_of(*call);
  // Falls back to the pointwise frame, which splits large tensors.
  if (read > kMaxSpanBytes || written > kMaxSpanBytes || blocks.threads > kMaxSpanBytes) return std::nullopt;
  TransposeConstants constants;
  constants.kSize = static_cast<uint>(bytes);
  constants.kOuter = static_cast<uint>(call->nest.sizes.size() - 2);
  constants.kWholeRows = whole_rows;
  constants.kWholeColumns = whole_columns;
  KernelBuilder kernel(name, "kernel/transpose_bits");
  kernel.add_operand(input.address(), read, Access::kRead);
  kernel.add_operand(out.address(), written, Access::kWrite);
  kernel.add_constants(constants);
  kernel.add_arguments(arguments_for(*call, blocks));
  kernel.set_threads(blocks.threads);
  return kernel.build();
}

}  // namespace aclvk::ops
