#include "ops/kernel/transpose.hpp"

#include <algorithm>

#include "ops/kernel/grid.hpp"
#include "ops/kernel/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kVec8 = 8;
constexpr std::size_t kOuter = 5;  // OUTER of shaders/kernel/transpose.comp
constexpr std::int64_t kFewElements = 4096;
constexpr std::size_t kLine = 32;                            // bytes; the widest access of a thread
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 31;  // keeps byte offsets in the shader below 2^32

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

runtime::Arguments arguments_for(const Transposition& call, const Blocks& blocks) {
  const LoopNest& nest = call.nest;
  InlineVector<std::uint32_t, 32> words;
  const auto add = [&](auto value) { words.push_back(static_cast<std::uint32_t>(value)); };
  add(blocks.threads);
  add(nest.sizes[call.row]);
  add(nest.sizes[call.column]);
  add(nest.strides[0][call.column]);
  add(nest.strides[1][call.row]);
  for (const std::int64_t value : {blocks.of_row, blocks.of_column, blocks.shift}) add(value);
  for (const Shape* values : {&nest.sizes, &nest.strides[0], &nest.strides[1]}) {
    const std::size_t end = words.size() + kOuter;
    for (std::size_t i = values->size(); i-- > 0;) {
      if (i != call.row && i != call.column) add((*values)[i]);
    }
    words.resize(end, 1);
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  return {bytes, bytes + words.size() * sizeof(std::uint32_t)};
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
  if (read > kMaxBytes || written > kMaxBytes || blocks.threads > kMaxBytes) return std::nullopt;
  runtime::Kernel kernel;
  kernel.name = name;
  kernel.shader = "kernel/transpose_bits";
  kernel.operands = {{input.address(), read, Access::kRead}, {out.address(), written, Access::kWrite}};
  kernel.constants = {static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(call->nest.sizes.size() - 2),
                      whole_rows, whole_columns};
  kernel.arguments = arguments_for(*call, blocks);
  kernel.groups = row_of_groups(blocks.threads);
  return kernel;
}

}  // namespace aclvk::ops
