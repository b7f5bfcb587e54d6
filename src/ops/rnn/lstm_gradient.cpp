#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/loss/reduced.hpp"
#include "ops/matmul/deep.hpp"
#include "ops/rnn/lstm_sequence.hpp"
#include "ops/rnn/lstm_step.hpp"
#include "ops/rnn/packed.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kGates = 4;
constexpr std::int64_t kKeptParts = 5;

/// The kernels of all lanes, from the last layer to the first, each from its last step to its first.
class Backward {
 public:
  Backward(const Lstm& lstm, const LstmGradient& gradient, Staging& staging, runtime::Execution execution)
      : lstm_(lstm), gradient_(gradient), staging_(staging), execution_(execution), of_(lstm.sizes) {}

  Kernels kernels() {
    if (of_.is_packed()) rows_ = packed_rows(lstm_.name, *lstm_.batch_sizes, of_.batch, of_.packed, staging_, kernels_);
    make_room();
    Tensor dy = given();
    for (std::int64_t layer = of_.layers - 1; layer >= 0; --layer) {
      const Tensor x = input_of(layer);
      const bool wanted = layer > 0 || gradient_.input;
      const Tensor dx = make({wanted ? of_.steps : 0, of_.batch, of_.width_of(layer)});
      for (std::int64_t direction = 0; direction < of_.directions; ++direction) run_lane(layer, direction, x, dy, dx);
      dy = dx;
    }
    if (gradient_.input) append(kernels_, from_steps(lstm_, dy, rows(), *gradient_.input));
    return std::move(kernels_);
  }

 private:
  const Tensor* rows() const { return rows_ ? &*rows_ : nullptr; }
  Tensor make(const Shape& shape) { return staging_.make(shape, DType::kFloat); }
  void copy(const Tensor& out, const Tensor& input) { append(kernels_, copy_kernels(lstm_.name, out, input)); }
  void clear(const Tensor& out) { append(kernels_, fill_kernels(lstm_.name, out, {})); }
  Tensor h_of(const Tensor& states) const { return sliced(states, 1, 0, of_.size); }
  Tensor c_of(const Tensor& states) const { return sliced(states, 1, of_.size, of_.size); }
  Tensor rows_of(const Tensor& by_steps) { return all_rows(lstm_, by_steps, staging_, kernels_); }

  void make_room() {
    sums_ = make({of_.steps, of_.batch, kGates * of_.size});
    kept_ = make({of_.steps, of_.batch, kKeptParts * of_.size});
    h_ = make({of_.steps + 1, of_.batch, of_.size});
    c_ = make({of_.steps + 1, of_.batch, of_.size});
    for (Tensor& states : states_) states = make({of_.batch, 2 * of_.size});
    bias_ = make({kGates * of_.size});
  }

  /// The gradient of the result, in floats.
  Tensor given() {
    const Tensor dy = make({of_.steps, of_.batch, of_.directions * of_.size});
    if (!gradient_.output) {
      clear(dy);
      return dy;
    }
    if (rows_) return by_steps(lstm_, *gradient_.output, rows(), staging_, kernels_);
    copy(dy, by_steps(lstm_, *gradient_.output, nullptr, staging_, kernels_));
    return dy;
  }

  /// What a layer has read, row by row. Where sequences are packed its rows behind their ends are 0.
  Tensor input_of(std::int64_t layer) {
    if (layer == 0) return rows_of(by_steps(lstm_, lstm_.input, rows(), staging_, kernels_));
    const std::int64_t first = (layer - 1) * of_.directions;
    const auto result_of = [&](std::int64_t direction) {
      return gradient_.kept[static_cast<std::size_t>(first + direction)][kKeptH];
    };
    if (of_.directions == 1 && !rows_) return rows_of(result_of(0));
    const Tensor x = make({of_.steps, of_.batch, of_.width_of(layer)});
    for (std::int64_t direction = 0; direction < of_.directions; ++direction) {
      copy(sliced(x, 2, direction * of_.size, of_.size), result_of(direction));
    }
    if (rows_) {
      const Tensor zeros = make({1, of_.width_of(layer)});
      clear(zeros);
      append(kernels_, end_kernels(lstm_.name, *rows_, expanded(zeros, {of_.batch, of_.width_of(layer)}), x));
    }
    return rows_of(x);
  }

  /// The states that steps of a lane began with: `all` gets them, and where they are is the result. Behind the end of a
  /// sequence that is the state before the first step of a lane that is reversed.
  Tensor states_before(const Tensor& all, const Tensor& first, const Tensor& later, bool reversed) {
    copy(selected(all, 0, reversed ? of_.steps : 0), first);
    const Tensor others = sliced(all, 0, reversed ? 0 : 1, of_.steps);
    copy(others, later);
    if (rows_) {
      append(kernels_, end_kernels(lstm_.name, *rows_, selected(all, 0, reversed ? of_.steps : 0), others));
    }
    return sliced(all, 0, reversed ? 1 : 0, of_.steps);
  }

  void run_lane(std::int64_t layer, std::int64_t direction, const Tensor& x, const Tensor& dy, const Tensor& dx) {
    const std::int64_t lane = layer * of_.directions + direction;
    const auto number = static_cast<std::size_t>(lane);
    const bool reversed = direction == 1;
    const auto& kept = gradient_.kept[number];
    for (std::size_t part = kKeptI; part <= kKeptTanh; ++part) {
      copy(sliced(kept_, 2, static_cast<std::int64_t>(part) * of_.size, of_.size), kept[part]);
    }
    const Tensor h = states_before(h_, selected(lstm_.h, 0, lane), kept[kKeptH], reversed);
    const Tensor c = states_before(c_, selected(lstm_.c, 0, lane), kept[kKeptC], reversed);
    begin(lane);
    const Tensor dy_lane = sliced(dy, 2, direction * of_.size, of_.size);
    const LstmWeights& weights = lstm_.weights[number];
    for (std::int64_t i = 0; i < of_.steps; ++i) {
      run_step(reversed ? i : of_.steps - 1 - i, i, c, dy_lane, weights[1]);
    }
    const Tensor& last = states_[static_cast<std::size_t>(of_.steps % 2)];
    if (gradient_.h_before) copy(selected(*gradient_.h_before, 0, lane), h_of(last));
    if (gradient_.c_before) copy(selected(*gradient_.c_before, 0, lane), c_of(last));
    if (layer > 0 || gradient_.input) run_input(weights[0], dx, direction > 0);
    if (!gradient_.weights.empty()) run_weights(gradient_.weights[number], x, rows_of(h));
  }

  /// The gradients of the states behind the last step.
  void begin(std::int64_t lane) {
    for (const bool of_h : {true, false}) {
      const Tensor half = of_h ? h_of(states_[0]) : c_of(states_[0]);
      const Tensor* given = of_h ? gradient_.h : gradient_.c;
      if (given) {
        copy(half, selected(*given, 0, lane));
      } else {
        clear(half);
      }
    }
  }

  /// The states of the batch are in two places that take turns.
  void run_step(std::int64_t step, std::int64_t turn, const Tensor& c, const Tensor& dy, const Tensor& weight) {
    const Tensor& after = states_[static_cast<std::size_t>(turn % 2)];
    const Tensor& before = states_[static_cast<std::size_t>((turn + 1) % 2)];
    const std::optional<Tensor> rows = rows_ ? std::optional(selected(*rows_, 0, step)) : std::nullopt;
    const Tensor sums = selected(sums_, 0, step);
    append(kernels_,
           {lstm_step_gradient_kernel({lstm_.name, selected(kept_, 0, step), selected(c, 0, step),
                                       selected(dy, 0, step), after, rows ? &*rows : nullptr, sums, before})});
    Gemm product{lstm_.name, sums, weight, std::nullopt, h_of(before)};
    if (rows_) product.summand = product.out;
    append(kernels_, gemm_kernels(product, staging_, execution_));
  }

  /// The weights have a part in the sums of all steps.
  void run_weights(const LstmWeights& out, const Tensor& x, const Tensor& h) {
    const Tensor sums = rows_of(sums_);
    for (std::size_t i = 0; i < 2; ++i) {
      append(kernels_, product_kernels({lstm_.name, with_swapped_dims(sums), i == 0 ? x : h, std::nullopt, out[i]},
                                       staging_, execution_));
    }
    if (out.size() == 2) return;
    append(kernels_, folded_kernels(lstm_.name, ReduceKind::kSum, DType::kFloat, sums, 1, bias_, staging_));
    for (std::size_t i = 2; i < out.size(); ++i) copy(out[i], bias_);
  }

  /// Both directions read the same.
  void run_input(const Tensor& weight, const Tensor& dx, bool adds) {
    Gemm product{lstm_.name, rows_of(sums_), weight, std::nullopt, rows_of(dx)};
    if (adds) product.summand = product.out;
    append(kernels_, product_kernels(product, staging_, execution_));
  }

  const Lstm& lstm_;
  const LstmGradient& gradient_;
  Staging& staging_;
  const runtime::Execution execution_;
  const LstmSizes& of_;
  Kernels kernels_;
  std::optional<Tensor> rows_;
  Tensor sums_;  // gradients of the gates' sums
  Tensor kept_;
  Tensor h_;
  Tensor c_;
  std::array<Tensor, 2> states_;
  Tensor bias_;
};

}  // namespace

Kernels lstm_gradient_kernels(const Lstm& lstm, const LstmGradient& gradient, Staging& staging,
                              runtime::Execution execution) {
  check_steps(lstm.sizes);
  return Backward(lstm, gradient, staging, execution).kernels();
}

}  // namespace aclvk::ops
