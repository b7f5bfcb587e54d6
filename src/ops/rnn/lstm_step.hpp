#pragma once

#include "ops/operator.hpp"

namespace aclvk::ops {

// Steps of an LSTM over a sequence. All tensors are floats in the workspace, their rows those of the batch: states are
// h and c side by side, (batch, 2 H); gates stand in the order i, f, g, o; what is saved for gradients are the gates
// and tanh of c, (batch, 5 H). `rows` (ops/rnn/packed.hpp) are those of the step, null for sequences of one length.

struct LstmStep {
  const char* name;
  Tensor preactivations;  ///< of the gates
  Tensor before;          ///< the state
  const Tensor* rows;
  Tensor after;
  const Tensor* saved;  ///< null for nobody who needs it
};
runtime::Kernel lstm_step_kernel(const LstmStep& step);

/// The gradient of the state before lacks what comes to h through the preactivations: that is their gradient times a
/// matrix. Only where sequences are packed h has something without it.
struct LstmStepGradient {
  const char* name;
  Tensor saved;
  Tensor c;  ///< before the step
  Tensor y;  ///< the gradient of the result; its rows may lie apart
  Tensor after;
  const Tensor* rows;
  Tensor preactivations;
  Tensor before;
};
runtime::Kernel lstm_step_gradient_kernel(const LstmStepGradient& step);

}  // namespace aclvk::ops
