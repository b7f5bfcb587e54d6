#include "ops/linalg/qr.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "linalg/qr.args.h"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/linalg/matrices.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(QrArguments, QR_ARGUMENTS);
ARGUMENT_STRUCT(QrQArguments, QR_Q_ARGUMENTS);
ARGUMENT_STRUCT(QrRArguments, QR_R_ARGUMENTS);
CONSTANT_STRUCT(QrConstants, QR_CONSTANTS);
CONSTANT_STRUCT(QrQConstants, QR_Q_CONSTANTS);

struct Sizes {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t steps = 0;   ///< reflectors: min(rows, columns)
  std::int64_t shared = 0;  ///< columns of Q and rows of R
};

Sizes sizes_of(const Tensor& self, QrMode mode) {
  Sizes sizes{rows_of(self), columns_of(self)};
  sizes.steps = std::min(sizes.rows, sizes.columns);
  sizes.shared = mode == QrMode::kComplete ? sizes.rows : sizes.steps;
  return sizes;
}

Shape shape_of(const Tensor& self, std::int64_t rows, std::int64_t columns) {
  Shape shape = batch_of(self);
  shape.push_back(rows);
  shape.push_back(columns);
  return shape;
}

MatrixCall call_on(std::string_view name, const ClassShaders& shaders, const Tensor& matrices) {
  return {name, shaders, matrices.dtype, matrices.shape[0]};
}

/// Returns the arguments of a kernel on `matrices`, whose rows and columns are set.
template <typename Arguments>
Arguments arguments_on(const Tensor& matrices) {
  Arguments arguments;
  arguments.rows = word(matrices.shape[1]);
  arguments.columns = word(matrices.shape[2]);
  return arguments;
}

class Decomposition {
 public:
  Decomposition(const Work& work, const Tensor& self, Sizes sizes)
      : work_(work), sizes_(sizes), dtype_(computed_in(self.dtype)) {
    matrices_ = copy_matrices(work.name, work.staging, self, dtype_, work.kernels);
    // Three numbers of each reflector: the diagonal element of R, tau, and the factor of its vector
    // (linalg/qr.comp).
    reflectors_ = make_matrices(work.staging, matrices_.shape[0], sizes.steps, 3, dtype_);
    reflect(work, matrices_, reflectors_);
  }

  void put_q(const Tensor& to) {
    const Tensor q = make_matrices(work_.staging, matrices_.shape[0], sizes_.rows, sizes_.shared, dtype_);
    if (!to.empty()) generate_q(work_, matrices_, reflectors_, q);
    put_matrices(work_.name, to, q, work_.kernels);
  }
  void put_r(const Tensor& to) {
    const Tensor r = make_matrices(work_.staging, matrices_.shape[0], sizes_.shared, sizes_.columns, dtype_);
    if (!to.empty()) {
      MatrixCall call = call_on(work_.name, ACLVK_CLASS_SHADERS("linalg/qr_r"), matrices_);
      QrRArguments arguments = arguments_on<QrRArguments>(matrices_);
      arguments.r_rows = word(sizes_.shared);
      // A thread copies one element of R; those below the diagonal become 0.
      call.threads = sizes_.shared * sizes_.columns;
      call.operands = {&matrices_, &reflectors_, &r};
      append(work_.kernels, matrix_kernels(call, arguments));
    }
    put_matrices(work_.name, to, r, work_.kernels);
  }

 private:
  const Work& work_;
  Sizes sizes_;
  DType dtype_;
  Tensor matrices_;
  Tensor reflectors_;
};

void put_blocked(const Work& work, const BlockedQr& qr, QrMode mode, Sizes sizes, const Tensor& q, const Tensor& r) {
  if (mode != QrMode::kOnlyR) {
    const Tensor made = make_q(work, qr, sizes.shared);
    put_matrices(work.name, q, submatrix(made, 0, sizes.rows, 0, sizes.shared), work.kernels);
  }
  put_matrices(work.name, r, submatrix(qr.r, 0, sizes.shared, 0, sizes.columns), work.kernels);
}

}  // namespace

void reflect(const Work& work, const Tensor& matrices, const Tensor& reflectors) {
  MatrixCall call = call_on(work.name, ACLVK_CLASS_SHADERS("linalg/qr"), matrices);
  call.operands = {&matrices, &reflectors};
  QrArguments arguments = arguments_on<QrArguments>(matrices);
  arguments.reflectors = word(reflectors.shape[1]);
  const std::int64_t rows = matrices.shape[1];
  const auto groups = [&](std::int64_t step) { return groups_for(matrices.shape[2] - step - 1); };
  // Four passes over the rows: two find the reflector, two apply it to a column.
  const std::uint32_t at_once = rows_at_once(work.name, rows, 4);
  QrConstants constants;
  constants.kUnroll = at_once;
  add_constants(call, constants);
  const auto iterations = [&](std::int64_t step) {
    return 2 * iterations_along(rows - step, at_once) + groups(step) * (2 * iterations_along(rows - step, at_once) + 1);
  };
  for (const StepRange& range : ranges_of_steps(reflectors.shape[1], iterations)) {
    arguments.first_step = word(range.first);
    arguments.steps = word(range.count);
    // One work group a matrix needs no kernel between the steps. A step that is too long for it is distributed
    // over several.
    call.groups = iterations(range.first) > kMaxIterations ? groups(range.first) : 1;
    append(work.kernels, matrix_kernels(call, arguments));
  }
}

void generate_q(const Work& work, const Tensor& matrices, const Tensor& reflectors, const Tensor& q) {
  MatrixCall call = call_on(work.name, ACLVK_CLASS_SHADERS("linalg/qr_q"), matrices);
  QrQArguments arguments = arguments_on<QrQArguments>(matrices);
  arguments.q_columns = word(q.shape[2]);
  // Columns of Q are independent: each starts as a column of the identity.
  call.threads = q.shape[2];
  call.operands = {&matrices, &reflectors, &q};
  const std::int64_t rows = matrices.shape[1];
  const std::int64_t steps = reflectors.shape[1];
  // A pass that makes the column of the identity, and two for a reflector.
  const std::uint32_t at_once = rows_at_once(work.name, rows, 3);
  QrQConstants constants;
  constants.kUnroll = at_once;
  add_constants(call, constants);
  const auto iterations = [&](std::int64_t done) {
    return 2 * iterations_along(rows - steps + done, at_once) + (done == 0 ? iterations_along(rows, at_once) : 0);
  };
  for (const StepRange& range : ranges_of_steps(std::max<std::int64_t>(steps, 1), iterations)) {
    arguments.first_step = word(range.first);
    arguments.steps = word(std::min(range.count, steps));
    append(work.kernels, matrix_kernels(call, arguments));
  }
}

std::shared_ptr<Executor> plan_qr(const char* name, QrMode mode, const InputArg& self_handle, const OutputArg& q_handle,
                                  const OutputArg& r_handle) {
  TensorParameters tensors;
  const auto self = tensors.input(self_handle);
  const auto q = tensors.output(q_handle);
  const auto r = tensors.output(r_handle);
  tensors.check_dtypes(dtypes_of(name));
  check_castable(tensors[self].dtype, tensors[q].dtype, "the result", "Q");
  check_castable(tensors[self].dtype, tensors[r].dtype, "the result", "R");
  tensors.check_views();
  check_matrices(tensors, self);
  check(mode >= QrMode::kReduced && mode <= QrMode::kOnlyR, Code::kNnInvalid,
        "mode is {}; expected 0 (reduced), 1 (complete) or 2 (only R).", static_cast<std::int64_t>(mode));
  const Sizes sizes = sizes_of(tensors[self], mode);
  if (mode != QrMode::kOnlyR) {
    tensors.check_shape(q, shape_of(tensors[self], sizes.rows, sizes.shared), "the result has shape");
  }
  tensors.check_shape(r, shape_of(tensors[self], sizes.shared, sizes.columns), "the result has shape");
  return staged_executor(
      name, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        const Work work{name, execution, staging, kernels};
        const DType dtype = computed_in(bound[self]->dtype);
        if (use_blocked_qr(sizes.rows, sizes.columns, dtype) && !bound[self]->empty()) {
          put_blocked(work, make_qr(work, *bound[self], dtype), mode, sizes, *bound[q], *bound[r]);
          return kernels;
        }
        Decomposition decomposition(work, *bound[self], sizes);
        if (mode != QrMode::kOnlyR) decomposition.put_q(*bound[q]);
        decomposition.put_r(*bound[r]);
        return kernels;
      });
}

}  // namespace aclvk::ops
