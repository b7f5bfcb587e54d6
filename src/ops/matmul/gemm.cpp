#include "ops/matmul/gemm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "ops/grid.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

constexpr std::uint64_t kMaxSpanBytes = std::uint64_t{1} << 31;  // of the matrices' starts, and of a matrix
constexpr std::int64_t kVec8 = 8;
constexpr std::size_t kPushBytes = 128;
constexpr std::size_t kSlotBytes = 8;
constexpr std::uint32_t kThreadsOfGroup = 32;  // on GPUs; subgroups of fewer threads are fine
constexpr std::uint32_t kSweptSpans = 16;      // where groups take turns: long enough that memory sees streams

/// The operands in the order of shaders/matmul/matrices.glsl. All have the same number of dims.
enum Place : std::size_t { kA, kB, kSummand, kOut, kPlaces };
struct Places {
  std::array<Tensor, kPlaces> tensors;
  std::array<Blocks, 2> blocks{};  // of a and b

  Tensor& operator[](std::size_t place) { return tensors[place]; }
  const Tensor& operator[](std::size_t place) const { return tensors[place]; }
};

std::size_t row_dim(const Tensor& tensor) { return tensor.shape.size() - 2; }
std::size_t column_dim(const Tensor& tensor) { return tensor.shape.size() - 1; }
std::int64_t rows(const Tensor& tensor) { return tensor.shape[row_dim(tensor)]; }
std::int64_t columns(const Tensor& tensor) { return tensor.shape[column_dim(tensor)]; }
std::int64_t row_step(const Tensor& tensor) { return tensor.strides[row_dim(tensor)]; }
std::int64_t column_step(const Tensor& tensor) { return tensor.strides[column_dim(tensor)]; }

/// The same product the other way round: out' = b' a'.
Places transposed(const Places& matrices) {
  return {{with_swapped_dims(matrices[kB]), with_swapped_dims(matrices[kA]), with_swapped_dims(matrices[kSummand]),
           with_swapped_dims(matrices[kOut])},
          {matrices.blocks[kB], matrices.blocks[kA]}};
}

/// Whether the last dim of a batch only counts more rows: b is the same for all of it, and the others go on there as
/// from row to row.
bool is_more_rows(const Places& matrices, std::size_t dim) {
  const auto goes_on = [&](Place place) {
    const Tensor& tensor = matrices[place];
    return tensor.strides[dim] == rows(tensor) * row_step(tensor);
  };
  return matrices[kB].strides[dim] == 0 && goes_on(kA) && goes_on(kSummand) && goes_on(kOut);
}

Tensor without_dim(Tensor tensor, std::size_t dim, std::int64_t times) {
  tensor.shape[row_dim(tensor)] *= times;
  tensor.shape = without(tensor.shape, dim);
  tensor.strides = without(tensor.strides, dim);
  return tensor;
}

/// A tensor that is never read, but has a place.
Tensor without_elements(Tensor tensor, const Tensor& place) {
  tensor.data = place.data;
  tensor.offset = 0;
  tensor.strides = Shape(tensor.shape.size(), 0);
  return tensor;
}

Blocks blocks_of(const Places& matrices, std::size_t place) {
  return place < matrices.blocks.size() ? matrices.blocks[place] : Blocks{};
}

/// How far a place of a dim is from its first.
std::int64_t distance(const Tensor& tensor, const Blocks& blocks, std::size_t dim, std::int64_t at) {
  if (!blocks.cut(tensor, dim)) return at * tensor.strides[dim];
  return at / blocks.size * blocks.step + at % blocks.size;
}

std::uint64_t span_bytes(const Tensor& tensor, const Blocks& blocks, const Shape& batch, const Shape& strides) {
  std::int64_t last = distance(tensor, blocks, row_dim(tensor), std::max<std::int64_t>(rows(tensor) - 1, 0)) +
                      distance(tensor, blocks, column_dim(tensor), std::max<std::int64_t>(columns(tensor) - 1, 0));
  for (std::size_t i = 0; i < batch.size(); ++i) last += (batch[i] - 1) * strides[i];
  return (static_cast<std::uint64_t>(last) + 1) * size_of(tensor.dtype);
}

/// Fewer and larger matrices, where a batch shares one b.
Places folded(Places matrices) {
  while (matrices[kOut].shape.size() > 2) {
    const std::size_t dim = matrices[kOut].shape.size() - 3;
    const std::int64_t size = matrices[kOut].shape[dim];
    if (size != 1 && !is_more_rows(matrices, dim)) break;
    Places fewer = matrices;
    bool fits = true;
    for (std::size_t place = 0; place < kPlaces; ++place) {
      fewer[place] = without_dim(std::move(fewer[place]), dim, place == kB ? 1 : size);
      fits = fits && span_bytes(fewer[place], blocks_of(fewer, place), {}, {}) <= kMaxSpanBytes;
    }
    if (!fits) break;
    matrices = std::move(fewer);
  }
  return matrices;
}

/// How b is read: kAlong of matrices.glsl.
enum class Along : std::uint32_t { kNothing = 0, kColumns = 1, kDepth = 2 };

/// The kernels, shaders/matmul/.
enum class Shader : std::size_t { kGemm, kDot, kSweep };

/// How a product is made.
struct Way {
  Shader shader = Shader::kGemm;
  std::uint32_t rows = 1;
  Along along = Along::kNothing;
  std::uint32_t spans = 1;  ///< tiles beside each other that a group makes
  double cost = 0;
};

/// What a step along the depth costs one subgroup of a CPU driver for a tile, in cycles that were measured on lavapipe:
/// loads of one element, of eight, of eight that memory gives as a few streams, and sums.
constexpr double kLoad = 22;
constexpr double kLoadVec8 = 75;
constexpr double kLoadStream = 35;
constexpr double kSum = 0.6;

double tiles(std::int64_t size, std::int64_t of_tile) { return static_cast<double>((size + of_tile - 1) / of_tile); }

Way block_way(const Places& matrices, std::uint32_t tile_rows, std::uint32_t threads) {
  Way way;
  way.rows = tile_rows;
  const bool by_columns = has_vec8_access(matrices[kB], column_dim(matrices[kB]));
  const bool by_depth = has_vec8_access(matrices[kB], row_dim(matrices[kB]));
  way.along = by_columns ? Along::kColumns : by_depth ? Along::kDepth : Along::kNothing;
  const double right = way.along == Along::kNothing ? kVec8 * kLoad : kLoadVec8;
  const double step = right + tile_rows * (kLoad / kVec8 + kVec8 * kSum);
  way.cost = step * tiles(rows(matrices[kOut]), tile_rows) * tiles(columns(matrices[kOut]), kVec8 * threads);
  return way;
}

Way dot_way(const Places& matrices, std::uint32_t tile_rows, std::uint32_t threads) {
  Way way;
  way.shader = Shader::kDot;
  way.rows = tile_rows;
  // Parts of a column in blocks are too far from each other for a stream.
  const bool in_blocks = matrices.blocks[kB].cut(matrices[kB], row_dim(matrices[kB]));
  const double right = kVec8 * (in_blocks ? kLoadVec8 : kLoadStream);
  const double step = tile_rows * kLoadStream + right + tile_rows * kVec8 * kVec8 * kSum;
  way.cost = step / (kVec8 * threads) * tiles(rows(matrices[kOut]), tile_rows) * tiles(columns(matrices[kOut]), kVec8);
  return way;
}

Way sweep_way(const Places& matrices, std::uint32_t tile_rows, std::uint32_t threads, bool takes_turns) {
  Way way;
  way.shader = Shader::kSweep;
  way.rows = tile_rows;
  way.spans = takes_turns ? kSweptSpans : 1;
  const double step = kLoadStream + tile_rows * kVec8 * kSum;
  way.cost = step * tiles(rows(matrices[kOut]), tile_rows) * tiles(columns(matrices[kOut]), kVec8 * threads);
  return way;
}

Way best_way(const Places& matrices, std::uint32_t threads, bool takes_turns) {
  Way best = block_way(matrices, 16, threads);
  const auto consider = [&](const Way& way) {
    if (way.cost < best.cost) best = way;
  };
  for (const std::uint32_t tile_rows : {8, 4, 2, 1}) consider(block_way(matrices, tile_rows, threads));
  const bool by_columns = has_vec8_access(matrices[kB], column_dim(matrices[kB]));
  if (by_columns && columns(matrices[kA]) == kSweptDepth) {
    for (const std::uint32_t tile_rows : {4, 2, 1}) consider(sweep_way(matrices, tile_rows, threads, takes_turns));
  }
  if (has_vec8_access(matrices[kA], column_dim(matrices[kA])) && has_vec8_access(matrices[kB], row_dim(matrices[kB]))) {
    for (const std::uint32_t tile_rows : {4, 2, 1}) consider(dot_way(matrices, tile_rows, threads));
  }
  return best;
}

/// A product on its way to kernels.
struct Plan {
  const Gemm& gemm;
  Places matrices;
  Way way;
  std::uint32_t threads;  ///< of a group
  std::uint32_t sharing;  ///< kLanes
  DType promoted;
  ComputeClass compute;
};

bool is_64_bits(DType dtype) { return dtype == DType::kInt64 || dtype == DType::kUint64; }

std::string_view shader_of(const Way& way, ComputeClass compute) {
  constexpr ClassShaders kBlocks = ACLVK_CLASS_SHADERS("matmul/gemm");
  constexpr ClassShaders kDots = ACLVK_CLASS_SHADERS("matmul/dot");
  constexpr ClassShaders kSweeps = ACLVK_CLASS_SHADERS("matmul/sweep");
  constexpr std::array kShaders{kBlocks, kDots, kSweeps};
  return kShaders[static_cast<std::size_t>(way.shader)][static_cast<std::size_t>(compute)];
}

/// The factor that lies in blocks, and its dim that is cut, as kCut and jump of matrices.glsl tell them.
struct Cut {
  std::uint32_t where = 0;
  std::uint32_t jump = 0;  ///< between parts of the dim, beyond what its stride comes to
};

Cut cut_of(const Places& matrices) {
  for (const Place place : {kA, kB}) {
    const Blocks& blocks = matrices.blocks[place];
    const Tensor& tensor = matrices[place];
    for (const std::size_t dim : {row_dim(tensor), column_dim(tensor)}) {
      if (!blocks.cut(tensor, dim) || tensor.shape[dim] <= blocks.size) continue;
      const std::size_t which = 1 + 2 * place + (dim - row_dim(tensor));
      const auto shift = static_cast<std::size_t>(std::log2(blocks.size));
      return {static_cast<std::uint32_t>(which + 8 * shift), static_cast<std::uint32_t>(blocks.step - blocks.size)};
    }
  }
  return {};
}

struct Grid {
  std::uint32_t row_tiles = 0;
  std::uint32_t column_tiles = 0;
  std::uint32_t batches = 1;
};

Grid grid_of(const Plan& plan, const Shape& batch) {
  const Tensor& out = plan.matrices[kOut];
  const std::int64_t tile_columns =
      kVec8 * plan.threads * plan.way.spans / (plan.way.shader == Shader::kDot ? plan.sharing : 1);
  Grid grid;
  grid.row_tiles = static_cast<std::uint32_t>((rows(out) + plan.way.rows - 1) / plan.way.rows);
  grid.column_tiles = static_cast<std::uint32_t>((columns(out) + tile_columns - 1) / tile_columns);
  for (const std::int64_t size : batch) grid.batches *= static_cast<std::uint32_t>(size);
  return grid;
}

/// In the order of matrices.glsl; padded as in strided.cpp.
runtime::Arguments arguments_for(const Plan& plan, const Grid& grid, const LoopNest& nest) {
  const auto& all = plan.matrices.tensors;
  InlineVector<std::uint32_t, 64> words{static_cast<std::uint32_t>(rows(all[kOut])),
                                        static_cast<std::uint32_t>(columns(all[kOut])),
                                        static_cast<std::uint32_t>(columns(all[kA])),
                                        grid.row_tiles,
                                        grid.column_tiles,
                                        grid.batches};
  for (const Tensor& tensor : all) words.push_back(static_cast<std::uint32_t>(row_step(tensor)));
  for (const Tensor& tensor : all) words.push_back(static_cast<std::uint32_t>(column_step(tensor)));
  for (const Scalar& scalar : {plan.gemm.alpha, plan.gemm.beta}) {
    const auto bits = scalar_words(scalar, plan.compute);
    words.append(bits.begin(), bits.begin() + 2);
  }
  words.push_back(cut_of(plan.matrices).jump);
  const std::size_t fixed = words.size();
  for (std::size_t i = 0; i < nest.sizes.size(); ++i) {
    words.push_back(static_cast<std::uint32_t>(nest.sizes[i]));
    for (const Shape& strides : nest.strides) words.push_back(static_cast<std::uint32_t>(strides[i]));
  }
  const std::size_t block = kPlaces * kSlotBytes + words.size() * sizeof(std::uint32_t);
  if (block > kPushBytes) words.resize(fixed + kMaxRank * (1 + kPlaces));
  const auto* bytes = reinterpret_cast<const std::byte*>(words.data());
  return {bytes, bytes + words.size() * sizeof(std::uint32_t)};
}

runtime::Kernel kernel_for(const Plan& plan, const SubNest& sub_nest) {
  runtime::Kernel kernel;
  kernel.name = plan.gemm.name;
  kernel.shader = shader_of(plan.way, plan.compute);
  const LoopNest& nest = sub_nest.nest;
  const auto& all = plan.matrices.tensors;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    const Tensor& tensor = all[place];
    const std::byte* start =
        at_byte_offset(tensor.address(), sub_nest.starts[place] * static_cast<std::int64_t>(size_of(tensor.dtype)));
    kernel.operands.push_back({start,
                               span_bytes(tensor, blocks_of(plan.matrices, place), nest.sizes, nest.strides[place]),
                               place == kOut ? Access::kWrite : Access::kRead});
  }
  const Grid grid = grid_of(plan, nest.sizes);
  const bool whole_depth = columns(all[kA]) % kVec8 == 0;
  const bool wide_store = has_vec8_access(all[kOut], column_dim(all[kOut]));
  kernel.constants = {plan.threads,
                      plan.sharing,
                      plan.way.rows,
                      static_cast<std::uint32_t>(plan.way.along),
                      static_cast<std::uint32_t>(whole_depth),
                      static_cast<std::uint32_t>(wide_store),
                      static_cast<std::uint32_t>(plan.gemm.summand.has_value()),
                      static_cast<std::uint32_t>(nest.sizes.size())};
  for (const Tensor& tensor : all) kernel.constants.push_back(static_cast<std::uint32_t>(tensor.dtype));
  kernel.constants.push_back(static_cast<std::uint32_t>(plan.promoted));
  kernel.constants.push_back(cut_of(plan.matrices).where);
  if (plan.way.shader == Shader::kSweep) kernel.constants.push_back(plan.way.spans);
  kernel.arguments = arguments_for(plan, grid, nest);
  kernel.groups = row_of_groups(std::uint64_t{grid.row_tiles} * grid.column_tiles * grid.batches, 1);
  return kernel;
}

Kernels kernels_of(const Plan& plan) {
  const Tensor& out = plan.matrices[kOut];
  const std::size_t dims = out.shape.size() - 2;
  LoopNest nest{{out.shape.begin(), out.shape.begin() + dims}, {}};
  ElementBytes element_bytes;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    const Tensor& tensor = plan.matrices[place];
    nest.strides.push_back({tensor.strides.begin(), tensor.strides.begin() + dims});
    element_bytes.push_back(size_of(tensor.dtype));
    const std::uint64_t span = span_bytes(tensor, blocks_of(plan.matrices, place), {}, {});
    check(span <= kMaxSpanBytes, Code::kNnInvalid,
          "a matrix of {} has shape ({}, {}) and spans {} bytes; it must not span more than 2 GiB.", plan.gemm.name,
          rows(tensor), columns(tensor), span);
  }
  Kernels kernels;
  for (const SubNest& sub_nest : split(collapse(std::move(nest)), element_bytes, kMaxSpanBytes)) {
    kernels.push_back(kernel_for(plan, sub_nest));
  }
  return kernels;
}

/// A turn takes eight along the depth.
constexpr std::int64_t kMostDepth = std::int64_t{1} << 18;
static_assert(kMostDepth / kVec8 <= kMaxIterations);

/// A deep product as several, each of which adds to the one before. Only the last one rounds to out's dtype.
Kernels deep_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution) {
  Kernels kernels;
  const std::int64_t depth = columns(gemm.a);
  const DType dtype = sum_dtype(gemm);
  const Tensor sums = gemm.out.dtype == dtype ? gemm.out : staging.make(gemm.out.shape, dtype);
  for (std::int64_t first = 0; first < depth; first += kMostDepth) {
    const std::int64_t count = std::min(kMostDepth, depth - first);
    Gemm part = gemm;
    part.a = sliced(gemm.a, gemm.blocks_of_a, column_dim(gemm.a), first, count);
    part.b = sliced(gemm.b, gemm.blocks_of_b, row_dim(gemm.b), first, count);
    if (first + count < depth) part.out = sums;
    if (first > 0) part.summand = sums;
    if (first > 0) part.beta = Gemm::one();
    append(kernels, gemm_kernels(part, staging, execution));
  }
  return kernels;
}

Kernels nothing(const Gemm& gemm) {
  runtime::Kernel kernel;
  kernel.name = gemm.name;
  kernel.shader = shader_of({}, ComputeClass::kF32);
  return {kernel};
}

}  // namespace

Scalar Gemm::one() {
  constexpr bool kOne = true;  // what every dtype can hold
  return {&kOne, DType::kBool};
}

DType sum_dtype(const Gemm& gemm) {
  const auto any = [&](auto&& is) {
    return is(gemm.a.dtype) || is(gemm.b.dtype) || (gemm.summand && is(gemm.summand->dtype));
  };
  const auto is_double = [](DType dtype) { return dtype == DType::kDouble; };
  if (any(is_double) || is_double(gemm.out.dtype)) return DType::kDouble;
  if (any([](DType dtype) { return kind_of(dtype) == Kind::kFloating; })) return DType::kFloat;
  return any(is_64_bits) ? DType::kInt64 : DType::kInt32;
}

Kernels gemm_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution) {
  if (gemm.out.empty()) return nothing(gemm);
  if (columns(gemm.a) > kMostDepth) return deep_kernels(gemm, staging, execution);
  Places matrices{{gemm.a, gemm.b, gemm.summand.value_or(gemm.out), gemm.out}, {gemm.blocks_of_a, gemm.blocks_of_b}};
  if (columns(gemm.a) == 0) matrices[kA] = without_elements(gemm.a, gemm.out);
  if (columns(gemm.a) == 0) matrices[kB] = without_elements(gemm.b, gemm.out);
  const std::uint32_t threads = execution.takes_turns ? std::max(execution.together, 1U) : kThreadsOfGroup;
  matrices = folded(std::move(matrices));
  Places turned = folded(transposed(matrices));
  Way way = best_way(matrices, threads, execution.takes_turns);
  const Way other = best_way(turned, threads, execution.takes_turns);
  if (other.cost < way.cost) {
    matrices = std::move(turned);
    way = other;
  }
  const DType promoted = sum_dtype(gemm);
  const ComputeClass compute = std::max(class_for(promoted, {gemm.a.dtype, gemm.b.dtype}),
                                        class_for(promoted, {matrices[kSummand].dtype, gemm.out.dtype}));
  return kernels_of(
      {gemm, std::move(matrices), way, threads, std::min({threads, execution.together, 8U}), promoted, compute});
}

}  // namespace aclvk::ops
