#include "ops/create/fill.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/rnn/lstm_sequence.hpp"
#include "ops/rnn/lstm_step.hpp"
#include "ops/rnn/packed.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Backpropagation through time: lanes from the last layer to the first, each from its last step to its first.
class Backward {
 public:
  Backward(const Lstm& lstm, const LstmGradient& gradient, Staging& staging, runtime::Execution execution)
      : lstm_(lstm), gradient_(gradient), staging_(staging), execution_(execution), of_(lstm.sizes) {}

  Kernels kernels() {
    if (of_.is_packed()) rows_ = packed_rows(lstm_.name, *lstm_.batch_sizes, of_.batch, of_.packed, staging_, kernels_);
    allocate();
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

  void allocate() {
    preactivations_ = make({of_.steps, of_.batch, kGates * of_.size});
    saved_ = make({of_.steps, of_.batch, kSavedPerUnit * of_.size});
    h_ = make({of_.steps + 1, of_.batch, of_.size});
    c_ = make({of_.steps + 1, of_.batch, of_.size});
    // Gradients of h and c are side by side in a row, as states are.
    for (Tensor& states : states_) states = make({of_.batch, 2 * of_.size});
    bias_ = make({kGates * of_.size});
  }

  /// Returns the gradient of the output in float, (steps, batch, directions * H).
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

  /// Returns the input of a layer as rows of all steps. In packed sequences rows after the end of a sequence are 0.
  Tensor input_of(std::int64_t layer) {
    if (layer == 0) return rows_of(by_steps(lstm_, lstm_.input, rows(), staging_, kernels_));
    const std::int64_t first = (layer - 1) * of_.directions;
    const auto result_of = [&](std::int64_t direction) {
      return gradient_.saved[static_cast<std::size_t>(first + direction)][kSavedH];
    };
    if (of_.directions == 1 && !rows_) return rows_of(result_of(0));
    const Tensor x = make({of_.steps, of_.batch, of_.width_of(layer)});
    for (std::int64_t direction = 0; direction < of_.directions; ++direction) {
      copy(sliced(x, 2, direction * of_.size, of_.size), result_of(direction));
    }
    if (rows_) {
      const Tensor zeros = make({1, of_.width_of(layer)});
      clear(zeros);
      append(kernels_, fill_ended_kernels(lstm_.name, *rows_, expanded(zeros, {of_.batch, of_.width_of(layer)}), x));
    }
    return rows_of(x);
  }

  /// Writes the states before each step of a lane to `all` and returns the view of them. In packed sequences steps
  /// after the end of a sequence hold the initial state: a reversed lane starts there.
  Tensor states_before(const Tensor& all, const Tensor& first, const Tensor& later, bool reversed) {
    copy(selected(all, 0, reversed ? of_.steps : 0), first);
    // The state before a step is the saved result of the step before in the lane's direction.
    const Tensor others = sliced(all, 0, reversed ? 0 : 1, of_.steps);
    copy(others, later);
    if (rows_) {
      append(kernels_, fill_ended_kernels(lstm_.name, *rows_, selected(all, 0, reversed ? of_.steps : 0), others));
    }
    return sliced(all, 0, reversed ? 1 : 0, of_.steps);
  }

  void run_lane(std::int64_t layer, std::int64_t direction, const Tensor& x, const Tensor& dy, const Tensor& dx) {
    const std::int64_t lane = layer * of_.directions + direction;
    const auto number = static_cast<std::size_t>(lane);
    const bool reversed = direction == 1;
    const auto& saved = gradient_.saved[number];
    for (std::size_t part = kSavedI; part <= kSavedTanh; ++part) {
      // The step kernels read the activations of a unit from one tensor.
      copy(sliced(saved_, 2, static_cast<std::int64_t>(part) * of_.size, of_.size), saved[part]);
    }
    const Tensor h = states_before(h_, selected(lstm_.h, 0, lane), saved[kSavedH], reversed);
    const Tensor c = states_before(c_, selected(lstm_.c, 0, lane), saved[kSavedC], reversed);
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

  /// Initialises the gradients of the final states.
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

  /// One step. The gradients of the states alternate between two buffers.
  void run_step(std::int64_t step, std::int64_t iteration, const Tensor& c, const Tensor& dy, const Tensor& weight) {
    const Tensor& after = states_[static_cast<std::size_t>(iteration % 2)];
    const Tensor& before = states_[static_cast<std::size_t>((iteration + 1) % 2)];
    const std::optional<Tensor> rows = rows_ ? std::optional(selected(*rows_, 0, step)) : std::nullopt;
    const Tensor preactivations = selected(preactivations_, 0, step);
    append(kernels_, {lstm_step_gradient_kernel({lstm_.name, selected(saved_, 0, step), selected(c, 0, step),
                                                 selected(dy, 0, step), after, rows ? &*rows : nullptr, preactivations,
                                                 before})});
    Gemm product{lstm_.name, preactivations, weight, std::nullopt, h_of(before)};
    // Where a sequence has ended, the step kernel has passed on dh, to which the product of zero preactivations
    // adds nothing.
    if (rows_) product.c = product.out;
    append(kernels_, gemm_kernels(product, staging_, execution_));
  }

  /// The gradients of the weights: one product over all steps.
  void run_weights(const LstmWeights& out, const Tensor& x, const Tensor& h) {
    // dW = dgates^T * x, with the rows of all steps as the K of the product.
    const Tensor preactivations = rows_of(preactivations_);
    for (std::size_t i = 0; i < 2; ++i) {
      append(kernels_,
             product_kernels({lstm_.name, with_swapped_dims(preactivations), i == 0 ? x : h, std::nullopt, out[i]},
                             staging_, execution_));
    }
    if (out.size() == 2) return;
    append(kernels_, reduce_kernels(lstm_.name, ReduceKind::kSum, DType::kFloat, preactivations, 1, bias_, staging_));
    // Both biases are added to the same preactivations, so their gradients are equal.
    for (std::size_t i = 2; i < out.size(); ++i) copy(out[i], bias_);
  }

  /// The gradient of the layer's input; the second direction adds to that of the first.
  void run_input(const Tensor& weight, const Tensor& dx, bool adds) {
    Gemm product{lstm_.name, rows_of(preactivations_), weight, std::nullopt, rows_of(dx)};
    if (adds) product.c = product.out;
    append(kernels_, product_kernels(product, staging_, execution_));
  }

  const Lstm& lstm_;
  const LstmGradient& gradient_;
  Staging& staging_;
  const runtime::Execution execution_;
  const LstmSizes& of_;
  Kernels kernels_;
  std::optional<Tensor> rows_;
  Tensor preactivations_;  // gradients of the gates' preactivations
  Tensor saved_;
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
