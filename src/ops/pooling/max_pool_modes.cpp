// Maximum poolings with the attributes of TensorFlow and of Caffe.
#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "ops/args/pooling.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/pooling/maximum.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// Returns the values of the spatial dims. The array has one for each, one for all, or one for each dim of a batch,
/// where those of the batch and of the channels are 1.
WindowValues spatial_values(std::vector<std::int64_t> array, const char* name, std::size_t dims, bool channels_last) {
  if (array.size() != dims + 2) return window_values(array, name, dims, 1);
  const std::size_t channels = channels_last ? dims + 1 : 1;
  check(array[0] == 1 && array[channels] == 1, Code::kNnInvalid,
        "{} has the values {} for the batch and {} for the channels; expected 1.", name, array[0], array[channels]);
  const auto first = array.begin() + (channels_last ? 1 : 2);
  return window_values({first, first + static_cast<std::ptrdiff_t>(dims)}, name, dims, 1);
}

/// Returns windows with the padding of TensorFlow's SAME: a position for each `step` elements, and the larger half of
/// the padding at the end.
Window same_window(Window window, std::int64_t length) {
  const std::int64_t positions = (length + window.step - 1) / window.step;
  const std::int64_t padding =
      std::max<std::int64_t>((positions - 1) * window.step + window.dilated_size() - length, 0);
  window.before = padding / 2;
  window.after = padding - window.before;
  return window;
}

/// A pooling of x into out, (N, C, ...) in this order of dims; an empty order is the identity.
struct Pooling {
  const char* name;
  TensorParameters tensors{};
  ParamId x{};
  ParamId out{};
  Shape order{};

  Tensor ordered(const Tensor& tensor) const { return order.empty() ? tensor : permuted(tensor, order); }
};

void check_tensors(const Pooling& pooling) {
  const TensorParameters& tensors = pooling.tensors;
  tensors.check_dtypes(dtypes_of(pooling.name));
  check_same_dtype(tensors[pooling.out], tensors.name(pooling.out), tensors[pooling.x], tensors.name(pooling.x));
  tensors.check_views();
}

std::shared_ptr<Executor> plan_maximum(const Pooling& pooling, const Windows& windows, bool ceil_mode) {
  const TensorParameters& tensors = pooling.tensors;
  const Tensor x = pooling.ordered(tensors[pooling.x]);
  const Shape expected = with_spatial(x, positions_of(windows, x, ceil_mode, tensors.name(pooling.x)));
  const Tensor out = pooling.ordered(tensors[pooling.out]);
  check(out.shape == expected, Code::kNnInvalid,
        "{} has shape {}; with channels first it is {}, and the windows make {}.", tensors.name(pooling.out),
        tensors[pooling.out].shape, out.shape, expected);
  return staged_executor(pooling.name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({pooling.out}, {pooling.x});
    return maximum_kernels(pooling.name, staging, {windows}, pooling.ordered(*bound[pooling.x]),
                           pooling.ordered(*bound[pooling.out]), nullptr);
  });
}

}  // namespace

/// aclnnMaxPoolV3: explicit padding, two values for each dim.
std::shared_ptr<Executor> plan(const MaxPoolV3Args& args) {
  constexpr std::size_t kDims = 2;
  Pooling pooling{args.kOperator};
  pooling.x = pooling.tensors.input(args.x);
  const auto kernel_array = required_ints(args.ksize);
  const auto stride_array = required_ints(args.strides);
  const auto pads = required_ints(args.pads);
  const double ceil_mode = required_scalar(args.ceilMode)->to_double();
  pooling.out = pooling.tensors.output(args.out);
  check_tensors(pooling);
  pooling.tensors.for_each(
      [&](ParamId param, const Tensor& tensor) { check_channels_first(tensor, pooling.tensors.name(param)); });
  check_image(args.kOperator, kDims, pooling.tensors[pooling.x], args.x.name);
  check(ceil_mode == 0 || ceil_mode == 1, Code::kNnInvalid, "ceilMode is {}; expected 0 or 1.", ceil_mode);
  const WindowValues kernel = spatial_values(kernel_array, args.ksize.name, kDims, false);
  const WindowValues stride = spatial_values(stride_array, args.strides.name, kDims, false);
  const WindowPads padding = window_pads(pads, args.pads.name, kDims);
  Windows windows;
  for (std::size_t i = 0; i < kDims; ++i) {
    windows.push_back({kernel[i], stride[i], padding.before[i], padding.after[i]});
    check_padding(args.pads.name, windows.back());
  }
  return plan_maximum(pooling, windows, ceil_mode == 1);
}

namespace {

constexpr std::size_t kVolumeDims = 3;

// aclFormat
constexpr int kNdhwc = 27;
constexpr int kNcdhw = 30;

enum class PaddingMode { kSame, kValid, kCalculated };

PaddingMode checked_mode(std::string_view mode) {
  if (mode == "SAME") return PaddingMode::kSame;
  if (mode == "VALID") return PaddingMode::kValid;
  check(mode == "CALCULATED", Code::kNnInvalid, "padding is \"{}\"; expected \"SAME\", \"VALID\" or \"CALCULATED\".",
        mode);
  return PaddingMode::kCalculated;
}

/// Returns whether channels are the last dim, and checks that no tensor's format says otherwise.
bool checked_channels_last(const Pooling& pooling, const char* layout_name) {
  const std::string_view layout = layout_name ? layout_name : "NDHWC";
  check(layout == "NDHWC" || layout == "NCDHW", Code::kNnInvalid,
        "dataFormatOptional is \"{}\"; expected \"NDHWC\" or \"NCDHW\".", layout);
  const bool channels_last = layout == "NDHWC";
  pooling.tensors.for_each([&](ParamId param, const Tensor& tensor) {
    check(tensor.format != (channels_last ? kNcdhw : kNdhwc), Code::kNnInvalid,
          "{} has the format {}; dataFormatOptional is \"{}\".", pooling.tensors.name(param),
          channels_last ? "NCDHW" : "NDHWC", layout);
    check(tensor.shape.size() == kVolumeDims + 2, Code::kNnInvalid,
          "{} has shape {}; {} takes tensors of {} dimensions.", pooling.tensors.name(param), tensor.shape,
          pooling.name, kVolumeDims + 2);
  });
  return channels_last;
}

/// The arrays of aclnnMaxPool3D; those that are NULL have their defaults.
struct VolumeArrays {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding{0};
  std::vector<std::int64_t> dilation{1};

  explicit VolumeArrays(const MaxPool3DArgs& args)
      : kernel(required_ints(args.ksize)), stride(required_ints(args.strides)) {
    if (args.padsOptional) padding = required_ints(args.padsOptional);
    if (args.dilationOptional) dilation = required_ints(args.dilationOptional);
  }
};

/// Returns the windows over the last dims of x, whose channels are the second dim.
Windows volume_windows(const MaxPool3DArgs& args, const VolumeArrays& arrays, PaddingMode mode, const Tensor& x,
                       bool channels_last) {
  const WindowValues kernel = spatial_values(arrays.kernel, args.ksize.name, kVolumeDims, channels_last);
  const WindowValues stride = spatial_values(arrays.stride, args.strides.name, kVolumeDims, channels_last);
  const WindowValues dilation = spatial_values(arrays.dilation, args.dilationOptional.name, kVolumeDims, channels_last);
  const WindowPads padding = window_pads(arrays.padding, args.padsOptional.name, kVolumeDims);
  Windows windows;
  for (std::size_t i = 0; i < kVolumeDims; ++i) {
    Window window{kernel[i], stride[i], padding.before[i], padding.after[i], dilation[i]};
    check(
        mode == PaddingMode::kCalculated || (window.before == 0 && window.after == 0), Code::kNnInvalid,
        "padsOptional has the values {} and {} for dimension {}; only the padding \"CALCULATED\" takes others than 0.",
        window.before, window.after, 2 + i);
    if (mode == PaddingMode::kSame) window = same_window(window, x.shape[2 + i]);
    check_padding(args.padsOptional.name, window);
    windows.push_back(window);
  }
  return windows;
}

}  // namespace

/// aclnnMaxPool3D: TensorFlow's attributes.
std::shared_ptr<Executor> plan(const MaxPool3DArgs& args) {
  Pooling pooling{args.kOperator};
  pooling.x = pooling.tensors.input(args.x);
  require(args.padding.handle, args.padding.name);
  const VolumeArrays arrays(args);
  pooling.out = pooling.tensors.output(args.out);
  check_tensors(pooling);
  const PaddingMode mode = checked_mode(args.padding.handle);
  const bool channels_last = checked_channels_last(pooling, args.dataFormatOptional.handle);
  if (channels_last) pooling.order = {0, 4, 1, 2, 3};
  const Tensor x = pooling.ordered(pooling.tensors[pooling.x]);
  check_image(args.kOperator, kVolumeDims, x, args.x.name);
  check(args.ceilMode == 0 || args.ceilMode == 1, Code::kNnInvalid, "ceilMode is {}; expected 0 or 1.",
        args.ceilMode.value);
  check(args.ceilMode == 0 || mode != PaddingMode::kValid, Code::kNnInvalid,
        "ceilMode is 1; the padding \"VALID\" has whole windows only, for which 0 is expected.");
  return plan_maximum(pooling, volume_windows(args, arrays, mode, x, channels_last), args.ceilMode == 1);
}

}  // namespace aclvk::ops
