
#include <algorithm>

#include "base/error.hpp"
#include "ops/args/resample.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/resample/lines.hpp"
#include "ops/shape/windows.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr std::int64_t kMaxSize = std::int64_t{1} << 30;

/// A 2D window over an image, and its positions along both dims.
struct Image {
  Windows windows{};
  Shape size{};
  Shape positions{};
};

/// Sets the positions; 161002 if there are none.
void set_positions(Image& image, const char* sizes_are) {
  for (std::size_t i = 0; i < 2; ++i) {
    image.positions.push_back(image.windows[i].output_size(image.size[i]));
    check(image.positions[i] > 0, Code::kNnInvalid, "{} {}; the window has no position along dimension {} of these.",
          sizes_are, image.size, i);
  }
}

Image checked_image(const std::vector<std::int64_t> (&lists)[5]) {
  constexpr const char* kNames[] = {"inputSize", "kernelSize", "dilation", "padding", "stride"};
  WindowValues values[5];
  for (std::size_t i = 0; i < 5; ++i) {
    check(lists[i].size() == 2, Code::kNnInvalid, "{} has {} values; expected 2.", kNames[i], lists[i].size());
    values[i] = window_values(lists[i], kNames[i], 2, i == 3 ? 0 : 1);
  }
  Image image;
  for (std::size_t i = 0; i < 2; ++i) {
    image.windows.push_back({values[1][i], values[4][i], values[3][i], values[3][i], values[2][i]});
    image.size.push_back(values[0][i]);
  }
  set_positions(image, "inputSize is");
  return image;
}

/// Returns the image of aclnnCol2Im, whose attributes are numbers.
Image checked_image(const Col2ImArgs& args) {
  const auto checked = [](const ValueArg<std::int64_t>& value, std::int64_t least) {
    return window_values({value}, value.name, 1, least)[0];
  };
  const std::int64_t sizes[] = {checked(args.outputH, 1), checked(args.outputW, 1)};
  const std::int64_t kernel[] = {checked(args.kernelH, 1), checked(args.kernelW, 1)};
  const std::int64_t stride = checked(args.strideVal, 1);
  const std::int64_t padding = checked(args.paddingVal, 0);
  const std::int64_t dilation = checked(args.dilationVal, 1);
  Image image;
  for (std::size_t i = 0; i < 2; ++i) {
    image.windows.push_back({kernel[i], stride, padding, padding, dilation});
    image.size.push_back(sizes[i]);
  }
  set_positions(image, "outputH and outputW are");
  return image;
}

Line line_of(const Image& image, std::size_t i, std::size_t dim, std::size_t tap_dim) {
  Line line;
  line.dim = dim;
  line.map = LineMap::kCol2im;
  line.inputs = image.positions[i];
  line.outputs = image.size[i];
  line.window = image.windows[i];
  line.tap_dim = tap_dim;
  return line;
}

/// col2im, one dim after the other: (.., kernel rows, kernel columns, position rows, position columns) to (.., kernel
/// rows, position rows, image columns), then to the image.
Kernels image_kernels(const char* name, Staging& staging, const Image& image, const Tensor& gradient,
                      const Tensor& out) {
  const std::size_t rank = gradient.shape.size();
  Tensor from = unflattened(gradient, rank - 2, image.windows[0].size * image.windows[1].size);
  from = unflattened(from, rank - 1, image.windows[1].size);
  from = unflattened(from, rank + 1, image.positions[1]);
  return line_kernels(name, staging, from, out,
                      {line_of(image, 1, rank + 1, rank), line_of(image, 0, rank - 1, rank - 1)});
}

void check_columns_dtypes(const TensorParameters& tensors, ParamId columns, ParamId out) {
  const char* name = tensors.name(columns);
  check_dtype(tensors[columns], name, kFloats);
  check_same_dtype(tensors[out], tensors.name(out), tensors[columns], name);
  tensors.check_views();
  const std::size_t rank = tensors[columns].shape.size();
  check(rank == 2 || rank == 3, Code::kNnInvalid, "{} has {} dimensions; expected 2 or 3.", name, rank);
}

/// Checks the shapes and returns the executor.
std::shared_ptr<Executor> image_executor(const char* name, const TensorParameters& tensors, const Image& image,
                                         ParamId columns, ParamId out) {
  const Shape& from = tensors[columns].shape;
  const std::int64_t window = image.windows[0].size * image.windows[1].size;
  const std::int64_t rows = from[from.size() - 2];
  check(rows % window == 0 && from.back() == image.positions[0] * image.positions[1], Code::kNnInvalid,
        "{} has shape {}; windows of {} elements have {} positions in an image of {}.", tensors.name(columns), from,
        window, image.positions, image.size);
  Shape shape(from.begin(), from.end() - 2);
  for (const std::int64_t size : {rows / window, image.size[0], image.size[1]}) shape.push_back(size);
  tensors.check_shape(out, shape, "the columns and the size of the image make");
  return staged_executor(name, tensors, [=](const auto& bound, Staging& staging) {
    return image_kernels(name, staging, image, *bound[columns], *bound[out]);
  });
}

}  // namespace

/// aclnnIm2colBackward (col2im): each element of the image receives the sum of its copies in the columns.
std::shared_ptr<Executor> plan(const Im2colBackwardArgs& args) {
  TensorParameters tensors;
  const ParamId gradient = tensors.input(args.gradOutput);
  const std::vector<std::int64_t> lists[] = {required_ints(args.inputSize), required_ints(args.kernelSize),
                                             required_ints(args.dilation), required_ints(args.padding),
                                             required_ints(args.stride)};
  const ParamId out = tensors.output(args.out);
  check_columns_dtypes(tensors, gradient, out);
  return image_executor(args.kOperator, tensors, checked_image(lists), gradient, out);
}

/// aclnnCol2Im: the same, with one stride, padding and dilation for both dims.
std::shared_ptr<Executor> plan(const Col2ImArgs& args) {
  TensorParameters tensors;
  const ParamId columns = tensors.input(args.col);
  const ParamId out = tensors.output(args.xOut);
  check_columns_dtypes(tensors, columns, out);
  return image_executor(args.kOperator, tensors, checked_image(args), columns, out);
}

/// aclnnUnfoldGrad: the gradient of torch.Tensor.unfold along one dim; the window's elements are the gradient's last
/// dim.
std::shared_ptr<Executor> plan(const UnfoldGradArgs& args) {
  const std::int64_t dim = args.dim;
  const std::int64_t size = args.size;
  const std::int64_t step = args.step;
  constexpr const char* kName = "aclnnUnfoldGrad";
  TensorParameters tensors;
  const ParamId gradient = tensors.input(args.gradOut);
  const auto sizes = required_ints(args.inputSizes);
  const ParamId out = tensors.output(args.gradIn);
  check_dtype(tensors[gradient], "gradOut", kFloats);
  check_same_dtype(tensors[out], "gradIn", tensors[gradient], "gradOut");
  tensors.check_views();
  check(sizes.size() < kMaxRank, Code::kNnInvalid, "inputSizes has {} values; at most {} are supported.", sizes.size(),
        kMaxRank - 1);
  const Shape shape(sizes.data(), sizes.data() + sizes.size());
  const std::size_t at = checked_dim(dim, shape.size(), "dim");
  const std::int64_t length = shape.empty() ? 1 : shape[at];
  check(length < kMaxSize && step > 0 && step < kMaxSize && size > 0 && size <= length, Code::kNnInvalid,
        "size is {} and step is {}; dimension {} has {} elements.", size, step, at, length);
  tensors.check_shape(out, shape, "inputSizes are");
  Shape windows = shape.empty() ? Shape{1} : shape;
  windows[at] = (length - size) / step + 1;
  Shape expected = shape.empty() ? Shape{} : windows;
  expected.push_back(size);
  tensors.check_shape(gradient, expected, "the windows make");
  return staged_executor(kName, tensors, [=](const auto& bound, Staging& staging) {
    Tensor from = *bound[gradient];
    // A scalar has one window of one element.
    if (shape.empty()) from = repeated(from, 0, 1);
    Line line;
    line.dim = at;
    line.map = LineMap::kCol2im;
    line.inputs = windows[at];
    line.outputs = length;
    // torch.Tensor.unfold has windows without padding or dilation.
    line.window = {size, step};
    line.tap_dim = from.shape.size() - 1;
    return line_kernels(kName, staging, from, at_least_one_dim(*bound[out]), {line});
  });
}

}  // namespace aclvk::ops
