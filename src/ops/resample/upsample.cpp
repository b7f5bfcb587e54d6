#include "ops/resample/upsample.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

// aclFormat
constexpr int kNhwc = 1;
constexpr int kNdhwc = 27;

std::size_t first_spatial(const Tensor& image) { return image.format == kNhwc || image.format == kNdhwc ? 1 : 2; }

double scale_of(const Upsample& upsample, double given, const Line& line) {
  if (upsample.origin == LineOrigin::kAlignCorners) {
    return line.outputs > 1 ? static_cast<double>(line.inputs - 1) / static_cast<double>(line.outputs - 1) : 0;
  }
  // A given scale has precedence over the ratio of sizes, as in PyTorch without recompute_scale_factor.
  return given > 0 ? 1.0 / given : static_cast<double>(line.inputs) / static_cast<double>(line.outputs);
}

/// The line of nearest interpolation. Like PyTorch's kernels it ignores `scales` where a size is kept or doubled.
Line nearest_line(const Upsample& upsample, double given, Line line) {
  const bool keeps = line.outputs == line.inputs;
  if (upsample.origin == LineOrigin::kAsymmetric && (keeps || line.outputs == 2 * line.inputs)) {
    // In the adjoint direction that is a sum over windows of one or two outputs.
    line.adjoint = false;
    std::swap(line.inputs, line.outputs);
    line.map = LineMap::kWindow;
    line.window.size = line.window.step = keeps ? 1 : 2;
    return line;
  }
  line.scale = scale_of(upsample, given, line);
  return line;
}

/// Returns the line between a spatial dim of the input and that of the result.
Line line_of(const Upsample& upsample, std::size_t dim, double given, std::int64_t inputs, std::int64_t outputs,
             bool adjoint) {
  Line line;
  line.dim = dim;
  line.map = upsample.map;
  line.adjoint = adjoint;
  line.inputs = inputs;
  line.outputs = outputs;
  line.origin = upsample.origin;
  if (upsample.map == LineMap::kNearest) return nearest_line(upsample, given, line);
  line.scale = scale_of(upsample, given, line);
  // A filter with this support covers any line.
  constexpr double kWidest = 1 << 30;
  line.scale = std::min(line.scale, kWidest);
  return line;
}

/// Sorts lines such that the dims that shrink most come first: later kernels then have fewer elements.
void sort_by_growth(std::vector<Line>& lines) {
  const auto growth = [](const Line& line) {
    const double ratio = static_cast<double>(line.outputs) / static_cast<double>(line.inputs);
    return line.adjoint ? 1 / ratio : ratio;
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const Line& first, const Line& second) { return growth(first) < growth(second); });
}

/// Returns the lines between an image of shape `self` and one with the spatial size `output`.
std::vector<Line> checked_lines(const Upsample& upsample, const Shape& self, std::size_t first,
                                const std::vector<std::int64_t>& output, bool adjoint) {
  constexpr std::int64_t kMaxSize = std::int64_t{1} << 30;
  check(output.size() == upsample.dims, Code::kNnInvalid, "outputSize has {} values; expected {}.", output.size(),
        upsample.dims);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < upsample.dims; ++i) {
    const std::int64_t inputs = self[first + i];
    check(output[i] > 0 && inputs > 0 && output[i] < kMaxSize && inputs < kMaxSize, Code::kNnInvalid,
          "outputSize {} is {} and the input has {} elements there; both are positive, and below 2^30.", i, output[i],
          inputs);
    lines.push_back(line_of(upsample, first + i, upsample.scales[i], inputs, output[i], adjoint));
  }
  return lines;
}

Shape resized(Shape shape, std::size_t first, const std::vector<std::int64_t>& size) {
  std::copy(size.begin(), size.end(), shape.begin() + first);
  return shape;
}

void check_rank(const Upsample& upsample, const Tensor& image, const char* name) {
  check(image.shape.size() == upsample.dims + 2, Code::kNnInvalid, "{} has {} dimensions; expected {}.", name,
        image.shape.size(), upsample.dims + 2);
}

std::shared_ptr<Executor> executor_of(const char* name, const TensorParameters& tensors, ParamId from, ParamId to,
                                      std::vector<Line> lines) {
  sort_by_growth(lines);
  return staged_executor(name, tensors, [=](const auto& bound, Staging& staging) {
    return line_kernels(name, staging, *bound[from], *bound[to], lines);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_upsample(const Upsample& upsample, const InputArg& self_handle,
                                        const IntArrayArg& size_handle, const OutputArg& out_handle) {
  TensorParameters tensors;
  const ParamId self = tensors.input(self_handle);
  const auto size = required_ints(size_handle);
  const ParamId out = tensors.output(out_handle);
  tensors.check_dtypes(dtypes_of(upsample.name));
  check_same_dtype(tensors[out], "out", tensors[self], self_handle.name);
  tensors.check_views();
  check_rank(upsample, tensors[self], self_handle.name);
  const std::size_t first = first_spatial(tensors[self]);
  const std::vector<Line> lines = checked_lines(upsample, tensors[self].shape, first, size, false);
  tensors.check_shape(out, resized(tensors[self].shape, first, size), "with outputSize the shape is");
  return executor_of(upsample.name, tensors, self, out, lines);
}

std::shared_ptr<Executor> plan_upsample_gradient(const Upsample& upsample, const UpsampleGradient& handles) {
  TensorParameters tensors;
  const ParamId gradient = tensors.input(handles.gradient);
  const auto output = required_ints(handles.output_size);
  const auto input = required_ints(handles.input_size);
  const ParamId out = tensors.output(handles.out);
  tensors.check_dtypes(dtypes_of(upsample.name));
  check_same_dtype(tensors[out], handles.out.name, tensors[gradient], handles.gradient.name);
  tensors.check_views();
  check_rank(upsample, tensors[gradient], handles.gradient.name);
  check(input.size() == upsample.dims + 2, Code::kNnInvalid, "inputSize has {} values; expected {}.", input.size(),
        upsample.dims + 2);
  const Shape shape(input.data(), input.data() + input.size());
  tensors.check_shape(out, shape, "inputSize is");
  const std::size_t first = first_spatial(tensors[gradient]);
  const std::vector<Line> lines = checked_lines(upsample, shape, first, output, true);
  tensors.check_shape(gradient, resized(shape, first, output), "with inputSize and outputSize the shape is");
  return executor_of(upsample.name, tensors, gradient, out, lines);
}

}  // namespace aclvk::ops
