#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"

namespace aclvk::ops {

constexpr std::int64_t kGates = 4;
constexpr std::int64_t kSavedPerUnit = 5;  ///< the gates and tanh(c)

// One step of an LSTM over a sequence. All tensors are floats in the workspace with one row a sequence. States are h
// and c side by side, (batch, 2 H); gates are in the order i, f, g, o; saved are the gates and tanh(c), (batch, 5 H).
// `rows` are the packed rows of the step (ops/rnn/packed.hpp), null for padded sequences.

struct LstmStep {
  const char* name;
  Tensor preactivations;  ///< of the gates, (batch, 4 H)
  Tensor before;          ///< the state before the step
  const Tensor* rows;
  Tensor after;
  const Tensor* saved;  ///< null without training
};
runtime::Kernel lstm_step_kernel(const LstmStep& step);

/// The kernel writes the gradients of the preactivations and of c before the step. The caller adds the gradient of h
/// before the step, which is that of the preactivations times W_hh. For ended packed sequences the kernel passes the
/// gradient of h on.
struct LstmStepGradient {
  const char* name;
  Tensor saved;
  Tensor c;  ///< before the step
  Tensor y;  ///< the gradient of h from the layer above; its row stride is free
  Tensor after;
  const Tensor* rows;
  Tensor preactivations;
  Tensor before;
};
runtime::Kernel lstm_step_gradient_kernel(const LstmStepGradient& step);

}  // namespace aclvk::ops
