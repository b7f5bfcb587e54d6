#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// torch.nn.LSTM and its gradient, without dropout between layers. With batchSizes, the number of rows of each step,
// input and output are packed sequences.

struct LstmAttributes {
  bool has_bias;
  std::int64_t layers;
  bool train;  ///< writes the activations that the gradient needs
  bool bidirectional;
  bool batch_first;
};

/// The saved activations, lists with a tensor for each lane (a direction of a layer, ops/rnn/lstm_sequence.hpp).
struct LstmSavedHandles {
  const void* i;
  const void* g;
  const void* f;
  const void* o;
  const void* h;
  const void* c;
  const void* tanh_c;
};

/// aclnnLSTM.
struct LstmHandles {
  const void* input;
  const void* params;
  const void* hx;
  const void* batch_sizes;
  const void* output;
  const void* hy;
  const void* cy;
  LstmSavedHandles saved;
};
std::shared_ptr<Executor> plan_lstm(const LstmHandles& handles, const LstmAttributes& attributes);

/// aclnnLstmBackward. NULL incoming gradients count as 0. The mask has four bools, which request dxOut, dhPrevOut,
/// dcPrevOut and dparamsOut; a NULL mask, as PyTorch passes it, requests all.
struct LstmBackwardHandles {
  const void* input;
  const void* hx;
  const void* params;
  const void* dy;
  const void* dh;
  const void* dc;
  LstmSavedHandles saved;
  const void* batch_sizes;
  const void* mask;
  const void* dx;
  const void* dh_prev;
  const void* dc_prev;
  const void* dparams;
};
std::shared_ptr<Executor> plan_lstm_backward(const LstmBackwardHandles& handles, const LstmAttributes& attributes);

}  // namespace aclvk::ops
