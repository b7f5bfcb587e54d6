#include "ops/linalg/svd_blocks.hpp"

#include <algorithm>
#include <utility>

#include "ops/elementwise/copy.hpp"
#include "ops/linalg/qr.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kLeastBlocked = 65;   // columns; fewer are one kernel with several rounds
constexpr std::int64_t kMostBlocked = 8192;  // columns; what is rotated takes less than 2 GiB
constexpr std::int64_t kBlock = 16;          // columns, as in shaders/linalg/svd_pairs.glsl
constexpr std::int64_t kPair = 2 * kBlock;
constexpr std::int64_t kEight = 8;
constexpr std::int64_t kLooks = 3;  // of a thread along the rows and the columns

std::int64_t times(std::int64_t size, std::int64_t of) { return (size + of - 1) / of; }

/// Threads of a group that makes a pair: few where they take turns, and never more than share their memory.
std::int64_t threads_for(runtime::Execution execution) {
  return execution.takes_turns ? std::clamp<std::int64_t>(execution.together, kEight, kBlock) : kBlock;
}

}  // namespace

bool svd_takes_blocks(const SvdSizes& sizes, DType dtype) {
  const bool real = dtype == DType::kFloat || dtype == DType::kDouble;
  return real && sizes.columns >= kLeastBlocked && sizes.columns <= kMostBlocked;
}

BlockedValues::BlockedValues(const Work& work, const Tensor& input, SvdSizes sizes, bool with_vectors)
    : work_(work), sizes_(sizes), with_vectors_(with_vectors), dtype_(input.dtype) {
  count_ = matrix_count(batch_of(input));
  const std::int64_t blocks = times(sizes.columns, kBlock);
  pairs_ = times(blocks, 2);
  flags_of_matrix_ = kSvdSweeps + 1 + pairs_;
  line_ = times(sizes.columns, kEight) * kEight;
  matrices_ =
      copy_matrices(work.name, work.staging, sizes.turned ? with_swapped_dims(input) : input, dtype_, work.kernels);
  reflections_ = make(sizes.columns, 3);
  lines_ = make(blocks * kBlock, with_vectors ? 2 * line_ : line_);
  rotations_ = make(pairs_ * kPair, kPair);
  flags_ = make(1, flags_of_matrix_);
  values_ = make(3, blocks * kBlock);
  product_ = with_vectors ? make(sizes.columns, sizes.columns) : values_;
  v_ = with_vectors ? make(sizes.columns, sizes.columns) : values_;
  take_step(Step::kMeasure, sizes.columns);
  take_step(Step::kDivide, sizes.columns);
  reflect(work, matrices_, reflections_);
  take_step(Step::kSpread, lines_.shape[1] * lines_.shape[2]);
  for (std::int64_t sweep = 0; sweep < kSvdSweeps; ++sweep) {
    for (std::int64_t round = 0; round < 2 * pairs_ - 1; ++round) rotate(sweep, round);
  }
  take_step(Step::kSum, lines_.shape[1]);
  take_step(Step::kSort, lines_.shape[1]);
}

void BlockedValues::put_values(const Tensor& to) {
  const Tensor sorted = sliced(sliced(values_, 1, 0, 1), 2, 0, sizes_.columns);
  if (!to.empty()) append(work_.kernels, copy_kernels(work_.name, to, *reshaped(sorted, to.shape)));
}

/// A = Q R and R^T V = Q' diag(values) with columns of V whose signs are right: A = Q V diag(values) Q'^T.
void BlockedValues::put_vectors(const Tensor& u, const Tensor& v) {
  const Tensor factors = make(sizes_.columns, 3);
  const Tensor right = make(sizes_.columns, sizes_.columns);
  reflect(work_, product_, factors);
  gather_reflections(work_, product_, factors, right);
  put_signs(right, factors, true);
  const Tensor left = make(sizes_.rows, sizes_.u_columns);
  MatrixCall begin = call_of(ACLVK_CLASS_SHADERS("linalg/svd_beside"), {&v_, &left});
  begin.width = sizes_.u_columns;
  begin.threads = sizes_.rows * sizes_.u_columns;
  append(work_.kernels, matrix_kernels(begin));
  gather_reflections(work_, matrices_, reflections_, left, Times::kGiven);
  put_signs(left, factors, false);
  put_matrices(work_.name, sizes_.turned ? v : u, left, work_.kernels);
  put_matrices(work_.name, sizes_.turned ? u : v, right, work_.kernels);
}

Tensor BlockedValues::make(std::int64_t rows, std::int64_t columns) const {
  return make_matrices(work_.staging, count_, rows, columns, dtype_);
}

MatrixCall BlockedValues::call_of(const ClassShaders& shaders, std::vector<const Tensor*> operands) const {
  MatrixCall call{work_.name, shaders, dtype_, count_};
  call.rows = sizes_.rows;
  call.columns = sizes_.columns;
  call.operands = std::move(operands);
  return call;
}

void BlockedValues::take_step(Step step, std::int64_t threads) {
  MatrixCall call = call_of(ACLVK_CLASS_SHADERS("linalg/svd_rows"),
                            {&matrices_, &reflections_, &lines_, &product_, &v_, &values_, &flags_});
  call.width = flags_of_matrix_;
  call.from = lines_.shape[1];
  call.pitch = lines_.shape[2];
  call.threads = threads;
  call.constants = {static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(with_vectors_),
                    rows_at_once(work_.name, sizes_.rows, kLooks)};
  append(work_.kernels, matrix_kernels(call));
}

void BlockedValues::rotate(std::int64_t sweep, std::int64_t round) {
  const std::int64_t threads = threads_for(work_.execution);
  const std::int64_t lanes = std::min<std::int64_t>({threads, work_.execution.together, kEight});
  MatrixCall find = call_of(ACLVK_CLASS_SHADERS("linalg/svd_gram"), {&lines_, &rotations_, &flags_});
  find.rows = lines_.shape[1];
  find.columns = line_;
  find.width = sweep;
  find.first = round;
  find.pitch = lines_.shape[2];
  find.groups = pairs_;
  find.constants = {static_cast<std::uint32_t>(threads), static_cast<std::uint32_t>(lanes),
                    static_cast<std::uint32_t>(flags_of_matrix_), static_cast<std::uint32_t>(kPair / threads)};
  append(work_.kernels, matrix_kernels(find));
  MatrixCall turn = find;
  turn.shaders = ACLVK_CLASS_SHADERS("linalg/svd_turn");
  turn.steps = pairs_;
  turn.groups = pairs_ * times(times(find.pitch, kEight), threads);
  turn.constants = {find.constants[0], find.constants[1], find.constants[2]};
  append(work_.kernels, matrix_kernels(turn));
}

void BlockedValues::put_signs(const Tensor& q, const Tensor& reflections, bool signs) {
  MatrixCall call = call_of(ACLVK_CLASS_SHADERS("linalg/svd_signs"), {&q, &reflections, &v_, &values_});
  call.rows = q.shape[1];
  call.width = q.shape[2];
  call.pitch = values_.shape[2];
  call.threads = call.rows * call.width;
  call.constants = {static_cast<std::uint32_t>(signs)};
  append(work_.kernels, matrix_kernels(call));
}

}  // namespace aclvk::ops
