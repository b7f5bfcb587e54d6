#include "ops/matmul/weight_dot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/grid.hpp"
#include "ops/matmul/fractal.hpp"
#include "ops/matmul/nibbles.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::int64_t kStep = 32;   // elements of a column that a thread takes at once
constexpr std::int64_t kInWord = 8;  // elements of four bits
constexpr std::int64_t kVec8 = 8;
constexpr std::int64_t kMostRows = 8;
constexpr std::int64_t kMostDepth = std::int64_t{1} << 18;
static_assert(kMostDepth / kStep <= kMaxIterations);
constexpr std::int64_t kMostBytes = std::int64_t{1} << 31;
constexpr std::int64_t kMostLanes = 8;
constexpr std::uint32_t kThreadsOfGroup = 32;  // on GPUs

/// The operator's tensors as matrices.
struct Parts {
  Tensor x;
  Tensor y;
  std::int64_t depth;
  std::int64_t columns;
  bool along_depth;          ///< the weight's elements lie next to each other; else eights of a row do, in blocks
  std::int64_t weight_step;  ///< from column to column, or from row to row, in elements
  Blocks blocks;             ///< of the weight, along the depth, or along the columns
  bool packed;
};

std::optional<Tensor> as_rows(const Tensor& tensor) {
  const std::int64_t columns = tensor.shape.back();
  return columns == 0 ? std::nullopt : reshaped(tensor, {tensor.elements() / columns, columns});
}

std::int64_t bytes_between(const Tensor& matrix) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < matrix.shape.size(); ++dim) last += (matrix.shape[dim] - 1) * matrix.strides[dim];
  return (last + 1) * static_cast<std::int64_t>(size_of(matrix.dtype));
}

/// From the first element of the weight to behind the last, or to where its last row of a block ends.
std::int64_t weight_elements(const Parts& parts) {
  const Blocks& blocks = parts.blocks;
  if (!parts.along_depth) return (parts.columns - 1) / blocks.size * blocks.step + parts.depth * parts.weight_step;
  const std::int64_t jumps = blocks.size ? (parts.depth - 1) / blocks.size : 0;
  return (parts.columns - 1) * parts.weight_step + jumps * (blocks.step - blocks.size) + parts.depth;
}

std::optional<Parts> parts_of(const WeightDot& dot) {
  const auto x = as_rows(dot.x);
  const auto y = as_rows(dot.y);
  const auto weight = lying(dot.weight);
  if (!x || !y || !weight) return std::nullopt;
  const bool packed = is_packed(dot.weight);
  const bool along_depth = is_transposed(weight->matrix);
  if (!along_depth && (packed || weight->blocks.size == 0)) return std::nullopt;
  const std::int64_t unit = dot.weight.dtype == DType::kInt32 ? kInWord : 1;
  const Blocks blocks{unit * weight->blocks.size, unit * weight->blocks.step};
  const std::int64_t weight_step = unit * weight->matrix.strides[along_depth ? 1 : 0];
  const Parts parts{*x, *y, x->shape[1], y->shape[1], along_depth, weight_step, blocks, packed};
  const std::int64_t depth = parts.depth;
  const bool fits = x->shape[0] >= 1 && x->shape[0] <= kMostRows && x->strides[1] == 1 && parts.columns > 1 &&
                    depth >= kStep && depth <= kMostDepth && depth % kStep == 0 &&
                    (dot.group % kStep == 0 || dot.group >= depth) && (!along_depth || blocks.size % kStep == 0) &&
                    weight_elements(parts) < kMostBytes &&
                    std::max({bytes_between(*x), bytes_between(*y), bytes_between(dot.scale)}) < kMostBytes;
  return fits ? std::optional(parts) : std::nullopt;
}

/// Whether elements that so many bytes hold begin at multiples of them, in each row of `step` bytes.
bool is_aligned(const Tensor& tensor, std::int64_t step, std::uintptr_t unit) {
  return reinterpret_cast<std::uintptr_t>(tensor.address()) % unit == 0 &&
         static_cast<std::uintptr_t>(step) % unit == 0;
}

/// A step along a dim, where there is one.
std::uint32_t step(const Tensor& tensor, std::size_t dim) {
  return static_cast<std::uint32_t>(tensor.shape[dim] == 1 ? 0 : tensor.strides[dim]);
}

/// How the threads share the result.
struct Cut {
  std::uint32_t threads;  ///< of a group
  std::uint32_t sharing;  ///< threads that make sums together
  std::uint32_t rows;     ///< of a tile
  std::uint32_t columns;
};

Cut cut_of(const Parts& parts, runtime::Execution execution) {
  Cut cut{execution.takes_turns ? std::max(execution.together, 1U) : kThreadsOfGroup, 1, 4, 4};
  if (parts.x.shape[0] <= 2) cut.rows = static_cast<std::uint32_t>(parts.x.shape[0]);
  if (!parts.along_depth) cut.columns = kVec8;
  // Threads beside each other read whole rows of a block then.
  if (!parts.along_depth && execution.takes_turns) return cut;
  const auto most =
      std::min({std::int64_t{cut.threads}, std::int64_t{execution.together}, kMostLanes, parts.depth / kStep});
  while (2 * cut.sharing <= most) cut.sharing *= 2;
  if (!parts.along_depth) return cut;
  if (cut.rows <= 2) cut.columns = 8;
  if (!execution.takes_turns) cut.columns = 1;  // so that there are many groups
  return cut;
}

/// In the order of weight_dot.comp.
vk::Constants constants_of(const WeightDot& dot, const Parts& parts, const Cut& cut) {
  const std::int64_t bits = parts.packed ? 4 : 8;
  const bool vec8s = is_aligned(parts.x, parts.x.shape[0] == 1 ? 0 : 2 * parts.x.strides[0], 16);
  const std::int64_t together = parts.along_depth ? kStep * bits / 8 : kVec8;
  const bool whole = is_aligned(dot.weight, parts.weight_step * bits / 8, static_cast<std::uintptr_t>(together));
  return {cut.threads,
          cut.sharing,
          cut.rows,
          cut.columns,
          static_cast<std::uint32_t>(dot.x.dtype),
          static_cast<std::uint32_t>(bits),
          static_cast<std::uint32_t>(vec8s),
          static_cast<std::uint32_t>(whole),
          static_cast<std::uint32_t>(dot.offset.has_value()),
          static_cast<std::uint32_t>(dot.bias.has_value()),
          static_cast<std::uint32_t>(dot.bias ? dot.bias->dtype : dot.x.dtype),
          static_cast<std::uint32_t>(DType::kFloat),
          parts.blocks.size ? static_cast<std::uint32_t>(std::log2(parts.blocks.size)) : 0,
          static_cast<std::uint32_t>(!parts.along_depth)};
}

/// What is not there has the place of the scale, and is not read.
struct Optional {
  const Tensor& offset;
  const Tensor& bias;
};

std::array<std::uint32_t, 15> arguments_of(const WeightDot& dot, const Parts& parts, const Optional& given,
                                           std::uint32_t row_tiles) {
  return {static_cast<std::uint32_t>(parts.x.shape[0]),
          static_cast<std::uint32_t>(parts.columns),
          static_cast<std::uint32_t>(parts.depth),
          row_tiles,
          static_cast<std::uint32_t>(dot.group),
          static_cast<std::uint32_t>(parts.x.strides[0]),
          static_cast<std::uint32_t>(parts.weight_step),
          step(dot.scale, 0),
          step(dot.scale, 1),
          step(given.offset, 0),
          step(given.offset, 1),
          step(given.bias, given.bias.shape.size() - 1),
          static_cast<std::uint32_t>(parts.y.strides[0]),
          static_cast<std::uint32_t>(parts.y.strides[1]),
          static_cast<std::uint32_t>(parts.blocks.step - parts.blocks.size)};
}

}  // namespace

std::optional<Kernels> weight_dot_kernels(const WeightDot& dot, runtime::Execution execution) {
  const auto parts = parts_of(dot);
  if (!parts) return std::nullopt;
  const Cut cut = cut_of(*parts, execution);
  const Optional given{dot.offset ? *dot.offset : dot.scale, dot.bias ? *dot.bias : dot.scale};
  const std::int64_t columns = std::int64_t{cut.columns} * cut.threads / cut.sharing;
  const std::int64_t column_tiles = (parts->columns + columns - 1) / columns;
  const std::int64_t row_tiles = (parts->x.shape[0] + cut.rows - 1) / cut.rows;

  runtime::Kernel kernel;
  kernel.name = dot.name;
  kernel.shader = "matmul/weight_dot_f32";
  const auto add = [&](const Tensor& tensor, std::int64_t bytes, Access access = Access::kRead) {
    kernel.operands.push_back({tensor.address(), static_cast<std::uint64_t>(bytes), access});
  };
  add(parts->x, bytes_between(parts->x));
  add(dot.weight, weight_elements(*parts) / (parts->packed ? 2 : 1));
  for (const Tensor& tensor : {dot.scale, given.offset, given.bias}) add(tensor, bytes_between(tensor));
  add(parts->y, bytes_between(parts->y), Access::kWrite);
  kernel.constants = constants_of(dot, *parts, cut);
  kernel.arguments = runtime::argument_bytes(arguments_of(dot, *parts, given, static_cast<std::uint32_t>(row_tiles)));
  kernel.groups = row_of_groups(static_cast<std::uint64_t>(row_tiles * column_tiles), 1);
  return Kernels{kernel};
}

}  // namespace aclvk::ops
