#include "ops/linalg/qr_blocks.hpp"

#include <algorithm>

#include "linalg/extend_identity.args.h"
#include "linalg/matrices.args.h"
#include "linalg/qr.args.h"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(ExtendIdentityArguments, EXTEND_IDENTITY_ARGUMENTS);
ARGUMENT_STRUCT(QrPanelArguments, QR_PANEL_ARGUMENTS);
ARGUMENT_STRUCT(QrScaleArguments, QR_SCALE_ARGUMENTS);
CONSTANT_STRUCT(MatricesConstants, MATRICES_CONSTANTS);
CONSTANT_STRUCT(QrScaleConstants, QR_SCALE_CONSTANTS);

constexpr std::int64_t kMinThreads = 8;    // of the work group that decomposes a panel
constexpr std::int64_t kMaxThreads = 128;  // as in shaders/linalg/qr_panel.comp

/// A panel kernel makes one pass over the rows for each column, one before and one after them. With few threads a pass
/// has many iterations (a kernel has a limit for their sum), so tall matrices get kMaxThreads, which suffice for all
/// rows that scale() accepts.
std::int64_t threads_of_panel(runtime::Execution execution, std::int64_t rows) {
  // 18 passes of the fewest threads, eight, over 16384 rows take 36,864 iterations.
  constexpr std::int64_t kFewRows = 16384;
  return execution.is_cpu_device && rows <= kFewRows
             ? std::clamp<std::int64_t>(execution.subgroup_size, kMinThreads, kMaxThreads)
             : kMaxThreads;
}

MatrixCall call_on(const Work& work, const ClassShaders& shaders, const Tensor& matrices) {
  return {work.name, shaders, matrices.dtype, matrices.shape[0]};
}

class Panels {
 public:
  Panels(const Work& work, const BlockedQr& qr, std::int64_t columns)
      : work_(work), qr_(qr), rows_(qr.vectors.shape[1]), products_(make(columns)), by_triangle_(make(columns)) {}

  void decompose(std::int64_t first) {
    MatrixCall call = call_on(work_, ACLVK_CLASS_SHADERS("linalg/qr_panel"), qr_.r);
    QrPanelArguments arguments;
    arguments.rows = word(qr_.r.shape[1]);
    arguments.columns = word(qr_.r.shape[2]);
    arguments.pitch = word(qr_.r.shape[2]);
    arguments.v_pitch = word(qr_.vectors.shape[2]);
    arguments.first_column = word(first);
    call.operands = {&qr_.r, &qr_.vectors, &qr_.triangles};
    MatricesConstants constants;
    constants.local_size = static_cast<uint>(threads_of_panel(work_.execution, rows_));
    add_constants(call, constants);
    append(work_.kernels, matrix_kernels(call, arguments));
  }
  /// Multiplies columns `first_column` to `first_column + columns` from the left by I - V T V^T of the panel that
  /// begins at column `first`, or by its transpose.
  void reflect(std::int64_t first, bool transposed, const Tensor& matrices, std::int64_t first_column,
               std::int64_t columns) {
    const std::int64_t below = rows_ - first;
    const Tensor target = submatrix(matrices, first, below, first_column, columns);
    const Tensor vectors = submatrix(qr_.vectors, first, below, first, kPanelWidth);
    const Tensor triangle = submatrix(qr_.triangles, first, kPanelWidth, 0, kPanelWidth);
    const Tensor products = submatrix(products_, 0, kPanelWidth, 0, columns);
    const Tensor by = submatrix(by_triangle_, 0, kPanelWidth, 0, columns);
    // (I - V T V^T) A = A - V (T (V^T A)): three products of matrices.
    make_product(work_, products, with_swapped_dims(vectors), target);
    make_product(work_, by, transposed ? with_swapped_dims(triangle) : triangle, products);
    subtract_product(work_, target, vectors, by);
  }

 private:
  Tensor make(std::int64_t columns) const {
    return make_matrices(work_.staging, qr_.r.shape[0], kPanelWidth, columns, qr_.r.dtype);
  }

  const Work& work_;
  const BlockedQr& qr_;
  std::int64_t rows_;
  Tensor products_;
  Tensor by_triangle_;
};

void scale(const Work& work, const Tensor& r, const Tensor& scales, const Tensor& given, bool back) {
  MatrixCall call = call_on(work, ACLVK_CLASS_SHADERS("linalg/qr_scale"), r);
  QrScaleArguments arguments;
  arguments.rows = word(r.shape[1]);
  arguments.given_columns = word(columns_of(given));
  arguments.given_rows = word(rows_of(given));
  arguments.pitch = word(r.shape[2]);
  call.threads = r.shape[2];
  call.operands = {&r, &scales};
  constexpr std::int64_t kPasses = 4;
  QrScaleConstants constants;
  constants.kBack = back;
  constants.kUnroll = rows_at_once(work.name, r.shape[1], kPasses);
  add_constants(call, constants);
  append(work.kernels, matrix_kernels(call, arguments));
}

}  // namespace

bool use_blocked_qr(std::int64_t rows, std::int64_t columns, DType dtype) {
  return use_blocked(std::min(rows, columns), dtype);
}

BlockedQr make_qr(const Work& work, const Tensor& matrices, DType dtype) {
  const std::int64_t count = matrix_count(batch_of(matrices));
  const std::int64_t rows = padded_size(rows_of(matrices));
  const std::int64_t columns = padded_size(columns_of(matrices));
  const std::int64_t steps = std::min(rows, columns);
  const BlockedQr qr{make_matrices(work.staging, count, rows, columns, dtype),
                     make_matrices(work.staging, count, rows, steps, dtype),
                     make_matrices(work.staging, count, steps, kPanelWidth, dtype)};
  const Tensor scales = make_matrices(work.staging, count, 1, columns, dtype);
  const Tensor unpadded = submatrix(qr.r, 0, rows_of(matrices), 0, columns_of(matrices));
  append(work.kernels, copy_kernels(work.name, *reshaped(unpadded, matrices.shape), matrices));
  // Scaling columns does not change Q; R's columns are scaled back at the end.
  scale(work, qr.r, scales, matrices, false);
  Panels panels(work, qr, columns);
  for (std::int64_t first = 0; first < steps; first += kPanelWidth) {
    const std::int64_t next = first + kPanelWidth;
    panels.decompose(first);
    if (next < columns) panels.reflect(first, true, qr.r, next, columns - next);
  }
  scale(work, qr.r, scales, matrices, true);
  return qr;
}

void multiply_by_q(const Work& work, const BlockedQr& qr, const Tensor& matrices, Multiplicand multiplicand) {
  const std::int64_t columns = matrices.shape[2];
  Panels panels(work, qr, columns);
  // Q is the product of the panels' reflectors in order, so the last one is applied first.
  for (std::int64_t first = qr.vectors.shape[2] - kPanelWidth; first >= 0; first -= kPanelWidth) {
    const std::int64_t first_column = multiplicand == Multiplicand::kIdentity ? first : 0;
    panels.reflect(first, false, matrices, first_column, columns - first_column);
  }
}

Tensor make_q(const Work& work, const BlockedQr& qr, std::int64_t columns) {
  const Tensor q = make_matrices(work.staging, qr.r.shape[0], qr.vectors.shape[1], padded_size(columns), qr.r.dtype);
  MatrixCall call = call_on(work, ACLVK_CLASS_SHADERS("linalg/extend_identity"), q);
  call.threads = q.shape[1] * q.shape[2];
  call.operands = {&qr.triangles, &q};
  ExtendIdentityArguments arguments;  // core_size is 0: the first operand is never read
  arguments.rows = word(q.shape[1]);
  arguments.columns = word(q.shape[2]);
  append(work.kernels, matrix_kernels(call, arguments));
  multiply_by_q(work, qr, q, Multiplicand::kIdentity);
  return q;
}

}  // namespace aclvk::ops
