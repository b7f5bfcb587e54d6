#include "ops/linalg/svd/values.hpp"

#include <algorithm>

#include "linalg/matrices.args.h"
#include "linalg/svd/bidiagonal.args.h"
#include "linalg/svd/svd.args.h"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(BidiagonalArguments, BIDIAGONAL_ARGUMENTS);
ARGUMENT_STRUCT(BidiagonalReflectorsArguments, BIDIAGONAL_REFLECTORS_ARGUMENTS);
ARGUMENT_STRUCT(SvdBisectArguments, SVD_BISECT_ARGUMENTS);
CONSTANT_STRUCT(MatricesConstants, MATRICES_CONSTANTS);
CONSTANT_STRUCT(SvdBisectConstants, SVD_BISECT_CONSTANTS);

constexpr std::int64_t kScales = 4;  // numbers of a matrix, as in shaders/linalg/svd/bidiagonal.glsl
/// The most work groups of a pass: bidiagonal_reflectors.comp sums their partial products in one work group.
constexpr std::int64_t kMaxGroups = 32;
constexpr std::int64_t kMinThreads = 8;    // of a work group
constexpr std::int64_t kMaxThreads = 128;  // as in shaders/linalg/svd/bidiagonal.glsl

/// Threads of a work group. Eight of them take 42,000 iterations for 8192 columns and slightly more rows: a pass goes
/// over the rows twice for each of its 16 blocks, and the sum over kMaxGroups work groups takes as many.
std::int64_t threads_for(runtime::Execution execution) {
  return execution.is_cpu_device ? std::clamp<std::int64_t>(execution.subgroup_size, kMinThreads, kMaxThreads)
                                 : kMaxThreads;
}

/// Returns whether A has many more rows than columns: QR, made of products, is then cheaper than passes over all of A.
bool is_tall(SvdSizes sizes) { return 4 * sizes.rows > 5 * sizes.columns; }

/// After that many halvings an interval is as narrow as the rounding error of the largest singular value.
std::int64_t halvings_of(DType dtype) { return dtype == DType::kDouble ? 60 : 30; }

}  // namespace

BidiagonalValues::BidiagonalValues(const Work& work, const Tensor& input, SvdSizes sizes)
    : work_(work), sizes_(sizes), dtype_(input.dtype), count_(matrix_count(batch_of(input))) {
  const Tensor given = sizes.transposed ? with_swapped_dims(input) : input;
  const Tensor matrices = copy_matrices(work.name, work.staging, given, dtype_, work.kernels);
  values_ = make(3, sizes.columns);
  bidiagonal_ = make(1, 2 * sizes.columns);
  divide_for_svd(work, matrices, values_);
  bidiagonalize(padded(matrices));
  bisect();
}

void BidiagonalValues::put_values(const Tensor& to) { put_singular_values(work_, to, sizes_, values_); }

Tensor BidiagonalValues::make(std::int64_t rows, std::int64_t columns) const {
  return make_matrices(work_.staging, count_, rows, columns, dtype_);
}

/// Pads rows to a multiple of kPanelWidth columns. The padding is not initialised: the first pass ignores it.
Tensor BidiagonalValues::padded(const Tensor& matrices) {
  if (is_tall(sizes_)) {
    sizes_.rows = sizes_.columns;
    return make_qr(work_, matrices, dtype_).r;
  }
  const Tensor lines = make(sizes_.rows, padded_size(sizes_.columns));
  const Tensor unpadded = submatrix(lines, 0, sizes_.rows, 0, sizes_.columns);
  append(work_.kernels, copy_kernels(work_.name, unpadded, matrices));
  return lines;
}

void BidiagonalValues::bidiagonalize(const Tensor& matrices) {
  const std::int64_t pitch = matrices.shape[2];
  // Operands of bidiagonal.comp: u of even and of odd steps, and x; y and r; scales; partial products.
  const Tensor column_vectors = make(3, sizes_.rows);
  const Tensor row_vectors = make(2, pitch);
  const Tensor scales = make(1, kScales);
  const std::int64_t max_groups = std::min(pitch / kPanelWidth, kMaxGroups);
  const Tensor partial_products = make(max_groups, sizes_.rows);
  MatrixCall pass = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/bidiagonal"),
                             {&matrices, &column_vectors, &row_vectors, &scales, &partial_products});
  MatricesConstants constants;
  constants.local_size = static_cast<uint>(threads_for(work_.execution));
  add_constants(pass, constants);
  MatrixCall reflectors = pass;
  reflectors.shaders = ACLVK_CLASS_SHADERS("linalg/svd/bidiagonal_reflectors");
  reflectors.operands.push_back(&bidiagonal_);
  BidiagonalArguments pass_arguments;
  pass_arguments.rows = word(sizes_.rows);
  pass_arguments.columns = word(sizes_.columns);
  pass_arguments.stored_rows = word(matrices.shape[1]);
  pass_arguments.max_groups = word(max_groups);
  pass_arguments.pitch = word(pitch);
  BidiagonalReflectorsArguments arguments;
  arguments.rows = pass_arguments.rows;
  arguments.columns = pass_arguments.columns;
  arguments.stored_rows = pass_arguments.stored_rows;
  arguments.max_groups = pass_arguments.max_groups;
  arguments.pitch = pass_arguments.pitch;
  append(work_.kernels, matrix_kernels(reflectors, arguments));
  for (std::int64_t step = 0; step < sizes_.columns - 1; ++step) {
    // Blocks of columns that are finished need no work group.
    pass.groups = std::min(pitch / kPanelWidth - (step + 1) / kPanelWidth, max_groups);
    pass_arguments.step = word(step);
    append(work_.kernels, matrix_kernels(pass, pass_arguments));
    arguments.step = word(step + 1);
    arguments.pass_groups = word(pass.groups);
    append(work_.kernels, matrix_kernels(reflectors, arguments));
  }
}

void BidiagonalValues::bisect() {
  constexpr std::int64_t kMaxLanes = 8;  // kLanes of shaders/linalg/shuffle.glsl
  const std::int64_t threads = threads_for(work_.execution);
  const std::int64_t lanes = std::min<std::int64_t>(work_.execution.subgroup_size, kMaxLanes);
  const std::int64_t halvings = halvings_of(dtype_);
  const Tensor bounds = make(2, sizes_.columns);
  MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/bisect"), {&bidiagonal_, &bounds, &values_});
  call.groups = (sizes_.columns + threads - 1) / threads;
  SvdBisectConstants constants;
  constants.local_size = static_cast<uint>(threads);
  constants.kLanes = static_cast<uint>(lanes);
  constants.kHalvings = static_cast<uint>(halvings);
  add_constants(call, constants);
  SvdBisectArguments arguments;
  arguments.rows = word(sizes_.rows);
  arguments.columns = word(sizes_.columns);
  const std::int64_t iterations = 2 * sizes_.columns / lanes + 2;
  // The first halving also finds the largest element of the bidiagonal.
  for (const StepRange& range :
       ranges_of_steps(halvings, [&](std::int64_t step) { return step == 0 ? 2 * iterations : iterations; })) {
    arguments.first_halving = word(range.first);
    arguments.halvings = word(range.count);
    append(work_.kernels, matrix_kernels(call, arguments));
  }
}

}  // namespace aclvk::ops
