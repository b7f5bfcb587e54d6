#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// A step of an LSTM as in PyTorch. Gates are in the order i, f, g, o.

/// aclnnThnnFusedLstmCell. The biases may be NULL.
struct LstmCellHandles {
  const void* input_gates;
  const void* hidden_gates;
  const void* cx;
  const void* input_bias;
  const void* hidden_bias;
  const void* hy;
  const void* cy;
  const void* storage;
};
std::shared_ptr<Executor> plan_lstm_cell(const LstmCellHandles& handles);

/// aclnnThnnFusedLstmCellBackward. NULL incoming gradients count as 0. Without a bias grad_bias may be NULL.
struct LstmCellBackwardHandles {
  const void* grad_hy;
  const void* grad_cy;
  const void* cx;
  const void* cy;
  const void* storage;
  const void* grad_gates;
  const void* grad_cx;
  const void* grad_bias;
};
std::shared_ptr<Executor> plan_lstm_cell_backward(const LstmCellBackwardHandles& handles, bool has_bias);

}  // namespace aclvk::ops
