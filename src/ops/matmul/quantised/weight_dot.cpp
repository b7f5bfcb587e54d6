#include "ops/matmul/quantised/weight_dot.hpp"

#include <algorithm>
#include <cmath>

#include "matmul/quantised/weight_dot.args.h"
#include "ops/kernel/access.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/matmul/formats/fractal.hpp"
#include "ops/matmul/formats/nibbles.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(WeightDotArguments, WEIGHT_DOT_ARGUMENTS);
CONSTANT_STRUCT(WeightDotConstants, WEIGHT_DOT_CONSTANTS);

constexpr std::int64_t kStep = 32;   // elements along K that a thread loads at once
constexpr std::int64_t kInWord = 8;  // 4-bit elements in an INT32
// More rows share one dequantised weight (docs/adr/0024).
constexpr std::int64_t kMaxRows = 8;
constexpr std::int64_t kMaxK = std::int64_t{1} << 18;
static_assert(kMaxK / kStep <= kMaxIterations);
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;  // of an operand: byte offsets in the shader have 32 bits
constexpr std::int64_t kMaxLanes = 8;                      // kLanes of the shader
constexpr std::uint32_t kThreadsPerGroup = 32;             // on GPUs; subgroups may be smaller, and share nothing

/// The operands as matrices.
struct Operands {
  Tensor x;
  Tensor y;
  std::int64_t k;
  std::int64_t columns;
  bool along_k;                ///< the weight is contiguous along K; else vec8s along the columns are, in blocks
  std::int64_t weight_stride;  ///< between columns, or between rows, in elements
  Blocks blocks;               ///< of the weight, along K or along the columns
  bool packed;
};

std::optional<Tensor> as_rows(const Tensor& tensor) {
  const std::int64_t columns = tensor.shape.back();
  return columns == 0 ? std::nullopt : reshaped(tensor, {tensor.elements() / columns, columns});
}

std::int64_t spanned_bytes(const Tensor& matrix) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < matrix.shape.size(); ++dim) last += (matrix.shape[dim] - 1) * matrix.strides[dim];
  return (last + 1) * static_cast<std::int64_t>(size_of(matrix.dtype));
}

/// Returns the elements that the weight spans; along the columns up to the end of the last block.
std::int64_t weight_elements(const Operands& operands) {
  const Blocks& blocks = operands.blocks;
  if (!operands.along_k)
    return (operands.columns - 1) / blocks.size * blocks.stride + operands.k * operands.weight_stride;
  const std::int64_t gaps = blocks.size ? (operands.k - 1) / blocks.size : 0;
  return (operands.columns - 1) * operands.weight_stride + gaps * (blocks.stride - blocks.size) + operands.k;
}

std::optional<Operands> operands_of(const WeightDot& dot) {
  const auto x = as_rows(dot.x);
  const auto y = as_rows(dot.y);
  const auto weight = blocked_view(dot.weight);
  if (!x || !y || !weight) return std::nullopt;
  const bool packed = is_packed(dot.weight);
  const bool along_k = is_transposed(weight->matrix);
  if (!along_k && (packed || weight->blocks.size == 0)) return std::nullopt;
  // Sizes and strides of INT32 words become those of their 4-bit elements.
  const std::int64_t unit = dot.weight.dtype == DType::kInt32 ? kInWord : 1;
  const Blocks blocks{unit * weight->blocks.size, unit * weight->blocks.stride};
  const std::int64_t weight_stride = unit * weight->matrix.strides[along_k ? 1 : 0];
  const Operands operands{*x, *y, x->shape[1], y->shape[1], along_k, weight_stride, blocks, packed};
  const std::int64_t k = operands.k;
  // A step of 32 elements needs one scale, is within one block, and is whole: then the inner loops have no
  // condition.
  const bool fits = x->shape[0] >= 1 && x->shape[0] <= kMaxRows && x->strides[1] == 1 && operands.columns > 1 &&
                    k >= kStep && k <= kMaxK && k % kStep == 0 && (dot.group % kStep == 0 || dot.group >= k) &&
                    (!along_k || blocks.size % kStep == 0) && weight_elements(operands) < kMaxBytes &&
                    std::max({spanned_bytes(*x), spanned_bytes(*y), spanned_bytes(dot.scale)}) < kMaxBytes;
  return fits ? std::optional(operands) : std::nullopt;
}

/// Returns whether each row, `stride` bytes apart, starts at a multiple of `unit` bytes.
bool is_aligned(const Tensor& tensor, std::int64_t stride, std::uintptr_t unit) {
  return reinterpret_cast<std::uintptr_t>(tensor.address()) % unit == 0 &&
         static_cast<std::uintptr_t>(stride) % unit == 0;
}

/// Returns the stride of a dim, 0 for one that broadcasts.
std::uint32_t stride_of(const Tensor& tensor, std::size_t dim) {
  return word(tensor.shape[dim] == 1 ? 0 : tensor.strides[dim]);
}

/// The partition of the result into workgroups and tiles.
struct Tiling {
  std::uint32_t threads;  ///< of a workgroup
  std::uint32_t lanes;    ///< threads that share the sums of a tile
  std::uint32_t rows;     ///< of a tile
  std::uint32_t columns;
};

Tiling tiling_of(const Operands& operands, runtime::Execution execution) {
  Tiling tiling{execution.is_cpu_device ? std::max(execution.subgroup_size, 1U) : kThreadsPerGroup, 1, 4, 4};
  if (operands.x.shape[0] <= 2) tiling.rows = static_cast<std::uint32_t>(operands.x.shape[0]);
  if (!operands.along_k) tiling.columns = kVec8;
  // Neighbouring threads read whole rows of a block then.
  if (!operands.along_k && execution.is_cpu_device) return tiling;
  const auto most =
      std::min({std::int64_t{tiling.threads}, std::int64_t{execution.subgroup_size}, kMaxLanes, operands.k / kStep});
  while (2 * tiling.lanes <= most) tiling.lanes *= 2;
  if (!operands.along_k) return tiling;
  if (tiling.rows <= 2) tiling.columns = 8;
  if (!execution.is_cpu_device) tiling.columns = 1;  // for more workgroups
  return tiling;
}

WeightDotConstants constants_of(const WeightDot& dot, const Operands& operands, const Tiling& tiling) {
  const std::int64_t bits = operands.packed ? 4 : 8;
  const bool vec8 = is_aligned(operands.x, operands.x.shape[0] == 1 ? 0 : 2 * operands.x.strides[0], 16);
  const std::int64_t access_bytes = operands.along_k ? kStep * bits / 8 : kVec8;
  const bool whole =
      is_aligned(dot.weight, operands.weight_stride * bits / 8, static_cast<std::uintptr_t>(access_bytes));
  WeightDotConstants constants;
  constants.local_size = tiling.threads;
  constants.kLanes = tiling.lanes;
  constants.kRows = tiling.rows;
  constants.kColumns = tiling.columns;
  constants.kDtype = static_cast<uint>(dot.x.dtype);
  constants.kBits = static_cast<uint>(bits);
  constants.kVec8Loads = vec8 ? 1 : 0;
  constants.kWideLoads = whole ? 1 : 0;
  constants.kOffset = dot.offset.has_value() ? 1 : 0;
  constants.kBias = dot.bias.has_value() ? 1 : 0;
  constants.kDtypeOfBias = static_cast<uint>(dot.bias ? dot.bias->dtype : dot.x.dtype);
  constants.kPromoted = static_cast<uint>(DType::kFloat);
  if (operands.blocks.size) constants.kLog2BlockSize = static_cast<uint>(std::log2(operands.blocks.size));
  constants.kAlongColumns = operands.along_k ? 0 : 1;
  return constants;
}

/// Absent operands are bound to the scale and not read.
struct OptionalOperands {
  const Tensor& offset;
  const Tensor& bias;
};

WeightDotArguments arguments_of(const WeightDot& dot, const Operands& operands, const OptionalOperands& given,
                                std::int64_t row_tiles) {
  WeightDotArguments arguments;
  arguments.rows = word(operands.x.shape[0]);
  arguments.columns = word(operands.columns);
  arguments.k = word(operands.k);
  arguments.row_tiles = word(row_tiles);
  arguments.group = word(dot.group);
  arguments.x_stride = word(operands.x.strides[0]);
  arguments.weight_stride = word(operands.weight_stride);
  arguments.scale_row = stride_of(dot.scale, 0);
  arguments.scale_column = stride_of(dot.scale, 1);
  arguments.offset_row = stride_of(given.offset, 0);
  arguments.offset_column = stride_of(given.offset, 1);
  arguments.bias_stride = stride_of(given.bias, given.bias.shape.size() - 1);
  arguments.y_row = word(operands.y.strides[0]);
  arguments.y_column = word(operands.y.strides[1]);
  arguments.gap = word(operands.blocks.stride - operands.blocks.size);
  return arguments;
}

}  // namespace

std::optional<Kernels> weight_dot_kernels(const WeightDot& dot, runtime::Execution execution) {
  const auto operands = operands_of(dot);
  if (!operands) return std::nullopt;
  const Tiling tiling = tiling_of(*operands, execution);
  const OptionalOperands given{dot.offset ? *dot.offset : dot.scale, dot.bias ? *dot.bias : dot.scale};
  const std::int64_t columns = std::int64_t{tiling.columns} * tiling.threads / tiling.lanes;
  const std::int64_t column_tiles = (operands->columns + columns - 1) / columns;
  const std::int64_t row_tiles = (operands->x.shape[0] + tiling.rows - 1) / tiling.rows;

  KernelBuilder kernel(dot.name, "matmul/quantised/weight_dot_f32");
  const auto add = [&](const Tensor& tensor, std::int64_t bytes, Access access = Access::kRead) {
    kernel.add_operand(tensor.address(), static_cast<std::uint64_t>(bytes), access);
  };
  add(operands->x, spanned_bytes(operands->x));
  add(dot.weight, weight_elements(*operands) / (operands->packed ? 2 : 1));
  for (const Tensor& tensor : {dot.scale, given.offset, given.bias}) add(tensor, spanned_bytes(tensor));
  add(operands->y, spanned_bytes(operands->y), Access::kWrite);
  kernel.add_constants(constants_of(dot, *operands, tiling));
  kernel.add_arguments(arguments_of(dot, *operands, given, row_tiles));
  kernel.set_threads(static_cast<std::uint64_t>(row_tiles * column_tiles), 1);
  return Kernels{kernel.build()};
}

}  // namespace aclvk::ops
