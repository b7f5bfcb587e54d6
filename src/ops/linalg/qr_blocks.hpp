#pragma once

#include "ops/linalg/substitute.hpp"

namespace aclvk::ops {

/// Whether matrices are decomposed in blocks: real ones with some rows and columns.
bool use_blocked_qr(std::int64_t rows, std::int64_t columns, DType dtype);

/// A = Q R of matrices in the workspace, which are padded_size up with zeros to multiples of kPanelWidth. Q is the
/// product of 1 - V T V^T for each kPanelWidth reflections, by which most of the work is products of matrices.
struct BlockedQr {
  Tensor r;          ///< (count, rows, columns), with zeros below the diagonal
  Tensor vectors;    ///< V of all blocks: (count, rows, reflections)
  Tensor triangles;  ///< their T, one below the other: (count, reflections, kPanelWidth)
};

/// Adds the kernels that make it of matrices, whose dims before the last two are counted.
BlockedQr make_qr(const Work& work, const Tensor& matrices, DType dtype);

/// Adds the kernels that multiply by Q what has as many rows as its vectors, in place and from the left. Of a unit
/// matrix not all columns take part in each step.
enum class Times { kUnitMatrix, kGiven };
void multiply_by_q(const Work& work, const BlockedQr& qr, const Tensor& matrices, Times times);
/// The same for a unit matrix of so many columns, padded_size up.
Tensor make_q(const Work& work, const BlockedQr& qr, std::int64_t columns);

}  // namespace aclvk::ops
