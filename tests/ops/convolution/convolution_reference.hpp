#pragma once

#include <vector>

#include "ops/matmul/products/product_reference.hpp"
#include "support/op_arguments.hpp"

namespace aclvk::test {

/// A convolution as PyTorch defines it, of tensors of (N, C, ...): written apart from src/ops.
struct ConvolutionCase {
  Shape input;
  Shape weight;
  Shape stride;
  Shape padding;
  Shape dilation;
  std::int64_t groups = 1;
  bool transposed = false;
  Shape output_padding{};
  Shape padding_after{};  ///< as `padding` where there is none

  std::int64_t paddings(std::size_t i) const {
    return padding[i] + (padding_after.empty() ? padding : padding_after)[i];
  }
  /// The attribute: a value for each dim, or two.
  Shape pads() const {
    if (padding_after.empty()) return padding;
    Shape both;
    for (std::size_t i = 0; i < dims(); ++i) both.insert(both.end(), {padding[i], padding_after[i]});
    return both;
  }
  std::size_t dims() const { return stride.size(); }
  std::int64_t results() const { return transposed ? weight[1] * groups : weight[0]; }

  Shape output() const {
    Shape shape{input[0], results()};
    for (std::size_t i = 0; i < dims(); ++i) {
      const std::int64_t reach = dilation[i] * (weight[2 + i] - 1);
      const std::int64_t size = input[2 + i];
      shape.push_back(transposed ? (size - 1) * stride[i] - paddings(i) + reach + output_padding[i] + 1
                                 : (size + paddings(i) - reach - 1) / stride[i] + 1);
    }
    return shape;
  }
};

/// Three spatial dims, of which those that are missing come first.
struct Spatial {
  std::int64_t size[3] = {1, 1, 1};

  Spatial(const Shape& values, std::int64_t missing) : size{missing, missing, missing} {
    std::copy(values.begin(), values.end(), size + 3 - values.size());
  }
  std::int64_t operator[](std::size_t dim) const { return size[dim]; }
  std::int64_t count() const { return size[0] * size[1] * size[2]; }
  std::int64_t coordinate(std::int64_t element, std::size_t dim) const {
    for (std::size_t i = 2; i > dim; --i) element /= size[i];
    return element % size[dim];
  }
};

inline Shape spatial_dims(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

/// Where the places of a window reach: which element of the output one of the input counts for; below 0 for none.
class Reach {
 public:
  explicit Reach(const ConvolutionCase& c)
      : transposed_(c.transposed),
        input(spatial_dims(c.input), 1),
        window(spatial_dims(c.weight), 1),
        output(spatial_dims(c.output()), 1),
        stride_(c.stride, 1),
        padding_(c.padding, 0),
        dilation_(c.dilation, 1) {}

  std::int64_t element(std::int64_t from, std::int64_t tap) const {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t shift = window.coordinate(tap, d) * dilation_[d];
      const std::int64_t at = input.coordinate(from, d);
      const std::int64_t first = at + padding_[d] - shift;
      if (!transposed_ && (first < 0 || first % stride_[d] != 0)) return -1;
      const std::int64_t place = transposed_ ? at * stride_[d] - padding_[d] + shift : first / stride_[d];
      if (place < 0 || place >= output[d]) return -1;
      element = element * output[d] + place;
    }
    return element;
  }

 private:
  bool transposed_;

 public:
  Spatial input;
  Spatial window;
  Spatial output;

 private:
  Spatial stride_;
  Spatial padding_;
  Spatial dilation_;
};

/// The exact results, in row-major order: every product of an element of the input and one of the weight is added to
/// the output that it belongs to. `bias` may be null.
inline std::vector<Real> exact_convolution(const ConvolutionCase& c, const OpTensor& input, const OpTensor& weight,
                                           const OpTensor* bias) {
  const Reach reach(c);
  const std::int64_t plane = reach.output.count();
  const std::int64_t taps = reach.window.count();
  const std::int64_t channels = c.input[1] / c.groups;
  const std::int64_t results = c.results() / c.groups;
  std::vector<Real> weights(static_cast<std::size_t>(weight.count()));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight.before(static_cast<std::int64_t>(i)).real();
  std::vector<Real> sums(static_cast<std::size_t>(c.input[0] * c.results() * plane));
  for (std::size_t i = 0; bias && i < sums.size(); ++i) {
    sums[i] = bias->before(static_cast<std::int64_t>(i) / plane % c.results()).real();
  }
  for (std::int64_t i = 0; i < input.count(); ++i) {
    const Real x = input.before(i).real();
    const std::int64_t channel = i / reach.input.count() % c.input[1];
    const std::int64_t image = i / reach.input.count() / c.input[1];
    const std::int64_t group = channel / channels;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t to = reach.element(i % reach.input.count(), tap);
      for (std::int64_t result = 0; to >= 0 && result < results; ++result) {
        const std::int64_t row =
            c.transposed ? channel * results + result : (group * results + result) * channels + channel % channels;
        const std::int64_t at = ((image * c.groups + group) * results + result) * plane + to;
        sums[static_cast<std::size_t>(at)] += x * weights[static_cast<std::size_t>(row * taps + tap)];
      }
    }
  }
  return sums;
}

/// The gradients of the input and of the weight, and, for each channel of the result, the sum of the gradient: what
/// each product of the convolution gives back to its factors.
struct ConvolutionGradients {
  std::vector<Real> input;
  std::vector<Real> weight;
  std::vector<Real> bias;
};

inline ConvolutionGradients exact_gradients(const ConvolutionCase& c, const OpTensor& gradient, const OpTensor& input,
                                            const OpTensor& weight) {
  const Reach reach(c);
  const std::int64_t plane = reach.output.count();
  const std::int64_t taps = reach.window.count();
  const std::int64_t channels = c.input[1] / c.groups;
  const std::int64_t results = c.results() / c.groups;
  ConvolutionGradients sums{std::vector<Real>(static_cast<std::size_t>(input.count())),
                            std::vector<Real>(static_cast<std::size_t>(weight.count())),
                            std::vector<Real>(static_cast<std::size_t>(c.results()))};
  for (std::int64_t i = 0; i < gradient.count(); ++i) {
    sums.bias[static_cast<std::size_t>(i / plane % c.results())] += gradient.before(i).real();
  }
  for (std::int64_t i = 0; i < input.count(); ++i) {
    const std::int64_t channel = i / reach.input.count() % c.input[1];
    const std::int64_t image = i / reach.input.count() / c.input[1];
    const std::int64_t group = channel / channels;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t to = reach.element(i % reach.input.count(), tap);
      for (std::int64_t result = 0; to >= 0 && result < results; ++result) {
        const std::int64_t row =
            c.transposed ? channel * results + result : (group * results + result) * channels + channel % channels;
        const Real g = gradient.before(((image * c.groups + group) * results + result) * plane + to).real();
        sums.input[static_cast<std::size_t>(i)] += g * weight.before(row * taps + tap).real();
        sums.weight[static_cast<std::size_t>(row * taps + tap)] += g * input.before(i).real();
      }
    }
  }
  return sums;
}

}  // namespace aclvk::test
