#include "ops/linalg/stft.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "linalg/dft.args.h"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/matmul/products/gemm.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(DftArguments, DFT_ARGUMENTS);
CONSTANT_STRUCT(DftConstants, DFT_CONSTANTS);

constexpr const char* kName = "aclStft";
constexpr std::int64_t kMaxSize = 65535;  // n * f, both below it, fits in 32 bits (shaders/linalg/dft.comp)

bool is_complex(DType dtype) { return kind_of(dtype) == Kind::kComplex; }

/// A view of the real (0) or imaginary (1) components of complex numbers.
Tensor component_of(Tensor tensor, std::int64_t component) {
  tensor.dtype = real_part_of(tensor.dtype);
  tensor.offset = 2 * tensor.offset + component;
  for (std::int64_t& stride : tensor.strides) stride *= 2;
  return tensor;
}

/// The sizes that follow from the attributes.
struct StftSizes {
  std::int64_t frames = 0;
  std::int64_t frequencies = 0;
};

StftSizes checked_sizes(const Tensor& self, const StftAttributes& attributes) {
  const std::int64_t length = self.shape.back();
  check(attributes.size > 0 && attributes.size <= length, Code::kNnInvalid,
        "nFft is {} and a signal has {} elements; expected 1 to the length of the signal.", attributes.size, length);
  check(attributes.size <= kMaxSize, Code::kNnInvalid, "nFft is {}; at most {} is supported.", attributes.size,
        kMaxSize);
  check(attributes.hop > 0, Code::kNnInvalid, "hopLength is {}; expected 1 or more.", attributes.hop);
  check(attributes.window > 0 && attributes.window <= attributes.size, Code::kNnInvalid,
        "winLength is {} and nFft is {}; expected 1 to nFft.", attributes.window, attributes.size);
  // A real signal has conjugated frequencies in the upper half, which `onesided` leaves out.
  return {1 + (length - attributes.size) / attributes.hop,
          attributes.onesided ? attributes.size / 2 + 1 : attributes.size};
}

/// The matrix of the windowed DFT: (size, frequencies), real and imaginary parts.
struct Transform {
  Tensor real;
  Tensor imaginary;
};

// All frames share one matrix, so the transform is a product of matrices: O(size) for each number instead of
// O(log size), at the speed of a GEMM.
Transform make_transform(const StftAttributes& attributes, const Tensor* window, DType real, std::int64_t frequencies,
                         Staging& staging, Kernels& kernels) {
  const Shape shape{attributes.size, frequencies};
  Transform transform{staging.make(shape, real), staging.make(shape, real)};
  const double scale = attributes.normalized ? 1 / std::sqrt(static_cast<double>(attributes.size)) : 1;
  const auto words = scalar_words(Scalar(&scale, DType::kDouble), class_for(real, {}));
  KernelBuilder kernel(kName, real == DType::kDouble ? "linalg/dft_f64" : "linalg/dft_f32");
  DftConstants constants;
  constants.kWindow = window ? (is_complex(window->dtype) ? 2U : 1U) : 0U;
  kernel.add_constants(constants);
  const auto add = [&](const Tensor& tensor, Access access) {
    kernel.add_operand(tensor.address(), static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype), access);
  };
  if (window) {
    add(staging.read(*window), Access::kRead);
  } else {
    add(transform.real, Access::kWrite);
  }
  add(transform.real, Access::kWrite);
  add(transform.imaginary, Access::kWrite);
  DftArguments arguments;
  arguments.size = word(attributes.size);
  arguments.frequencies = word(frequencies);
  arguments.taps = word(attributes.window);
  arguments.first = word((attributes.size - attributes.window) / 2);
  arguments.scale_low = words[0];
  arguments.scale_high = words[1];
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(transform.real.elements()));
  kernels.push_back(kernel.build());
  return transform;
}

/// A view of overlapping frames: (batch, frames, size).
Tensor frames_of(const Tensor& signals, const StftAttributes& attributes, std::int64_t frames) {
  Tensor view = signals.shape.size() == 1 ? repeated(signals, 0, 1) : signals;
  view.shape = {view.shape[0], frames, attributes.size};
  view.strides = {view.strides[0], view.strides[1] * attributes.hop, view.strides[1]};
  return view;
}

/// A view of the real (0) or imaginary (1) part of the result: (batch, frames, frequencies).
Tensor result_component(const Tensor& out, const StftAttributes& attributes, std::int64_t component) {
  Tensor view = attributes.complex ? component_of(out, component) : selected(out, out.shape.size() - 1, component);
  return with_swapped_dims(view.shape.size() == 2 ? repeated(view, 0, 1) : view);
}

class Products {
 public:
  Products(Staging& staging, runtime::Execution execution, Kernels& kernels)
      : staging_(staging), execution_(execution), kernels_(kernels) {}

  /// out = frames transform, or out += sign * frames transform.
  void add(const Tensor& frames, const Tensor& transform, const Tensor& out, std::optional<double> sign = {}) {
    Gemm gemm{kName, frames, with_batch(transform, {frames.shape[0]}), std::nullopt, out};
    if (sign) gemm.c = out;
    if (sign) gemm.alpha = Scalar(&*sign, DType::kDouble);
    append(kernels_, gemm_kernels(gemm, staging_, execution_));
  }

 private:
  Staging& staging_;
  runtime::Execution execution_;
  Kernels& kernels_;
};

}  // namespace

std::shared_ptr<Executor> plan_stft(const InputArg& self_handle, const InputArg& window_handle,
                                    const OutputArg& out_handle, const StftAttributes& attributes) {
  TensorParameters tensors;
  const auto self = tensors.input(self_handle);
  const auto window = tensors.optional_input(window_handle);
  const auto out = tensors.output(out_handle);
  constexpr DTypeSet kSignals = {DType::kFloat, DType::kDouble, DType::kComplex64, DType::kComplex128};
  tensors.check_all(kSignals);
  const DType real = real_part_of(tensors[self].dtype);
  if (tensors.has(window)) {
    check(real_part_of(tensors[window].dtype) == real, Code::kNnInvalid,
          "windowOptional has dtype {} and self {}; real or complex dtypes of the same precision are expected.",
          tensors[window].dtype, tensors[self].dtype);
  }
  const DType result = attributes.complex ? complex_of(real) : real;
  check(tensors[out].dtype == result, Code::kNnInvalid, "out has dtype {}; {} is expected.", tensors[out].dtype,
        result);
  const Shape& shape = tensors[self].shape;
  check(shape.size() == 1 || shape.size() == 2, Code::kNnInvalid, "self has shape {}; (L) or (B, L) is expected.",
        shape);
  const StftSizes sizes = checked_sizes(tensors[self], attributes);
  tensors.check_shape(window, {attributes.window}, "winLength makes");
  const bool complex = is_complex(tensors[self].dtype) || (tensors.has(window) && is_complex(tensors[window].dtype));
  check(!complex || !attributes.onesided, Code::kNnInvalid,
        "onesided is true, and self or windowOptional is complex; a real signal and window are expected.");
  Shape expected(shape.begin(), shape.end() - 1);
  expected.push_back(sizes.frequencies);
  expected.push_back(sizes.frames);
  if (!attributes.complex) expected.push_back(2);
  tensors.check_shape(out, expected, "frequencies and frames make");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_disjoint(*bound[out], "out", *bound[self], "self");
    Kernels kernels;
    if (bound[out]->empty()) return copy_kernels(kName, *bound[out], *bound[out]);
    const Transform transform = make_transform(attributes, bound[window], real, sizes.frequencies, staging, kernels);
    const Tensor real_out = result_component(*bound[out], attributes, 0);
    const Tensor imaginary_out = result_component(*bound[out], attributes, 1);
    const Tensor frames = frames_of(*bound[self], attributes, sizes.frames);
    const bool complex_signal = is_complex(frames.dtype);
    Products products(staging, execution, kernels);
    products.add(complex_signal ? component_of(frames, 0) : frames, transform.real, real_out);
    products.add(complex_signal ? component_of(frames, 0) : frames, transform.imaginary, imaginary_out);
    // (a + bi)(c + di) = (ac - bd) + (ad + bc) i.
    if (complex_signal) products.add(component_of(frames, 1), transform.imaginary, real_out, -1);
    if (complex_signal) products.add(component_of(frames, 1), transform.real, imaginary_out, 1);
    return kernels;
  });
}

}  // namespace aclvk::ops
