#include "ops/linalg/svd/blocks.hpp"

#include <algorithm>
#include <utility>

#include "linalg/extend_identity.args.h"
#include "linalg/svd/svd.args.h"
#include "ops/kernel/access.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

ARGUMENT_STRUCT(ExtendIdentityArguments, EXTEND_IDENTITY_ARGUMENTS);
ARGUMENT_STRUCT(SvdDivideArguments, SVD_DIVIDE_ARGUMENTS);
ARGUMENT_STRUCT(SvdRowsArguments, SVD_ROWS_ARGUMENTS);
ARGUMENT_STRUCT(SvdGramArguments, SVD_GRAM_ARGUMENTS);
ARGUMENT_STRUCT(SvdApplyArguments, SVD_APPLY_ARGUMENTS);
ARGUMENT_STRUCT(SvdSignsArguments, SVD_SIGNS_ARGUMENTS);

CONSTANT_STRUCT(SvdDivideConstants, SVD_DIVIDE_CONSTANTS);
CONSTANT_STRUCT(SvdRowsConstants, SVD_ROWS_CONSTANTS);
CONSTANT_STRUCT(SvdGramConstants, SVD_GRAM_CONSTANTS);
CONSTANT_STRUCT(SvdApplyConstants, SVD_APPLY_CONSTANTS);
CONSTANT_STRUCT(SvdSignsConstants, SVD_SIGNS_CONSTANTS);

constexpr std::int64_t kMinBlocked = 65;    // columns; smaller matrices take one kernel for several rounds
constexpr std::int64_t kMaxBlocked = 8192;  // columns; operands stay below 2 GiB
constexpr std::int64_t kBlock = 16;         // columns of a block, as in shaders/linalg/svd/pairs.glsl
constexpr std::int64_t kPair = 2 * kBlock;
/// A second QR decomposition saves more rotations than it costs; a third one does not.
constexpr std::size_t kDecompositions = 2;
/// The rounds of a sweep that also rotate the columns of one block with each other. With an odd number of blocks one
/// block sits out each round; it has a partner in the other of these two.
constexpr std::int64_t kWholeRounds = 2;
constexpr std::int64_t kPasses = 3;  // passes of a thread over the rows and columns

std::int64_t ceil_div(std::int64_t size, std::int64_t of) { return (size + of - 1) / of; }

/// Threads of the work group of a pair: few on a CPU, which runs them one after the other, and at most kBlock, for
/// which there is shared memory.
std::int64_t threads_for(runtime::Execution execution) {
  return execution.is_cpu_device ? std::clamp<std::int64_t>(execution.subgroup_size, kVec8, kBlock) : kBlock;
}

}  // namespace

bool use_blocked_svd(const SvdSizes& sizes, DType dtype) {
  const bool real = dtype == DType::kFloat || dtype == DType::kDouble;
  return real && sizes.columns >= kMinBlocked && sizes.columns <= kMaxBlocked;
}

MatrixCall svd_call(const Work& work, const ClassShaders& shaders, std::vector<const Tensor*> operands) {
  MatrixCall call{work.name, shaders, operands.front()->dtype, operands.front()->shape[0]};
  call.operands = std::move(operands);
  return call;
}

void put_singular_values(const Work& work, const Tensor& to, const SvdSizes& sizes, const Tensor& values) {
  const Tensor sorted = sliced(sliced(values, 1, 0, 1), 2, 0, sizes.columns);
  if (!to.empty()) append(work.kernels, copy_kernels(work.name, to, *reshaped(sorted, to.shape)));
}

void divide_for_svd(const Work& work, const Tensor& matrices, const Tensor& values) {
  // The divisor depends on all columns, so finding it and dividing are two kernels.
  for (const bool measures : {true, false}) {
    MatrixCall call{work.name, ACLVK_CLASS_SHADERS("linalg/svd/divide"), matrices.dtype, matrices.shape[0]};
    SvdDivideArguments arguments;
    arguments.rows = word(matrices.shape[1]);
    arguments.columns = word(matrices.shape[2]);
    arguments.values_pitch = word(values.shape[2]);
    call.threads = matrices.shape[2];
    call.operands = {&matrices, &values};
    SvdDivideConstants constants;
    constants.kMeasures = measures;
    constants.kUnroll = rows_at_once(work.name, matrices.shape[1], kPasses);
    add_constants(call, constants);
    append(work.kernels, matrix_kernels(call, arguments));
  }
}

BlockedJacobiSvd::BlockedJacobiSvd(const Work& work, const Tensor& input, SvdSizes sizes)
    : work_(work), sizes_(sizes), dtype_(input.dtype) {
  count_ = matrix_count(batch_of(input));
  const std::int64_t blocks = ceil_div(sizes.columns, kBlock);
  pairs_ = ceil_div(blocks, 2);
  flags_of_matrix_ = kSvdSweeps + 1 + pairs_;
  line_ = ceil_div(sizes.columns, kVec8) * kVec8;
  const Tensor matrices =
      copy_matrices(work.name, work.staging, sizes.transposed ? with_swapped_dims(input) : input, dtype_, work.kernels);
  // A rotation of R^T is one of V, too: with V^T beside it, one product rotates both.
  lines_ = make(blocks * kBlock, 2 * line_);
  rotations_ = make(pairs_ * kPair, kPair);
  flags_ = make(1, flags_of_matrix_);
  values_ = make(3, blocks * kBlock);
  product_ = make(sizes.columns, sizes.columns);
  v_ = make(sizes.columns, sizes.columns);
  divide_for_svd(work, matrices, values_);
  decompositions_.push_back(make_qr(work, matrices, dtype_));
  while (decompositions_.size() < kDecompositions) {
    const Tensor r = submatrix(decompositions_.back().r, 0, sizes.columns, 0, sizes.columns);
    decompositions_.push_back(make_qr(work, with_swapped_dims(r), dtype_));
  }
  take_step(Step::kSpread, lines_.shape[1] * lines_.shape[2]);
  for (std::int64_t sweep = 0; sweep < kSvdSweeps; ++sweep) {
    // After that many rounds each block has been paired with each other one once.
    for (std::int64_t round = 0; round < 2 * pairs_ - 1; ++round) rotate(sweep, round);
  }
  take_step(Step::kSum, lines_.shape[1]);
  take_step(Step::kSort, lines_.shape[1]);
}

void BlockedJacobiSvd::put_values(const Tensor& to) { put_singular_values(work_, to, sizes_, values_); }

/// The last R is R = V diag(values) Q^T, where R^T V = Q diag(values) by one more QR decomposition, and columns of V
/// take the signs of its diagonal. The decompositions before are A = Q1 R1, R1^T = Q2 R2 and so on: odd ones multiply
/// u, even ones v.
void BlockedJacobiSvd::put_vectors(const Tensor& u, const Tensor& v) {
  const BlockedQr last = make_qr(work_, product_, dtype_);
  const Tensor q = make_q(work_, last, sizes_.columns);
  put_signs(q, last.r, true);
  const bool odd = decompositions_.size() % 2 == 1;
  const Tensor left = extended(odd ? v_ : q, sizes_.rows, sizes_.u_columns);
  const Tensor right = extended(odd ? q : v_, sizes_.columns, sizes_.columns);
  for (std::size_t i = decompositions_.size(); i > 0; --i) {
    multiply_by_q(work_, decompositions_[i - 1], i % 2 == 1 ? left : right, Multiplicand::kGeneral);
  }
  put_signs(left, last.r, false);
  put_signs(right, last.r, false);
  put_matrices(work_.name, sizes_.transposed ? v : u, submatrix(left, 0, sizes_.rows, 0, sizes_.u_columns),
               work_.kernels);
  put_matrices(work_.name, sizes_.transposed ? u : v, submatrix(right, 0, sizes_.columns, 0, sizes_.columns),
               work_.kernels);
}

Tensor BlockedJacobiSvd::extended(const Tensor& core, std::int64_t rows, std::int64_t columns) {
  const Tensor matrices = make(padded_size(rows), padded_size(columns));
  MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/extend_identity"), {&core, &matrices});
  call.threads = matrices.shape[1] * matrices.shape[2];
  ExtendIdentityArguments arguments;
  arguments.rows = word(matrices.shape[1]);
  arguments.columns = word(matrices.shape[2]);
  arguments.core_size = word(sizes_.columns);
  arguments.core_rows = word(core.shape[1]);
  arguments.core_pitch = word(core.shape[2]);
  append(work_.kernels, matrix_kernels(call, arguments));
  return matrices;
}

Tensor BlockedJacobiSvd::make(std::int64_t rows, std::int64_t columns) const {
  return make_matrices(work_.staging, count_, rows, columns, dtype_);
}

void BlockedJacobiSvd::take_step(Step step, std::int64_t threads) {
  const Tensor& r = decompositions_.back().r;
  MatrixCall call =
      svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/rows"), {&r, &lines_, &product_, &v_, &values_, &flags_});
  SvdRowsArguments arguments;
  arguments.rows = word(sizes_.rows);
  arguments.columns = word(sizes_.columns);
  arguments.flags = word(flags_of_matrix_);
  arguments.r_rows = word(r.shape[1]);
  arguments.lines = word(lines_.shape[1]);
  arguments.pitch = word(lines_.shape[2]);
  call.threads = threads;
  SvdRowsConstants constants;
  constants.kStep = static_cast<uint>(step);
  constants.kUnroll = rows_at_once(work_.name, sizes_.columns, kPasses);
  constants.kPitch = static_cast<uint>(r.shape[2]);
  add_constants(call, constants);
  append(work_.kernels, matrix_kernels(call, arguments));
}

void BlockedJacobiSvd::rotate(std::int64_t sweep, std::int64_t round) {
  const std::int64_t threads = threads_for(work_.execution);
  const std::int64_t lanes = std::min<std::int64_t>({threads, work_.execution.subgroup_size, kVec8});
  MatrixCall find = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/gram"), {&lines_, &rotations_, &flags_});
  find.groups = pairs_;
  SvdGramArguments arguments;
  arguments.rows = word(lines_.shape[1]);
  arguments.columns = word(line_);
  arguments.sweep = word(sweep);
  arguments.round = word(round);
  arguments.pitch = word(lines_.shape[2]);
  SvdGramConstants constants;
  constants.local_size = static_cast<uint>(threads);
  constants.kLanes = static_cast<uint>(lanes);
  constants.kFlags = static_cast<uint>(flags_of_matrix_);
  constants.kOwn = static_cast<uint>(kPair / threads);
  constants.kAcross = round >= kWholeRounds;
  add_constants(find, constants);
  append(work_.kernels, matrix_kernels(find, arguments));
  MatrixCall apply = find;
  apply.shaders = ACLVK_CLASS_SHADERS("linalg/svd/apply");
  // A thread has eight columns of a pair.
  apply.groups = pairs_ * ceil_div(ceil_div(lines_.shape[2], kVec8), threads);
  SvdApplyArguments apply_arguments;
  apply_arguments.rows = arguments.rows;
  apply_arguments.columns = arguments.columns;
  apply_arguments.sweep = arguments.sweep;
  apply_arguments.round = arguments.round;
  apply_arguments.pairs = word(pairs_);
  apply_arguments.pitch = arguments.pitch;
  SvdApplyConstants apply_constants;
  apply_constants.local_size = constants.local_size;
  apply_constants.kLanes = constants.kLanes;
  apply_constants.kFlags = constants.kFlags;
  set_constants(apply, apply_constants);
  append(work_.kernels, matrix_kernels(apply, apply_arguments));
}

void BlockedJacobiSvd::put_signs(const Tensor& q, const Tensor& r, bool signs) {
  MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd/signs"), {&q, &r, &v_, &values_});
  SvdSignsArguments arguments;
  arguments.q_rows = word(q.shape[1]);
  arguments.v_size = word(sizes_.columns);
  arguments.q_columns = word(q.shape[2]);
  arguments.values_pitch = word(values_.shape[2]);
  call.threads = q.shape[1] * q.shape[2];
  SvdSignsConstants constants;
  constants.kSigns = signs;
  constants.kSize = static_cast<uint>(r.shape[1] * r.shape[2]);
  constants.kStep = static_cast<uint>(r.shape[2] + 1);
  add_constants(call, constants);
  append(work_.kernels, matrix_kernels(call, arguments));
}

}  // namespace aclvk::ops
