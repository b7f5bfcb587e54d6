#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
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
template <typename List>
struct LstmSaved {
  List i;
  List g;
  List f;
  List o;
  List h;
  List c;
  List tanh_c;
};

/// aclnnLSTM.
struct LstmHandles {
  InputArg input;
  InputListArg params;
  InputListArg hx;
  InputArg batch_sizes;
  OutputArg output;
  OutputArg hy;
  OutputArg cy;
  LstmSaved<OutputListArg> saved;
};
std::shared_ptr<Executor> plan_lstm(const LstmHandles& handles, const LstmAttributes& attributes);

/// aclnnLstmBackward. NULL incoming gradients count as 0. The mask has four bools, which request dxOut, dhPrevOut,
/// dcPrevOut and dparamsOut; a NULL mask, as PyTorch passes it, requests all.
struct LstmBackwardHandles {
  InputArg input;
  InputListArg hx;
  InputListArg params;
  InputArg dy;
  InputArg dh;
  InputArg dc;
  LstmSaved<InputListArg> saved;
  InputArg batch_sizes;
  BoolArrayArg mask;
  OutputArg dx;
  OutputArg dh_prev;
  OutputArg dc_prev;
  OutputListArg dparams;
};
std::shared_ptr<Executor> plan_lstm_backward(const LstmBackwardHandles& handles, const LstmAttributes& attributes);

}  // namespace aclvk::ops
