#include "ops/rnn/lstm_parameters.hpp"

#include "base/error.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {

void LstmParameters::check() {
  check_dtypes();
  tensors_.check_views();
  find_sizes();
  tensors_.check_shape(input_, sizes_.shape_of(sizes_.features), "the sequences are");
  tensors_.check_list(hx_, 2, {sizes_.lanes(), sizes_.batch, sizes_.size},
                      "h and c of each direction of each layer are");
  check_weights(params_);
}

void LstmParameters::check_dtypes() const {
  const Tensor& input = tensors_[input_];
  tensors_.for_each([&](ParamId param, const Tensor& tensor) {
    if (param == batch_sizes_) return check_dtype(tensor, tensors_.name(param), {DType::kInt64});
    check_dtype(tensor, tensors_.name(param), kFloats);
    check_same_dtype(tensor, tensors_.name(param), input, tensors_.name(input_));
  });
}

void LstmParameters::find_sizes() {
  // Products with a larger number, such as that of the weights, could overflow.
  constexpr std::int64_t kMaxLayers = std::int64_t{1} << 16;
  aclvk::check(attributes_.layers > 0 && attributes_.layers <= kMaxLayers, Code::kNnInvalid,
               "numLayers is {}; expected 1 to {}.", attributes_.layers, kMaxLayers);
  const Shape& input = tensors_[input_].shape;
  const Shape& h = tensors_[hx_].shape;
  const bool packed = tensors_.has(batch_sizes_);
  const std::size_t dims = packed ? 2 : 3;
  aclvk::check(input.size() == dims, Code::kNnInvalid, "input has shape {}; {} sequences have {} dims.", input,
               packed ? "packed" : "padded", dims);
  aclvk::check(h.size() == 3, Code::kNnInvalid, "hx has a tensor of shape {}; expected (layers, batch, hidden size).",
               h);
  sizes_.layers = attributes_.layers;
  sizes_.directions = attributes_.bidirectional ? 2 : 1;
  // Packed sequences have no layout: their rows are ordered by steps.
  sizes_.batch_first = attributes_.batch_first && !packed;
  sizes_.batch = h[1];
  sizes_.size = h[2];
  sizes_.features = input.back();
  if (packed) {
    const Shape& steps = tensors_[batch_sizes_].shape;
    aclvk::check(steps.size() == 1, Code::kNnInvalid, "{} has shape {}; expected a number for each step.",
                 tensors_.name(batch_sizes_), steps);
    sizes_.steps = steps[0];
    sizes_.packed = input[0];
  } else {
    sizes_.steps = input[sizes_.batch_first ? 1 : 0];
  }
}

void LstmParameters::check_weights(ParamId param) const {
  if (!tensors_.has(param)) return;
  const std::vector<Tensor>& all = tensors_.list(param);
  const auto expected = static_cast<std::size_t>(sizes_.lanes()) * weights_of_lane();
  aclvk::check(all.size() == expected, Code::kNnInvalid,
               "{} has {} tensors; with {} layers, {} directions and {} weights for each {} are expected.",
               tensors_.name(param), all.size(), sizes_.layers, sizes_.directions, weights_of_lane(), expected);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t part = i % weights_of_lane();
    const std::int64_t gates = 4 * sizes_.size;
    const auto lane = static_cast<std::int64_t>(i / weights_of_lane());
    const Shape shape = part == 0   ? Shape{gates, sizes_.width_of(lane / sizes_.directions)}
                        : part == 1 ? Shape{gates, sizes_.size}
                                    : Shape{gates};
    check_shape(all[i], tensors_.name(param), shape, "weights of a layer are");
  }
}

Lstm LstmParameters::lstm(const TensorParameters::BoundTensors& bound) const {
  Lstm lstm{name_, sizes_, *bound[input_], {}, weights(bound, params_), bound.of_list(hx_, 0), bound.of_list(hx_, 1)};
  if (const Tensor* batch_sizes = bound[batch_sizes_]) lstm.batch_sizes = *batch_sizes;
  return lstm;
}

std::vector<LstmWeights> LstmParameters::weights(const TensorParameters::BoundTensors& bound, ParamId param) const {
  std::vector<LstmWeights> lanes;
  if (!tensors_.has(param)) return lanes;
  for (std::size_t i = 0; i < tensors_.list(param).size(); ++i) {
    if (i % weights_of_lane() == 0) lanes.emplace_back();
    lanes.back().push_back(bound.of_list(param, i));
  }
  return lanes;
}

std::vector<std::array<Tensor, kSavedPerLane>> saved_of(const TensorParameters::BoundTensors& bound,
                                                        const SavedParamIds& params, std::int64_t lanes) {
  std::vector<std::array<Tensor, kSavedPerLane>> saved(static_cast<std::size_t>(lanes));
  for (std::size_t lane = 0; lane < saved.size(); ++lane) {
    for (std::size_t part = 0; part < kSavedPerLane; ++part) saved[lane][part] = bound.of_list(params[part], lane);
  }
  return saved;
}

}  // namespace aclvk::ops
