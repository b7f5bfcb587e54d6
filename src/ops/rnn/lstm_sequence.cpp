#include "ops/rnn/lstm_sequence.hpp"

#include "ops/kernel/copy.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/matmul/products/split_k.hpp"
#include "ops/norm/add.hpp"
#include "ops/rnn/lstm_step.hpp"
#include "ops/rnn/packed.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

/// Builds the kernels of all lanes, layer by layer.
class Forward {
 public:
  Forward(const Lstm& lstm, const LstmResults& results, Staging& staging, runtime::Execution execution)
      : lstm_(lstm), results_(results), staging_(staging), execution_(execution), of_(lstm.sizes) {}

  Kernels kernels() {
    if (of_.is_packed()) rows_ = packed_rows(lstm_.name, *lstm_.batch_sizes, of_.batch, of_.packed, staging_, kernels_);
    allocate();
    Tensor x = by_steps(lstm_, lstm_.input, rows(), staging_, kernels_);
    for (std::int64_t layer = 0; layer < of_.layers; ++layer) {
      const Tensor& y = layers_[static_cast<std::size_t>(layer % 2)];
      const Tensor x_rows = all_rows(lstm_, x, staging_, kernels_);
      for (std::int64_t direction = 0; direction < of_.directions; ++direction) run_lane(layer, direction, x_rows, y);
      x = y;
    }
    append(kernels_, from_steps(lstm_, x, rows(), results_.output));
    return std::move(kernels_);
  }

 private:
  const Tensor* rows() const { return rows_ ? &*rows_ : nullptr; }

  void allocate() {
    const auto make = [&](const Shape& shape) { return staging_.make(shape, DType::kFloat); };
    bias_ = make({kGates * of_.size});
    preactivations_ = make({of_.steps, of_.batch, kGates * of_.size});
    // One entry more than steps: the initial state has its own.
    states_ = make({of_.steps + 1, of_.batch, 2 * of_.size});
    if (!results_.saved.empty()) saved_ = make({of_.steps, of_.batch, kSavedPerUnit * of_.size});
    for (Tensor& layer : layers_) {
      const bool first = &layer == layers_.data();
      layer = first || of_.layers > 1 ? make({of_.steps, of_.batch, of_.directions * of_.size}) : layers_[0];
    }
  }

  void copy(const Tensor& out, const Tensor& input) { append(kernels_, copy_kernels(lstm_.name, out, input)); }
  Tensor h_of(const Tensor& states) const { return sliced(states, states.shape.size() - 1, 0, of_.size); }
  Tensor c_of(const Tensor& states) const { return sliced(states, states.shape.size() - 1, of_.size, of_.size); }

  /// One lane. The states of a reversed lane run backwards through `states_`: its initial state is the last entry.
  void run_lane(std::int64_t layer, std::int64_t direction, const Tensor& x, const Tensor& y) {
    const std::int64_t lane = layer * of_.directions + direction;
    const bool reversed = direction == 1;
    const LstmWeights& weights = lstm_.weights[static_cast<std::size_t>(lane)];
    project(x, weights);
    const Tensor first = selected(states_, 0, reversed ? of_.steps : 0);
    copy(h_of(first), selected(lstm_.h, 0, lane));
    copy(c_of(first), selected(lstm_.c, 0, lane));
    for (std::int64_t i = 0; i < of_.steps; ++i) run_step(reversed ? of_.steps - 1 - i : i, reversed, weights[1]);
    const Tensor last = selected(states_, 0, reversed ? 0 : of_.steps);
    copy(selected(results_.h, 0, lane), h_of(last));
    copy(selected(results_.c, 0, lane), c_of(last));
    const Tensor states = sliced(states_, 0, reversed ? 0 : 1, of_.steps);
    copy(sliced(y, 2, direction * of_.size, of_.size), h_of(states));
    if (!results_.saved.empty()) write_saved(results_.saved[static_cast<std::size_t>(lane)], states);
  }

  /// The input's part of the preactivations of all steps, as one product.
  void project(const Tensor& x, const LstmWeights& weights) {
    // The product does not depend on the recurrence, so a large one replaces a small one for each step.
    Gemm product{lstm_.name, x, with_swapped_dims(weights[0]), std::nullopt,
                 *reshaped(preactivations_, {of_.steps * of_.batch, kGates * of_.size})};
    if (weights.size() > 2) {
      // Both biases are added once, as the C operand of the product.
      append(kernels_, add_kernels(lstm_.name, 1, weights[2], weights[3], nullptr, bias_));
      product.c = repeated(bias_, 0, of_.steps * of_.batch);
    }
    append(kernels_, product_kernels(product, staging_, execution_));
  }

  void run_step(std::int64_t step, bool reversed, const Tensor& weight) {
    const Tensor preactivations = selected(preactivations_, 0, step);
    const Tensor before = selected(states_, 0, reversed ? step + 1 : step);
    const Tensor after = selected(states_, 0, reversed ? step : step + 1);
    // Only W_hh * h is sequential.
    append(kernels_, gemm_kernels({lstm_.name, h_of(before), with_swapped_dims(weight), preactivations, preactivations},
                                  staging_, execution_));
    const std::optional<Tensor> rows = rows_ ? std::optional(selected(*rows_, 0, step)) : std::nullopt;
    const std::optional<Tensor> saved = saved_ ? std::optional(selected(*saved_, 0, step)) : std::nullopt;
    append(kernels_, {lstm_step_kernel({lstm_.name, preactivations, before, rows ? &*rows : nullptr, after,
                                        saved ? &*saved : nullptr})});
  }

  void write_saved(const std::array<Tensor, kSavedPerLane>& to, const Tensor& states) {
    for (std::size_t part = kSavedI; part <= kSavedTanh; ++part) {
      copy(to[part], sliced(*saved_, 2, static_cast<std::int64_t>(part) * of_.size, of_.size));
    }
    copy(to[kSavedH], h_of(states));
    copy(to[kSavedC], c_of(states));
  }

  const Lstm& lstm_;
  const LstmResults& results_;
  Staging& staging_;
  const runtime::Execution execution_;
  const LstmSizes& of_;
  Kernels kernels_;
  std::optional<Tensor> rows_;
  Tensor bias_;
  Tensor preactivations_;
  Tensor states_;
  std::optional<Tensor> saved_;
  std::array<Tensor, 2> layers_;  // outputs of layers, which alternate between two buffers
};

}  // namespace

Shape LstmSizes::shape_of(std::int64_t columns) const {
  if (is_packed()) return {packed, columns};
  return batch_first ? Shape{batch, steps, columns} : Shape{steps, batch, columns};
}

Tensor by_steps(const Lstm& lstm, const Tensor& tensor, const Tensor* rows, Staging& staging, Kernels& before) {
  if (rows) {
    const Tensor all = staging.make({lstm.sizes.steps, lstm.sizes.batch, tensor.shape[1]}, DType::kFloat);
    append(before, unpack_kernels(lstm.name, *rows, tensor, all));
    return all;
  }
  return lstm.sizes.batch_first ? permuted(tensor, {1, 0, 2}) : tensor;
}

Kernels from_steps(const Lstm& lstm, const Tensor& by_steps, const Tensor* rows, const Tensor& tensor) {
  if (rows) return pack_kernels(lstm.name, *rows, by_steps, tensor);
  return copy_kernels(lstm.name, lstm.sizes.batch_first ? permuted(tensor, {1, 0, 2}) : tensor, by_steps);
}

Tensor all_rows(const Lstm& lstm, const Tensor& by_steps, Staging& staging, Kernels& before) {
  const Shape shape = {by_steps.shape[0] * by_steps.shape[1], by_steps.shape[2]};
  if (const auto view = reshaped(by_steps, shape)) return *view;
  const Tensor copy = staging.make(by_steps.shape, DType::kFloat);
  append(before, copy_kernels(lstm.name, copy, by_steps));
  return *reshaped(copy, shape);
}

void check_steps(const LstmSizes& sizes) {
  // A step is a product and a pointwise kernel.
  constexpr std::int64_t kOfStep = 2;
  check_kernels(static_cast<std::size_t>(kOfStep * sizes.steps * sizes.lanes()));
}

Kernels lstm_kernels(const Lstm& lstm, const LstmResults& results, Staging& staging, runtime::Execution execution) {
  check_steps(lstm.sizes);
  return Forward(lstm, results, staging, execution).kernels();
}

}  // namespace aclvk::ops
