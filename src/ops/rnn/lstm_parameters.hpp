#pragma once

#include "ops/executor/tensor_parameters.hpp"
#include "ops/rnn/lstm.hpp"
#include "ops/rnn/lstm_sequence.hpp"

namespace aclvk::ops {

/// The parameters that aclnnLSTM and aclnnLstmBackward share. An operator calls the add functions in the order of its
/// signature, then check().
class LstmParameters {
 public:
  using ParamId = TensorParameters::ParamId;

  LstmParameters(const char* name, const LstmAttributes& attributes) : name_(name), attributes_(attributes) {}

  TensorParameters& tensors() { return tensors_; }
  const TensorParameters& tensors() const { return tensors_; }
  void add_input(const InputArg& arg) { input_ = tensors_.input(arg); }
  void add_hx(const InputListArg& arg) { hx_ = tensors_.input_list(arg); }
  void add_params(const InputListArg& arg) { params_ = tensors_.input_list(arg); }
  void add_batch_sizes(const InputArg& arg) { batch_sizes_ = tensors_.optional_input(arg); }

  /// Determines the sizes, then checks dtypes and shapes (161002).
  void check();
  const LstmSizes& sizes() const { return sizes_; }
  /// 161002 unless the list, if given, has the tensors and shapes of params.
  void check_weights(ParamId param) const;

  /// The tensors with the addresses of a run.
  Lstm lstm(const TensorParameters::BoundTensors& bound) const;
  std::vector<LstmWeights> weights(const TensorParameters::BoundTensors& bound, ParamId param) const;

 private:
  std::size_t weights_of_lane() const { return attributes_.has_bias ? 4 : 2; }
  void check_dtypes() const;
  void find_sizes();

  const char* name_;
  LstmAttributes attributes_;
  TensorParameters tensors_;
  LstmSizes sizes_;
  ParamId input_ = ParamId::kNone;
  ParamId hx_ = ParamId::kNone;
  ParamId params_ = ParamId::kNone;
  ParamId batch_sizes_ = ParamId::kNone;
};

/// The parameters of the saved activations.
using SavedParamIds = std::array<TensorParameters::ParamId, kSavedPerLane>;
std::vector<std::array<Tensor, kSavedPerLane>> saved_of(const TensorParameters::BoundTensors& bound,
                                                        const SavedParamIds& params, std::int64_t lanes);

}  // namespace aclvk::ops
