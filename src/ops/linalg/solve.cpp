
#include "base/error.hpp"
#include "linalg/lu.args.h"
#include "ops/args/linalg.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/linalg/lu.hpp"
#include "ops/linalg/substitute.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(PermutationArguments, PERMUTATION_ARGUMENTS);

Shape matrices_shape(Shape batch, std::int64_t rows, std::int64_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

}  // namespace

/// aclnnTriangularSolve: xOut = A^-1 self, where A is the upper or lower triangle of `a`, or its transpose; mOut is a
/// copy of `a`. The dims before the last two broadcast.
std::shared_ptr<Executor> plan(const TriangularSolveArgs& args) {
  const bool upper = args.upper;
  const bool transpose = args.transpose;
  const bool unitriangular = args.unitriangular;
  constexpr const char* kName = "aclnnTriangularSolve";
  TensorParameters tensors;
  const auto self = tensors.input(args.self);
  const auto a = tensors.input(args.A);
  const auto x = tensors.output(args.xOut);
  const auto m = tensors.output(args.mOut);
  tensors.check_dtypes(dtypes_of(kName));
  check_same_dtype(tensors[a], "A", tensors[self], "self");
  check_castable(tensors[self].dtype, tensors[x].dtype, "the result", "xOut");
  check_castable(tensors[self].dtype, tensors[m].dtype, "A", "mOut");
  tensors.check_views();
  check_matrices(tensors, self);
  check_squares(tensors, a);
  const std::int64_t rows = rows_of(tensors[a]);
  const std::int64_t width = columns_of(tensors[self]);
  check(rows_of(tensors[self]) == rows, Code::kNnInvalid,
        "self has shape {} and A has shape {}; the same number of rows is expected.", tensors[self].shape,
        tensors[a].shape);
  const auto batch = broadcast(batch_of(tensors[self]), batch_of(tensors[a]));
  check(batch.has_value(), Code::kNnInvalid,
        "self has shape {} and A has shape {}; the dimensions before the last two do not broadcast.",
        tensors[self].shape, tensors[a].shape);
  const Shape x_shape = matrices_shape(*batch, rows, width);
  const Shape m_shape = matrices_shape(*batch, rows, rows);
  tensors.check_shape(x, x_shape, "self and A broadcast to");
  tensors.check_shape(m, m_shape, "self and A broadcast to");
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        for (const auto operand : {self, a}) {
          check_disjoint(*bound[x], "xOut", *bound[operand], tensors.name(operand));
          check_disjoint(*bound[m], "mOut", *bound[operand], tensors.name(operand));
        }
        check_disjoint(*bound[x], "xOut", *bound[m], "mOut");
        Kernels kernels;
        const DType dtype = bound[self]->dtype;
        const Tensor given = expanded(*bound[a], m_shape);
        const std::int64_t row_alignment = row_alignment_for(rows, dtype);
        const Tensor factor =
            copy_matrices(kName, staging, transpose ? with_swapped_dims(given) : given, dtype, kernels, row_alignment);
        const Tensor solution =
            copy_matrices(kName, staging, expanded(*bound[self], x_shape), dtype, kernels, row_alignment);
        // The transpose of an upper triangle is a lower one.
        substitute({kName, execution, staging, kernels}, factor, {upper != transpose, unitriangular}, solution);
        put_matrices(kName, *bound[x], solution, kernels);
        if (!bound[m]->empty()) append(kernels, copy_kernels(kName, *bound[m], *bound[a]));
        return kernels;
      });
}

/// aclnnInverse: the inverse of each matrix, through LU. A singular matrix gives infinities and NaN.
std::shared_ptr<Executor> plan(const InverseArgs& args) {
  constexpr const char* kName = "aclnnInverse";
  TensorParameters tensors;
  const SquareParameters at = add_squares(tensors, kName, args.self, args.out);
  tensors.check_shape(at.out, tensors[at.self].shape, "self has shape");
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        if (bound[at.self]->empty()) return kernels;
        const DType dtype = computed_in(bound[at.self]->dtype);
        const Work work{kName, execution, staging, kernels};
        const Lu lu = make_lu(work, *bound[at.self], dtype);
        const std::int64_t rows = lu.factors.shape[1];
        const Tensor inverse =
            make_matrices(staging, lu.factors.shape[0], rows, rows, dtype, row_alignment_for(rows, dtype));
        MatrixCall permutation{kName, ACLVK_CLASS_SHADERS("linalg/permutation"), dtype, inverse.shape[0]};
        permutation.threads = rows;
        permutation.operands = {&lu.pivots, &inverse};
        PermutationArguments arguments;
        arguments.rows = word(rows);
        arguments.pitch = word(pitch_of(inverse));
        // A^-1 = U^-1 L^-1 P: starts from P and solves both triangles in place.
        append(kernels, matrix_kernels(permutation, arguments));
        substitute(work, lu.factors, {false, true}, inverse);
        substitute(work, lu.factors, {true, false}, inverse);
        put_matrices(kName, *bound[at.out], inverse, kernels);
        return kernels;
      });
}

}  // namespace aclvk::ops
