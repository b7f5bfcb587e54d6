#pragma once

#include "ops/linalg/substitute.hpp"

namespace aclvk::ops {

/// Returns whether QR uses the blocked algorithm: for real matrices with at least 96 rows and columns.
bool use_blocked_qr(std::int64_t rows, std::int64_t columns, DType dtype);

/// A = Q R by panels of kPanelWidth columns, with Q in compact WY form (Schreiber and Van Loan, 1989): the product of I
/// - V T V^T over the panels, so that updates are products of matrices. The sizes are padded with zeros to multiples of
/// kPanelWidth.
struct BlockedQr {
  Tensor r;          ///< (count, rows, columns), zero below the diagonal
  Tensor vectors;    ///< V of all panels, side by side: (count, rows, reflectors)
  Tensor triangles;  ///< T of all panels, one below the other: (count, reflectors, kPanelWidth)
};

/// Adds the kernels that decompose a copy of `matrices`; all dims before the last two are batch dims.
BlockedQr make_qr(const Work& work, const Tensor& matrices, DType dtype);

/// Adds the kernels of matrices = Q matrices, in place. kIdentity: `matrices` is the identity, so that the product
/// with panel i changes only columns from i * kPanelWidth on.
enum class Multiplicand { kIdentity, kGeneral };
void multiply_by_q(const Work& work, const BlockedQr& qr, const Tensor& matrices, Multiplicand multiplicand);
/// Returns Q, or its leading `columns` columns, padded.
Tensor make_q(const Work& work, const BlockedQr& qr, std::int64_t columns);

}  // namespace aclvk::ops
