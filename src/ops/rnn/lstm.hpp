#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// torch.nn.LSTM and its gradients. Dropout is not made. With batchSizes, the rows of each step, the input and the
// result are packed sequences.

struct LstmAttributes {
  bool has_bias;
  std::int64_t layers;
  bool train;  ///< the lists of what is saved for gradients are wanted
  bool bidirectional;
  bool batch_first;
};

/// What is saved of each lane (ops/rnn/lstm_sequence.hpp): lists.
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

/// aclnnLstmBackward. Gradients that are NULL count as 0. The mask has four values, for dxOut, dhPrevOut, dcPrevOut and
/// dparamsOut; what is not wanted may be NULL. A mask that is NULL, as PyTorch has it, wants all.
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
