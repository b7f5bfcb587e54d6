#include "ops/shape/windows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr std::int64_t kMax = std::int64_t{1} << 30;

// aclFormat
constexpr int kNhwc = 1;
constexpr int kNdhwc = 27;

std::int64_t floor_of(std::int64_t dividend, std::int64_t divisor) {
  return dividend < 0 ? -((divisor - 1 - dividend) / divisor) : dividend / divisor;
}

/// The modular inverse of `factor`, which is coprime to `modulus`.
std::int64_t inverse_of(std::int64_t factor, std::int64_t modulus) {
  // Extended Euclidean algorithm.
  std::int64_t rest = modulus;
  std::int64_t next_rest = factor % modulus;
  std::int64_t inverse = 0;
  std::int64_t next = 1;
  while (next_rest != 0) {
    const std::int64_t times = rest / next_rest;
    rest = std::exchange(next_rest, rest - times * next_rest);
    inverse = std::exchange(next, inverse - times * next);
  }
  return inverse < 0 ? inverse + modulus : inverse;
}

}  // namespace

std::int64_t Window::output_size(std::int64_t length) const {
  return floor_of(length + before + after - dilated_size(), step) + 1;
}

std::int64_t Window::output_size_ceil(std::int64_t length) const {
  const std::int64_t count = floor_of(length + before + after - dilated_size() + step - 1, step) + 1;
  // A last window that would start in the padding after the input is left out, as in PyTorch.
  return (count - 1) * step >= length + before ? count - 1 : count;
}

WindowValues window_values(const std::vector<std::int64_t>& array, const char* name, std::size_t dims,
                           std::int64_t least) {
  check(array.size() == dims || array.size() == 1, Code::kNnInvalid, "{} has {} values; expected {}, or one for all.",
        name, array.size(), dims);
  WindowValues values;
  for (std::size_t i = 0; i < dims; ++i) {
    const std::int64_t value = array[array.size() == 1 ? 0 : i];
    check(value >= least && value < kMax, Code::kNnInvalid, "{} has the value {}; expected {} to {}.", name, value,
          least, kMax - 1);
    values.push_back(value);
  }
  return values;
}

WindowPads window_pads(const std::vector<std::int64_t>& array, const char* name, std::size_t dims) {
  if (array.size() != 2 * dims) {
    const WindowValues both = window_values(array, name, dims, 0);
    return {both, both};
  }
  WindowPads pads;
  for (std::size_t i = 0; i < dims; ++i) {
    pads.before.push_back(window_values({array[2 * i]}, name, 1, 0)[0]);
    pads.after.push_back(window_values({array[2 * i + 1]}, name, 1, 0)[0]);
  }
  return pads;
}

Covering covering_of(const Window& window, std::int64_t positions) {
  Covering covering;
  // The taps that cover an element satisfy tap * dilation = element + before (mod step). Where the gcd divides
  // the right side, the solutions are `period` apart.
  covering.divisor = std::gcd(window.step, window.dilation);
  covering.period = window.step / covering.divisor;
  covering.inverse = inverse_of(window.dilation / covering.divisor, covering.period);
  covering.most = std::min((window.size + covering.period - 1) / covering.period, positions);
  return covering;
}

Tensor windows_of(const Tensor& image, std::size_t dim, const Window& window, std::int64_t positions) {
  Tensor view = image;
  view.shape[dim] = window.size;
  view.strides[dim] = window.dilation * image.strides[dim];
  view.shape = with(view.shape, dim + 1, positions);
  view.strides = with(view.strides, dim + 1, window.step * image.strides[dim]);
  return view;
}

// Fills only when the crop extends past the image; the copy then overwrites the part inside.
Kernels crop_kernels(const char* name, const Tensor& to, const Tensor& image, const WindowValues& first) {
  Tensor inside = to;
  Tensor from = image;
  const std::size_t lead = to.shape.size() - first.size();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::size_t dim = lead + i;
    const std::int64_t begin = std::clamp<std::int64_t>(first[i], 0, image.shape[dim]);
    const std::int64_t end = std::clamp<std::int64_t>(first[i] + to.shape[dim], begin, image.shape[dim]);
    inside = sliced(inside, dim, begin - first[i], end - begin);
    from = sliced(from, dim, begin, end - begin);
  }
  Kernels kernels;
  if (inside.shape != to.shape) kernels = fill_kernels(name, to, {});
  append(kernels, copy_kernels(name, inside, from));
  return kernels;
}

void check_channels_first(const Tensor& tensor, const char* name) {
  check(tensor.format != kNhwc && tensor.format != kNdhwc, Code::kNnInvalid,
        "{} has the format {}, with channels last; this operator takes them in the second dimension (NCL, NCHW, NCDHW "
        "or ND), with any strides.",
        name, tensor.format == kNhwc ? "NHWC" : "NDHWC");
}

}  // namespace aclvk::ops
