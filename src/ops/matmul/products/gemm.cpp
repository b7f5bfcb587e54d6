#include "ops/matmul/products/gemm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "matmul/products/matrices.args.h"
#include "matmul/products/sweep.args.h"
#include "ops/kernel/access.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(GemmArguments, GEMM_ARGUMENTS);
CONSTANT_STRUCT(GemmConstants, GEMM_CONSTANTS);
CONSTANT_STRUCT(SweepConstants, SWEEP_CONSTANTS);

}  // namespace

namespace {

using runtime::Access;

constexpr std::uint32_t kThreadsPerGroup = 32;  // on GPUs; subgroups may be smaller, and share nothing
constexpr std::uint32_t kSweepSpans = 16;       // on CPU devices: long enough to be sequential streams of memory

/// The operands, in the order of shaders/matmul/products/matrices.glsl. All have the same rank.
enum Operand : std::size_t { kA, kB, kC, kOut, kOperands };
struct Operands {
  std::array<Tensor, kOperands> tensors;
  std::array<Blocks, 2> blocks{};  // blocks of a and b

  Tensor& operator[](std::size_t operand) { return tensors[operand]; }
  const Tensor& operator[](std::size_t operand) const { return tensors[operand]; }
};

std::size_t row_dim(const Tensor& tensor) { return tensor.shape.size() - 2; }
std::size_t column_dim(const Tensor& tensor) { return tensor.shape.size() - 1; }
std::int64_t rows(const Tensor& tensor) { return tensor.shape[row_dim(tensor)]; }
std::int64_t columns(const Tensor& tensor) { return tensor.shape[column_dim(tensor)]; }
std::int64_t row_stride(const Tensor& tensor) { return tensor.strides[row_dim(tensor)]; }
std::int64_t column_stride(const Tensor& tensor) { return tensor.strides[column_dim(tensor)]; }

/// Returns the transposed product: out^T = b^T a^T.
Operands transposed(const Operands& matrices) {
  return {{with_swapped_dims(matrices[kB]), with_swapped_dims(matrices[kA]), with_swapped_dims(matrices[kC]),
           with_swapped_dims(matrices[kOut])},
          {matrices.blocks[kB], matrices.blocks[kA]}};
}

/// Returns whether a dim of the batch can be merged with the rows: b broadcasts over it, and the rows of the other
/// operands continue with the same stride.
bool can_merge_with_rows(const Operands& matrices, std::size_t dim) {
  const auto continues_rows = [&](Operand operand) {
    const Tensor& tensor = matrices[operand];
    return tensor.strides[dim] == rows(tensor) * row_stride(tensor);
  };
  return matrices[kB].strides[dim] == 0 && continues_rows(kA) && continues_rows(kC) && continues_rows(kOut);
}

Tensor with_merged_dim(Tensor tensor, std::size_t dim, std::int64_t times) {
  tensor.shape[row_dim(tensor)] *= times;
  tensor.shape = without(tensor.shape, dim);
  tensor.strides = without(tensor.strides, dim);
  return tensor;
}

/// Returns a tensor bound to other memory, for a factor without elements.
Tensor without_elements(Tensor tensor, const Tensor& memory) {
  tensor.data = memory.data;
  tensor.offset = 0;
  tensor.strides = Shape(tensor.shape.size(), 0);
  return tensor;
}

Blocks blocks_of(const Operands& matrices, std::size_t operand) {
  return operand < matrices.blocks.size() ? matrices.blocks[operand] : Blocks{};
}

/// Returns the offset of an index of a dim.
std::int64_t offset_of_index(const Tensor& tensor, const Blocks& blocks, std::size_t dim, std::int64_t at) {
  if (!blocks.splits(tensor, dim)) return at * tensor.strides[dim];
  return at / blocks.size * blocks.stride + at % blocks.size;
}

std::uint64_t span_bytes(const Tensor& tensor, const Blocks& blocks, const Shape& batch, const Shape& strides) {
  std::int64_t last =
      offset_of_index(tensor, blocks, row_dim(tensor), std::max<std::int64_t>(rows(tensor) - 1, 0)) +
      offset_of_index(tensor, blocks, column_dim(tensor), std::max<std::int64_t>(columns(tensor) - 1, 0));
  for (std::size_t i = 0; i < batch.size(); ++i) last += (batch[i] - 1) * strides[i];
  return (static_cast<std::uint64_t>(last) + 1) * size_of(tensor.dtype);
}

/// Merges dims of the batch that share one b with the rows, which makes fewer and larger matrices.
Operands with_merged_batch(Operands matrices) {
  while (matrices[kOut].shape.size() > 2) {
    const std::size_t dim = matrices[kOut].shape.size() - 3;
    const std::int64_t size = matrices[kOut].shape[dim];
    // From the innermost dim on: an outer one continues the rows only after the inner one has been merged.
    if (size != 1 && !can_merge_with_rows(matrices, dim)) break;
    Operands merged = matrices;
    bool fits = true;
    for (std::size_t operand = 0; operand < kOperands; ++operand) {
      merged[operand] = with_merged_dim(std::move(merged[operand]), dim, operand == kB ? 1 : size);
      fits = fits && span_bytes(merged[operand], blocks_of(merged, operand), {}, {}) <= kMaxSpanBytes;
    }
    if (!fits) break;
    matrices = std::move(merged);
  }
  return matrices;
}

/// The direction in which vec8s of b are loaded, kAlong of matrices.glsl.
enum class Along : std::uint32_t { kNothing = 0, kColumns = 1, kK = 2 };

/// The shaders in shaders/matmul/products/.
enum class Shader : std::size_t { kGemm, kDot, kSweep };

/// A candidate kernel and its estimated cost.
struct Strategy {
  Shader shader = Shader::kGemm;
  std::uint32_t rows = 1;
  Along along = Along::kNothing;
  std::uint32_t spans = 1;  ///< column tiles of a workgroup
  double cost = 0;
};

/// Cost model: cycles of one step along K for a subgroup of a CPU driver, measured on lavapipe. Loads of one element,
/// of a vec8, of a vec8 from one of few sequential streams, and one multiply-add.
constexpr double kLoad = 22;
constexpr double kLoadVec8 = 75;
constexpr double kLoadStream = 35;
constexpr double kMultiplyAdd = 0.6;

double tiles(std::int64_t size, std::int64_t of_tile) {
  const std::int64_t whole = (size + of_tile - 1) / of_tile;
  return static_cast<double>(whole);
}

Strategy tile_strategy(const Operands& matrices, std::uint32_t tile_rows, std::uint32_t threads) {
  Strategy strategy;
  strategy.rows = tile_rows;
  const bool by_columns = has_vec8_access(matrices[kB], column_dim(matrices[kB]));
  const bool by_k = has_vec8_access(matrices[kB], row_dim(matrices[kB]));
  strategy.along = by_columns ? Along::kColumns : by_k ? Along::kK : Along::kNothing;
  const double loads_of_b = strategy.along == Along::kNothing ? kVec8 * kLoad : kLoadVec8;
  // A thread loads one of eight elements of a for each row, and a vec8 of b for all rows.
  const double step = loads_of_b + tile_rows * (kLoad / kVec8 + kVec8 * kMultiplyAdd);
  strategy.cost = step * tiles(rows(matrices[kOut]), tile_rows) * tiles(columns(matrices[kOut]), kVec8 * threads);
  return strategy;
}

Strategy dot_strategy(const Operands& matrices, std::uint32_t tile_rows, std::uint32_t threads) {
  Strategy strategy;
  strategy.shader = Shader::kDot;
  strategy.rows = tile_rows;
  // The parts of a blocked column are too far apart to be a stream.
  const bool in_blocks = matrices.blocks[kB].splits(matrices[kB], row_dim(matrices[kB]));
  const double loads_of_b = kVec8 * (in_blocks ? kLoadVec8 : kLoadStream);
  // A step takes vec8s of K by all threads: cost is divided by the elements that they advance together.
  const double step = tile_rows * kLoadStream + loads_of_b + tile_rows * kVec8 * kVec8 * kMultiplyAdd;
  strategy.cost =
      step / (kVec8 * threads) * tiles(rows(matrices[kOut]), tile_rows) * tiles(columns(matrices[kOut]), kVec8);
  return strategy;
}

Strategy sweep_strategy(const Operands& matrices, std::uint32_t tile_rows, std::uint32_t threads, bool is_cpu_device) {
  Strategy strategy;
  strategy.shader = Shader::kSweep;
  strategy.rows = tile_rows;
  strategy.spans = is_cpu_device ? kSweepSpans : 1;
  // The rows of a are in registers, so a step loads b only.
  const double step = kLoadStream + tile_rows * kVec8 * kMultiplyAdd;
  strategy.cost = step * tiles(rows(matrices[kOut]), tile_rows) * tiles(columns(matrices[kOut]), kVec8 * threads);
  return strategy;
}

Strategy best_strategy(const Operands& matrices, std::uint32_t threads, bool is_cpu_device) {
  Strategy best = tile_strategy(matrices, 16, threads);
  const auto consider = [&](const Strategy& strategy) {
    // Of equal costs the earlier strategy stays.
    if (strategy.cost < best.cost) best = strategy;
  };
  for (const std::uint32_t tile_rows : {8, 4, 2, 1}) consider(tile_strategy(matrices, tile_rows, threads));
  const bool by_columns = has_vec8_access(matrices[kB], column_dim(matrices[kB]));
  if (by_columns && columns(matrices[kA]) == kSweepK) {
    for (const std::uint32_t tile_rows : {4, 2, 1})
      consider(sweep_strategy(matrices, tile_rows, threads, is_cpu_device));
  }
  if (has_vec8_access(matrices[kA], column_dim(matrices[kA])) && has_vec8_access(matrices[kB], row_dim(matrices[kB]))) {
    for (const std::uint32_t tile_rows : {4, 2, 1}) consider(dot_strategy(matrices, tile_rows, threads));
  }
  return best;
}

/// A product with its chosen kernel.
struct GemmPlan {
  const Gemm& gemm;
  Operands matrices;
  Strategy strategy;
  std::uint32_t threads;  ///< of a workgroup
  std::uint32_t lanes;    ///< kLanes of the shader
  DType promoted;
  ComputeClass compute;
};

bool is_64_bits(DType dtype) { return dtype == DType::kInt64 || dtype == DType::kUint64; }

std::string_view shader_of(const Strategy& strategy, ComputeClass compute) {
  constexpr ClassShaders kBlocks = ACLVK_CLASS_SHADERS("matmul/products/gemm");
  constexpr ClassShaders kDots = ACLVK_CLASS_SHADERS("matmul/products/dot");
  constexpr ClassShaders kSweeps = ACLVK_CLASS_SHADERS("matmul/products/sweep");
  constexpr std::array kShaders{kBlocks, kDots, kSweeps};
  return kShaders[static_cast<std::size_t>(strategy.shader)][static_cast<std::size_t>(compute)];
}

/// The dim that blocks split, encoded for kBlockedDim and gap of matrices.glsl.
struct BlockedDim {
  std::uint32_t code = 0;
  std::uint32_t gap = 0;  ///< distance between parts beyond their size, in elements
};

BlockedDim blocked_dim(const Operands& matrices) {
  for (const Operand operand : {kA, kB}) {
    const Blocks& blocks = matrices.blocks[operand];
    const Tensor& tensor = matrices[operand];
    for (const std::size_t dim : {row_dim(tensor), column_dim(tensor)}) {
      if (!blocks.splits(tensor, dim) || tensor.shape[dim] <= blocks.size) continue;
      // Bits 0 to 2 name operand and dim, the others are log2 of the block's size.
      const std::size_t which = 1 + 2 * operand + (dim - row_dim(tensor));
      const auto log2_size = static_cast<std::size_t>(std::log2(blocks.size));
      return {static_cast<std::uint32_t>(which + 8 * log2_size), word(blocks.stride - blocks.size)};
    }
  }
  return {};
}

struct Grid {
  std::uint32_t row_tiles = 0;
  std::uint32_t column_tiles = 0;
  std::uint32_t batches = 1;
};

Grid grid_of(const GemmPlan& plan, const Shape& batch) {
  const Tensor& out = plan.matrices[kOut];
  // The threads of a workgroup are adjacent along the columns; those of a dot product share eight columns.
  const std::int64_t tile_columns =
      kVec8 * plan.threads * plan.strategy.spans / (plan.strategy.shader == Shader::kDot ? plan.lanes : 1);
  Grid grid;
  grid.row_tiles = word((rows(out) + plan.strategy.rows - 1) / plan.strategy.rows);
  grid.column_tiles = word((columns(out) + tile_columns - 1) / tile_columns);
  grid.batches = word(element_count(batch));
  return grid;
}

GemmArguments arguments_of(const GemmPlan& plan, const Grid& grid) {
  const auto& all = plan.matrices.tensors;
  const auto words_of = [&](const Scalar& scalar) {
    const auto words = scalar_words(scalar, plan.compute);
    return std::array{words[0], words[1]};
  };
  GemmArguments arguments;
  arguments.rows = word(rows(all[kOut]));
  arguments.columns = word(columns(all[kOut]));
  arguments.k = word(columns(all[kA]));
  arguments.row_tiles = grid.row_tiles;
  arguments.column_tiles = grid.column_tiles;
  arguments.batches = grid.batches;
  for (std::size_t operand = 0; operand < kOperands; ++operand) {
    arguments.row_strides[operand] = word(row_stride(all[operand]));
    arguments.column_strides[operand] = word(column_stride(all[operand]));
  }
  arguments.alpha = words_of(plan.gemm.alpha);
  arguments.beta = words_of(plan.gemm.beta);
  arguments.gap = blocked_dim(plan.matrices).gap;
  return arguments;
}

GemmConstants constants_of(const GemmPlan& plan, std::size_t batch_rank) {
  const auto& all = plan.matrices.tensors;
  GemmConstants constants;
  constants.local_size = plan.threads;
  constants.kLanes = plan.lanes;
  constants.kRows = plan.strategy.rows;
  constants.kAlong = static_cast<uint>(plan.strategy.along);
  constants.kWholeK = columns(all[kA]) % kVec8 == 0 ? 1 : 0;
  constants.kWideStore = has_vec8_access(all[kOut], column_dim(all[kOut])) ? 1 : 0;
  constants.kHasC = plan.gemm.c.has_value() ? 1 : 0;
  constants.kRank = static_cast<uint>(batch_rank);
  constants.kDtype0 = static_cast<uint>(all[kA].dtype);
  constants.kDtype1 = static_cast<uint>(all[kB].dtype);
  constants.kDtype2 = static_cast<uint>(all[kC].dtype);
  constants.kDtype3 = static_cast<uint>(all[kOut].dtype);
  constants.kPromoted = static_cast<uint>(plan.promoted);
  constants.kBlockedDim = blocked_dim(plan.matrices).code;
  return constants;
}

runtime::Kernel kernel_for(const GemmPlan& plan, const SubNest& sub_nest) {
  KernelBuilder kernel(plan.gemm.name, shader_of(plan.strategy, plan.compute));
  const LoopNest& nest = sub_nest.nest;
  const auto& all = plan.matrices.tensors;
  for (std::size_t operand = 0; operand < kOperands; ++operand) {
    const Tensor& tensor = all[operand];
    const std::byte* start =
        at_byte_offset(tensor.address(), sub_nest.starts[operand] * static_cast<std::int64_t>(size_of(tensor.dtype)));
    kernel.add_operand(start, span_bytes(tensor, blocks_of(plan.matrices, operand), nest.sizes, nest.strides[operand]),
                       operand == kOut ? Access::kWrite : Access::kRead);
  }
  const Grid grid = grid_of(plan, nest.sizes);
  kernel.add_constants(constants_of(plan, nest.sizes.size()));
  if (plan.strategy.shader == Shader::kSweep) {
    SweepConstants constants;
    constants.kSpans = plan.strategy.spans;
    kernel.add_constants(constants);
  }
  kernel.add_arguments(arguments_of(plan, grid));
  kernel.add_dims(nest.sizes, nest.strides);
  kernel.set_threads(std::uint64_t{grid.row_tiles} * grid.column_tiles * grid.batches, 1);
  return kernel.build();
}

Kernels kernels_of(const GemmPlan& plan) {
  const Tensor& out = plan.matrices[kOut];
  const std::size_t dims = out.shape.size() - 2;
  LoopNest nest{{out.shape.begin(), out.shape.begin() + dims}, {}};
  ElementBytes element_bytes;
  for (std::size_t operand = 0; operand < kOperands; ++operand) {
    const Tensor& tensor = plan.matrices[operand];
    nest.strides.push_back({tensor.strides.begin(), tensor.strides.begin() + dims});
    element_bytes.push_back(size_of(tensor.dtype));
    const std::uint64_t span = span_bytes(tensor, blocks_of(plan.matrices, operand), {}, {});
    check(span <= kMaxSpanBytes, Code::kNnInvalid,
          "a matrix of {} has shape ({}, {}) and spans {} bytes; it must not span more than 2 GiB.", plan.gemm.name,
          rows(tensor), columns(tensor), span);
  }
  Kernels kernels;
  for (const SubNest& sub_nest : split(collapse(std::move(nest)), element_bytes, {})) {
    kernels.push_back(kernel_for(plan, sub_nest));
  }
  return kernels;
}

/// An iteration of the shader's loop advances K by eight.
constexpr std::int64_t kMaxK = std::int64_t{1} << 18;
static_assert(kMaxK / kVec8 <= kMaxIterations);

/// Returns kernels that each take a slice of K and accumulate onto the one before. Only the last one rounds to out's
/// dtype.
Kernels accumulated_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution) {
  Kernels kernels;
  const std::int64_t k = columns(gemm.a);
  const DType dtype = sum_dtype(gemm);
  const Tensor sums = gemm.out.dtype == dtype ? gemm.out : staging.make(gemm.out.shape, dtype);
  for (std::int64_t first = 0; first < k; first += kMaxK) {
    const std::int64_t count = std::min(kMaxK, k - first);
    Gemm part = gemm;
    part.a = sliced(gemm.a, gemm.blocks_of_a, column_dim(gemm.a), first, count);
    part.b = sliced(gemm.b, gemm.blocks_of_b, row_dim(gemm.b), first, count);
    if (first + count < k) part.out = sums;
    if (first > 0) part.c = sums;
    if (first > 0) part.beta = Gemm::one();
    append(kernels, gemm_kernels(part, staging, execution));
  }
  return kernels;
}

Kernels nothing(const Gemm& gemm) { return {KernelBuilder(gemm.name, shader_of({}, ComputeClass::kF32)).build()}; }

}  // namespace

Scalar Gemm::one() {
  constexpr bool kOne = true;  // BOOL converts to every dtype
  return {&kOne, DType::kBool};
}

DType sum_dtype(const Gemm& gemm) {
  const auto any = [&](auto&& is) { return is(gemm.a.dtype) || is(gemm.b.dtype) || (gemm.c && is(gemm.c->dtype)); };
  const auto is_double = [](DType dtype) { return dtype == DType::kDouble; };
  if (any(is_double) || is_double(gemm.out.dtype)) return DType::kDouble;
  if (any([](DType dtype) { return kind_of(dtype) == Kind::kFloating; })) return DType::kFloat;
  return any(is_64_bits) ? DType::kInt64 : DType::kInt32;
}

Kernels gemm_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution) {
  if (gemm.out.empty()) return nothing(gemm);
  if (columns(gemm.a) > kMaxK) return accumulated_kernels(gemm, staging, execution);
  // Without c its operand is bound to out and not read.
  Operands matrices{{gemm.a, gemm.b, gemm.c.value_or(gemm.out), gemm.out}, {gemm.blocks_of_a, gemm.blocks_of_b}};
  if (columns(gemm.a) == 0) matrices[kA] = without_elements(gemm.a, gemm.out);
  if (columns(gemm.a) == 0) matrices[kB] = without_elements(gemm.b, gemm.out);
  const std::uint32_t threads = execution.is_cpu_device ? std::max(execution.subgroup_size, 1U) : kThreadsPerGroup;
  matrices = with_merged_batch(std::move(matrices));
  // The transposed product is tried as well: its cost differs where a and b differ in layout or size.
  Operands transposed_matrices = with_merged_batch(transposed(matrices));
  Strategy strategy = best_strategy(matrices, threads, execution.is_cpu_device);
  const Strategy other = best_strategy(transposed_matrices, threads, execution.is_cpu_device);
  if (other.cost < strategy.cost) {
    matrices = std::move(transposed_matrices);
    strategy = other;
  }
  const DType promoted = sum_dtype(gemm);
  const ComputeClass compute = std::max(class_for(promoted, {gemm.a.dtype, gemm.b.dtype}),
                                        class_for(promoted, {matrices[kC].dtype, gemm.out.dtype}));
  return kernels_of({gemm, std::move(matrices), strategy, threads, std::min({threads, execution.subgroup_size, 8U}),
                     promoted, compute});
}

}  // namespace aclvk::ops
