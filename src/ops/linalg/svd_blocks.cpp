#include "ops/linalg/svd_blocks.hpp"

#include <algorithm>
#include <utility>

#include "ops/elementwise/copy.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kLeastBlocked = 65;   // columns; fewer are one kernel with several rounds
constexpr std::int64_t kMostBlocked = 8192;  // columns; what is rotated takes less than 2 GiB
constexpr std::int64_t kBlock = 16;          // columns, as in shaders/linalg/svd_pairs.glsl
constexpr std::int64_t kPair = 2 * kBlock;
constexpr std::int64_t kVec8 = 8;
/// A second one leaves fewer pairs to turn; more of them cost what they spare.
constexpr std::size_t kDecompositions = 2;
/// Rounds of a sweep that rotate columns of a block with each other, too. A block that has no other in one of them has
/// one in the other.
constexpr std::int64_t kWholeRounds = 2;
constexpr std::int64_t kLooks = 3;  // of a thread along the rows and the columns

std::int64_t times(std::int64_t size, std::int64_t of) { return (size + of - 1) / of; }

/// Threads of a group that makes a pair: few where they take turns, and never more than share their memory.
std::int64_t threads_for(runtime::Execution execution) {
  return execution.takes_turns ? std::clamp<std::int64_t>(execution.together, kVec8, kBlock) : kBlock;
}

}  // namespace

bool svd_takes_blocks(const SvdSizes& sizes, DType dtype) {
  const bool real = dtype == DType::kFloat || dtype == DType::kDouble;
  return real && sizes.columns >= kLeastBlocked && sizes.columns <= kMostBlocked;
}

MatrixCall svd_call(const Work& work, const ClassShaders& shaders, const SvdSizes& sizes,
                    std::vector<const Tensor*> operands) {
  MatrixCall call{work.name, shaders, operands.front()->dtype, operands.front()->shape[0]};
  call.rows = sizes.rows;
  call.columns = sizes.columns;
  call.operands = std::move(operands);
  return call;
}

void put_singular_values(const Work& work, const Tensor& to, const SvdSizes& sizes, const Tensor& values) {
  const Tensor sorted = sliced(sliced(values, 1, 0, 1), 2, 0, sizes.columns);
  if (!to.empty()) append(work.kernels, copy_kernels(work.name, to, *reshaped(sorted, to.shape)));
}

void divide_for_svd(const Work& work, const Tensor& matrices, const Tensor& values) {
  for (const bool measures : {true, false}) {
    MatrixCall call{work.name, ACLVK_CLASS_SHADERS("linalg/svd_divide"), matrices.dtype, matrices.shape[0]};
    call.rows = matrices.shape[1];
    call.columns = matrices.shape[2];
    call.from = values.shape[2];
    call.threads = call.columns;
    call.operands = {&matrices, &values};
    call.constants = {static_cast<std::uint32_t>(measures), rows_at_once(work.name, call.rows, kLooks)};
    append(work.kernels, matrix_kernels(call));
  }
}

BlockedValues::BlockedValues(const Work& work, const Tensor& input, SvdSizes sizes)
    : work_(work), sizes_(sizes), dtype_(input.dtype) {
  count_ = matrix_count(batch_of(input));
  const std::int64_t blocks = times(sizes.columns, kBlock);
  pairs_ = times(blocks, 2);
  flags_of_matrix_ = kSvdSweeps + 1 + pairs_;
  line_ = times(sizes.columns, kVec8) * kVec8;
  const Tensor matrices =
      copy_matrices(work.name, work.staging, sizes.turned ? with_swapped_dims(input) : input, dtype_, work.kernels);
  lines_ = make(blocks * kBlock, 2 * line_);
  rotations_ = make(pairs_ * kPair, kPair);
  flags_ = make(1, flags_of_matrix_);
  values_ = make(3, blocks * kBlock);
  product_ = make(sizes.columns, sizes.columns);
  v_ = make(sizes.columns, sizes.columns);
  divide_for_svd(work, matrices, values_);
  decompositions_.push_back(make_qr(work, matrices, dtype_));
  while (decompositions_.size() < kDecompositions) {
    const Tensor r = part_of(decompositions_.back().r, 0, sizes.columns, 0, sizes.columns);
    decompositions_.push_back(make_qr(work, with_swapped_dims(r), dtype_));
  }
  take_step(Step::kSpread, lines_.shape[1] * lines_.shape[2]);
  for (std::int64_t sweep = 0; sweep < kSvdSweeps; ++sweep) {
    for (std::int64_t round = 0; round < 2 * pairs_ - 1; ++round) rotate(sweep, round);
  }
  take_step(Step::kSum, lines_.shape[1]);
  take_step(Step::kSort, lines_.shape[1]);
}

void BlockedValues::put_values(const Tensor& to) { put_singular_values(work_, to, sizes_, values_); }

/// The last R is V diag(values) Q'^T, where R^T V = Q' diag(values) and columns of V get the right signs. The
/// decompositions before are A = Q1 R1, R1^T = Q2 R2 and so on, whose Q multiply both sides by turns.
void BlockedValues::put_vectors(const Tensor& u, const Tensor& v) {
  const BlockedQr last = make_qr(work_, product_, dtype_);
  const Tensor q = make_q(work_, last, sizes_.columns);
  put_signs(q, last.r, true);
  const bool odd = decompositions_.size() % 2 == 1;
  const Tensor left = extended(odd ? v_ : q, sizes_.rows, sizes_.u_columns);
  const Tensor right = extended(odd ? q : v_, sizes_.columns, sizes_.columns);
  for (std::size_t i = decompositions_.size(); i > 0; --i) {
    multiply_by_q(work_, decompositions_[i - 1], i % 2 == 1 ? left : right, Times::kGiven);
  }
  put_signs(left, last.r, false);
  put_signs(right, last.r, false);
  put_matrices(work_.name, sizes_.turned ? v : u, part_of(left, 0, sizes_.rows, 0, sizes_.u_columns), work_.kernels);
  put_matrices(work_.name, sizes_.turned ? u : v, part_of(right, 0, sizes_.columns, 0, sizes_.columns), work_.kernels);
}

Tensor BlockedValues::extended(const Tensor& core, std::int64_t rows, std::int64_t columns) {
  const Tensor matrices = make(filled(rows), filled(columns));
  MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd_beside"), sizes_, {&core, &matrices});
  call.rows = matrices.shape[1];
  call.width = matrices.shape[2];
  call.steps = core.shape[1];
  call.pitch = core.shape[2];
  call.threads = call.rows * call.width;
  append(work_.kernels, matrix_kernels(call));
  return matrices;
}

Tensor BlockedValues::make(std::int64_t rows, std::int64_t columns) const {
  return make_matrices(work_.staging, count_, rows, columns, dtype_);
}

void BlockedValues::take_step(Step step, std::int64_t threads) {
  const Tensor& r = decompositions_.back().r;
  MatrixCall call =
      svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd_rows"), sizes_, {&r, &lines_, &product_, &v_, &values_, &flags_});
  call.steps = r.shape[1];
  call.width = flags_of_matrix_;
  call.from = lines_.shape[1];
  call.pitch = lines_.shape[2];
  call.threads = threads;
  call.constants = {static_cast<std::uint32_t>(step), rows_at_once(work_.name, sizes_.columns, kLooks),
                    static_cast<std::uint32_t>(r.shape[2])};
  append(work_.kernels, matrix_kernels(call));
}

void BlockedValues::rotate(std::int64_t sweep, std::int64_t round) {
  const std::int64_t threads = threads_for(work_.execution);
  const std::int64_t lanes = std::min<std::int64_t>({threads, work_.execution.together, kVec8});
  MatrixCall find = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd_gram"), sizes_, {&lines_, &rotations_, &flags_});
  find.rows = lines_.shape[1];
  find.columns = line_;
  find.width = sweep;
  find.first = round;
  find.pitch = lines_.shape[2];
  find.groups = pairs_;
  find.constants = {static_cast<std::uint32_t>(threads), static_cast<std::uint32_t>(lanes),
                    static_cast<std::uint32_t>(flags_of_matrix_), static_cast<std::uint32_t>(kPair / threads),
                    static_cast<std::uint32_t>(round >= kWholeRounds)};
  append(work_.kernels, matrix_kernels(find));
  MatrixCall turn = find;
  turn.shaders = ACLVK_CLASS_SHADERS("linalg/svd_turn");
  turn.steps = pairs_;
  turn.groups = pairs_ * times(times(find.pitch, kVec8), threads);
  turn.constants = {find.constants[0], find.constants[1], find.constants[2]};
  append(work_.kernels, matrix_kernels(turn));
}

void BlockedValues::put_signs(const Tensor& q, const Tensor& r, bool signs) {
  MatrixCall call = svd_call(work_, ACLVK_CLASS_SHADERS("linalg/svd_signs"), sizes_, {&q, &r, &v_, &values_});
  call.rows = q.shape[1];
  call.width = q.shape[2];
  call.pitch = values_.shape[2];
  call.threads = call.rows * call.width;
  call.constants = {static_cast<std::uint32_t>(signs), static_cast<std::uint32_t>(r.shape[1] * r.shape[2]),
                    static_cast<std::uint32_t>(r.shape[2] + 1)};
  append(work_.kernels, matrix_kernels(call));
}

}  // namespace aclvk::ops
