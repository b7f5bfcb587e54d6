#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnBidirectionLSTM: one layer of torch.nn.LSTM, with each weight a parameter. Weights of the reversed direction
/// are required with `bidirectional`, biases with `has_bias`; else they may be NULL.
struct BidirectionLstmHandles {
  InputArg x;
  InputArg h;
  InputArg c;
  std::array<InputArg, 8> weights;  ///< W_ih, W_hh, b_ih, b_hh, then the same of the reversed direction
  OutputArg y;
  OutputArg h_out;
  OutputArg c_out;
};
struct BidirectionLstmAttributes {
  std::int64_t layers;
  bool has_bias;
  bool batch_first;
  bool bidirectional;
};
std::shared_ptr<Executor> plan_bidirection_lstm(const BidirectionLstmHandles& handles,
                                                const BidirectionLstmAttributes& attributes);

}  // namespace aclvk::ops
