#include "ops/rnn/bidirection_lstm.hpp"

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/rnn/lstm_sequence.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr std::array<const char*, 8> kWeights = {"wIh",
                                                 "wHh",
                                                 "bIhOptional",
                                                 "bHhOptional",
                                                 "wIhReverseOptional",
                                                 "wHhReverseOptional",
                                                 "bIhReverseOptional",
                                                 "bHhReverseOptional"};
constexpr std::size_t kOfDirection = 4;

LstmSizes sizes_of(const Tensor& x, const Tensor& h, const BidirectionLstmAttributes& attributes) {
  check(attributes.layers == 1, Code::kNnInvalid, "numLayers is {}; expected 1.", attributes.layers);
  check(x.shape.size() == 3, Code::kNnInvalid, "x has shape {}; three dims are expected.", x.shape);
  check(h.shape.size() == 3, Code::kNnInvalid, "initH has shape {}; expected (directions, batch, hidden size).",
        h.shape);
  LstmSizes of;
  of.directions = attributes.bidirectional ? 2 : 1;
  of.batch_first = attributes.batch_first;
  of.steps = x.shape[of.batch_first ? 1 : 0];
  of.batch = h.shape[1];
  of.size = h.shape[2];
  of.features = x.shape[2];
  return of;
}

void check_all(const TensorParameters& tensors) {
  tensors.check_all(kFloats);
  // All tensors have the dtype of the first parameter.
  const ParamId first{};
  tensors.for_each([&](ParamId param, const Tensor& tensor) {
    check_same_dtype(tensor, tensors.name(param), tensors[first], tensors.name(first));
  });
}

void check_weights(const TensorParameters& tensors, const std::array<ParamId, kWeights.size()>& weights,
                   const LstmSizes& of) {
  const std::int64_t gates = 4 * of.size;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t part = i % kOfDirection;
    const Shape shape = part == 0 ? Shape{gates, of.features} : part == 1 ? Shape{gates, of.size} : Shape{gates};
    tensors.check_shape(weights[i], shape, "weights of a layer are");
  }
}

}  // namespace

std::shared_ptr<Executor> plan_bidirection_lstm(const BidirectionLstmHandles& handles,
                                                const BidirectionLstmAttributes& attributes) {
  const char* name = "aclnnBidirectionLSTM";
  TensorParameters tensors;
  const ParamId x = tensors.input(handles.x);
  const ParamId h = tensors.input(handles.h);
  const ParamId c = tensors.input(handles.c);
  std::array<ParamId, kWeights.size()> weights{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // The weights of a direction are W_ih, W_hh and, with biases, b_ih and b_hh.
    const bool counts = (i < kOfDirection || attributes.bidirectional) && (i % kOfDirection < 2 || attributes.has_bias);
    weights[i] = counts ? tensors.input(handles.weights[i]) : tensors.no_input(handles.weights[i].name);
  }
  const ParamId y = tensors.output(handles.y);
  const ParamId h_out = tensors.output(handles.h_out);
  const ParamId c_out = tensors.output(handles.c_out);
  check_all(tensors);
  const LstmSizes of = sizes_of(tensors[x], tensors[h], attributes);
  tensors.check_shape(x, of.shape_of(of.features), "the sequences are");
  for (const ParamId param : {h, c, h_out, c_out}) {
    tensors.check_shape(param, {of.directions, of.batch, of.size}, "h and c of each direction are");
  }
  check_weights(tensors, weights, of);
  tensors.check_shape(y, of.shape_of(of.directions * of.size), "h of all steps and directions is");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    Lstm lstm{name, of, *bound[x], {}, {}, *bound[h], *bound[c]};
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!bound[weights[i]]) continue;
      if (i % kOfDirection == 0) lstm.weights.emplace_back();
      lstm.weights.back().push_back(*bound[weights[i]]);
    }
    return lstm_kernels(lstm, {*bound[y], *bound[h_out], *bound[c_out]}, staging, execution);
  });
}

}  // namespace aclvk::ops
