
#include <algorithm>

#include "base/error.hpp"
#include "linalg/svd/svd.args.h"
#include "ops/args/linalg.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/linalg/matrices.hpp"
#include "ops/linalg/qr.hpp"
#include "ops/linalg/svd/blocks.hpp"
#include "ops/linalg/svd/values.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(SvdColumnsArguments, SVD_COLUMNS_ARGUMENTS);
ARGUMENT_STRUCT(SvdRotateArguments, SVD_ROTATE_ARGUMENTS);
ARGUMENT_STRUCT(SvdSignsArguments, SVD_SIGNS_ARGUMENTS);
CONSTANT_STRUCT(SvdSignsConstants, SVD_SIGNS_CONSTANTS);
CONSTANT_STRUCT(SvdColumnsConstants, SVD_COLUMNS_CONSTANTS);
CONSTANT_STRUCT(SvdRotateConstants, SVD_ROTATE_CONSTANTS);

constexpr const char* kName = "aclnnSvd";

SvdSizes svd_sizes(const Tensor& input, bool full_matrices) {
  SvdSizes sizes;
  sizes.transposed = rows_of(input) < columns_of(input);
  sizes.rows = std::max(rows_of(input), columns_of(input));
  sizes.columns = std::min(rows_of(input), columns_of(input));
  sizes.u_columns = full_matrices ? sizes.rows : sizes.columns;
  return sizes;
}

Shape svd_shape(const Tensor& input, std::initializer_list<std::int64_t> last) {
  Shape shape = batch_of(input);
  for (const std::int64_t size : last) shape.push_back(size);
  return shape;
}

/// kStep of shaders/linalg/svd/columns.comp.
enum class ColumnStep : std::uint32_t { kMeasure, kPrepare, kSum, kSort };

/// Passes of a thread in one kernel: two over the rows and one over the columns, or the reverse.
constexpr std::int64_t kPasses = 3;

class JacobiSvd {
 public:
  JacobiSvd(const Work& work, const Tensor& input, SvdSizes sizes, bool with_vectors)
      : work_(work), sizes_(sizes), with_vectors_(with_vectors), dtype_(input.dtype) {
    count_ = matrix_count(batch_of(input));
    // input^T makes a column of A contiguous. For A = input^H it is the input itself, conjugated by the first kernel.
    const Tensor given = sizes.transposed ? input : with_swapped_dims(input);
    columns_ = copy_matrices(kName, work.staging, given, dtype_, work.kernels);
    values_ = make(3, sizes.columns);
    flags_ = make(1, kSvdSweeps + 1);
    v_transposed_ = with_vectors ? make(sizes.columns, sizes.columns) : values_;
    product_ = with_vectors ? make(sizes.rows, sizes.columns) : values_;
    v_ = with_vectors ? make(sizes.columns, sizes.columns) : values_;
    if (sizes_.columns == 0) return;
    take_step(ColumnStep::kMeasure);
    take_step(ColumnStep::kPrepare);
    for (std::int64_t sweep = 0; sweep < kSvdSweeps; ++sweep) rotate(sweep);
    take_step(ColumnStep::kSum);
    take_step(ColumnStep::kSort);
  }

  void put_values(const Tensor& to) { put_singular_values(work_, to, sizes_, values_); }

  /// The columns of A V are those of u times the singular values. The Householder Q of A V has the same columns up to
  /// signs, also for singular values of 0, and completes them to a full basis.
  void put_vectors(const Tensor& u, const Tensor& v) {
    const Tensor reflectors = make(sizes_.columns, 3);
    const Tensor q = make(sizes_.rows, sizes_.u_columns);
    reflect(work_, product_, reflectors);
    if (!q.empty()) generate_q(work_, product_, reflectors, q);
    if (sizes_.columns > 0) {
      MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/signs"), {&q, &reflectors, &v_, &values_});
      SvdSignsArguments arguments;
      arguments.q_rows = word(sizes_.rows);
      arguments.v_size = word(sizes_.columns);
      arguments.q_columns = word(sizes_.u_columns);
      arguments.values_pitch = word(sizes_.columns);
      SvdSignsConstants constants;
      constants.kSigns = true;
      constants.kSize = static_cast<uint>(3 * sizes_.columns);
      constants.kStep = 3;
      add_constants(call, constants);
      call.threads = sizes_.rows * sizes_.u_columns;
      append(work_.kernels, matrix_kernels(call, arguments));
    }
    put_matrices(kName, sizes_.transposed ? v : u, q, work_.kernels);
    put_matrices(kName, sizes_.transposed ? u : v, v_, work_.kernels);
  }

 private:
  Tensor make(std::int64_t rows, std::int64_t columns) {
    return make_matrices(work_.staging, count_, rows, columns, dtype_);
  }
  void take_step(ColumnStep step) {
    MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/columns"),
                               {&columns_, &v_transposed_, &product_, &v_, &values_, &flags_});
    SvdColumnsArguments arguments;
    arguments.rows = word(sizes_.rows);
    arguments.columns = word(sizes_.columns);
    arguments.flags = word(kSvdSweeps + 1);
    call.threads = sizes_.columns;
    SvdColumnsConstants constants;
    constants.kStep = static_cast<uint>(step);
    constants.kConjugates = sizes_.transposed;
    constants.kVectors = with_vectors_;
    constants.kUnroll = rows_at_once(kName, sizes_.rows, kPasses);
    add_constants(call, constants);
    append(work_.kernels, matrix_kernels(call, arguments));
  }
  /// A kernel does several rounds where one work group has all pairs of columns, as the rounds wait for each other;
  /// else one.
  void rotate(std::int64_t sweep) {
    // A round-robin tournament of an even number of columns: with an odd one, one column sits out each round.
    const std::int64_t even_columns = sizes_.columns + sizes_.columns % 2;
    const std::int64_t groups = groups_for(even_columns / 2);
    const std::uint32_t at_once = rows_at_once(kName, sizes_.rows, kPasses);
    const std::int64_t iterations =
        2 * iterations_along(sizes_.rows, at_once) + iterations_along(sizes_.columns, at_once) + 2;
    MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/rotate"), {&columns_, &v_transposed_, &flags_});
    SvdRotateArguments arguments;
    arguments.rows = word(sizes_.rows);
    arguments.columns = word(sizes_.columns);
    arguments.sweep = word(sweep);
    call.groups = groups;
    SvdRotateConstants constants;
    constants.kSweeps = kSvdSweeps + 1;
    constants.kVectors = with_vectors_;
    constants.kUnroll = at_once;
    add_constants(call, constants);
    for (const StepRange& range :
         // With several work groups each round is a kernel, so that a barrier separates it from the next one.
         ranges_of_steps(even_columns - 1, [&](std::int64_t) { return groups > 1 ? kMaxIterations : iterations; })) {
      arguments.first_round = word(range.first);
      arguments.rounds = word(range.count);
      append(work_.kernels, matrix_kernels(call, arguments));
    }
  }

  const Work& work_;
  SvdSizes sizes_;
  bool with_vectors_;
  DType dtype_;
  std::int64_t count_ = 0;
  Tensor columns_;       ///< A^T; rotated in place
  Tensor v_transposed_;  ///< V^T, before its columns are sorted
  Tensor product_;       ///< A V, with sorted columns
  Tensor v_;
  Tensor values_;
  Tensor flags_;
};

}  // namespace

/// aclnnSvd: input = u diag(sigma) v^H, singular values in descending order. With k = min(rows, columns), u is rows x k
/// and v columns x k; with `full_matrices` both are square. Without vectors u and v are not written and may be NULL.
std::shared_ptr<Executor> plan(const SvdArgs& args) {
  const bool full_matrices = args.fullMatrices;
  const bool with_vectors = args.computeUV;
  using ParamId = TensorParameters::ParamId;
  TensorParameters tensors;
  const ParamId input = tensors.input(args.input);
  const ParamId sigma = tensors.output(args.sigma);
  const ParamId u = with_vectors ? tensors.output(args.u) : tensors.optional_output(args.u);
  const ParamId v = with_vectors ? tensors.output(args.v) : tensors.optional_output(args.v);
  tensors.check_dtypes(dtypes_of(kName));
  const DType dtype = tensors[input].dtype;
  check_castable(real_part_of(dtype), tensors[sigma].dtype, "a singular value", "sigma");
  for (const ParamId param : {u, v}) {
    if (with_vectors) check_castable(dtype, tensors[param].dtype, "the result", tensors.name(param));
  }
  tensors.check_views();
  check_matrices(tensors, input);
  const SvdSizes sizes = svd_sizes(tensors[input], full_matrices);
  const std::int64_t rows = rows_of(tensors[input]);
  const std::int64_t columns = columns_of(tensors[input]);
  tensors.check_shape(sigma, svd_shape(tensors[input], {sizes.columns}), "the result has shape");
  if (with_vectors) {
    const auto kept = [&](std::int64_t all) { return full_matrices ? all : sizes.columns; };
    tensors.check_shape(u, svd_shape(tensors[input], {rows, kept(rows)}), "the result has shape");
    tensors.check_shape(v, svd_shape(tensors[input], {columns, kept(columns)}), "the result has shape");
  }
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        const Work work{kName, execution, staging, kernels};
        const auto put = [&](auto values) {
          values.put_values(*bound[sigma]);
          if (with_vectors) values.put_vectors(*bound[u], *bound[v]);
        };
        if (!use_blocked_svd(sizes, dtype)) {
          put(JacobiSvd(work, *bound[input], sizes, with_vectors));
        } else if (with_vectors) {
          put(BlockedJacobiSvd(work, *bound[input], sizes));
        } else {
          BidiagonalValues(work, *bound[input], sizes).put_values(*bound[sigma]);
        }
        return kernels;
      });
}

}  // namespace aclvk::ops
