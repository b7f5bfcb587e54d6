
#include "linalg/determinant.args.h"
#include "ops/args/linalg.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/linalg/lu.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(DeterminantArguments, DETERMINANT_ARGUMENTS);
CONSTANT_STRUCT(DeterminantConstants, DETERMINANT_CONSTANTS);

struct Determinants {
  Tensor signs;
  Tensor logs;
};

/// `whole`: `logs` are log(det), else log(|det|).
Determinants make_determinants(const Work& work, const Tensor& squares, bool whole) {
  const DType dtype = computed_in(squares.dtype);
  const Lu lu = make_lu(work, squares, dtype);
  const std::int64_t count = lu.factors.shape[0];
  Determinants made{make_matrices(work.staging, count, 1, 1, dtype), make_matrices(work.staging, count, 1, 1, dtype)};
  MatrixCall call{work.name, ACLVK_CLASS_SHADERS("linalg/determinant"), dtype, count};
  DeterminantArguments arguments;
  arguments.rows = word(lu.factors.shape[1]);
  arguments.pitch = word(pitch_of(lu.factors));
  call.threads = 1;
  call.operands = {&lu.factors, &lu.pivots, &made.signs, &made.logs};
  DeterminantConstants constants;
  constants.kWhole = whole ? 1 : 0;
  add_constants(call, constants);
  append(work.kernels, matrix_kernels(call, arguments));
  return made;
}

}  // namespace

/// aclnnLogdet: log(det A) of each matrix, through LU; NaN for a real determinant below 0.
std::shared_ptr<Executor> plan(const LogdetArgs& args) {
  constexpr const char* kName = "aclnnLogdet";
  TensorParameters tensors;
  const SquareParameters at = add_squares(tensors, kName, args.self, args.out);
  tensors.check_shape(at.out, batch_of(tensors[at.self]), "for each matrix of self one number has shape");
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        if (bound[at.out]->empty()) return kernels;
        const Determinants made = make_determinants({kName, execution, staging, kernels}, *bound[at.self], true);
        put_matrices(kName, *bound[at.out], made.logs, kernels);
        return kernels;
      });
}

/// aclnnSlogdet: the sign (phase) of each determinant, and the logarithm of its absolute value.
std::shared_ptr<Executor> plan(const SlogdetArgs& args) {
  constexpr const char* kName = "aclnnSlogdet";
  TensorParameters tensors;
  const auto self = tensors.input(args.self);
  const auto sign = tensors.output(args.signOut);
  const auto log = tensors.output(args.logOut);
  tensors.check_dtypes(dtypes_of(kName));
  check_castable(tensors[self].dtype, tensors[sign].dtype, "the sign", "signOut");
  // log(|det|) of a complex matrix is real.
  check_castable(real_part_of(tensors[self].dtype), tensors[log].dtype, "the logarithm", "logOut");
  tensors.check_views();
  check_squares(tensors, self);
  const Shape batch = batch_of(tensors[self]);
  tensors.check_shape(sign, batch, "for each matrix of self one number has shape");
  tensors.check_shape(log, batch, "for each matrix of self one number has shape");
  return staged_executor(
      kName, tensors,
      [=, execution = runtime::execution()](const TensorParameters::BoundTensors& bound, Staging& staging) {
        Kernels kernels;
        if (bound[sign]->empty()) return kernels;
        const Determinants made = make_determinants({kName, execution, staging, kernels}, *bound[self], false);
        put_matrices(kName, *bound[sign], made.signs, kernels);
        put_matrices(kName, *bound[log], made.logs, kernels);
        return kernels;
      });
}

}  // namespace aclvk::ops
