#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// A step of an LSTM as in PyTorch. Gates are in the order i, f, g, o.

/// aclnnThnnFusedLstmCell. The biases may be NULL.
struct LstmCellHandles {
  InputArg input_gates;
  InputArg hidden_gates;
  InputArg cx;
  InputArg input_bias;
  InputArg hidden_bias;
  OutputArg hy;
  OutputArg cy;
  OutputArg storage;
};
std::shared_ptr<Executor> plan_lstm_cell(const LstmCellHandles& handles);

/// aclnnThnnFusedLstmCellBackward. NULL incoming gradients count as 0. Without a bias grad_bias may be NULL.
struct LstmCellBackwardHandles {
  InputArg grad_hy;
  InputArg grad_cy;
  InputArg cx;
  InputArg cy;
  InputArg storage;
  OutputArg grad_gates;
  OutputArg grad_cx;
  OutputArg grad_bias;
};
std::shared_ptr<Executor> plan_lstm_cell_backward(const LstmCellBackwardHandles& handles, bool has_bias);

}  // namespace aclvk::ops
