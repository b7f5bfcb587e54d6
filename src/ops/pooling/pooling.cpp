#include "ops/pooling/pooling.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/pooling/maximum.hpp"
#include "ops/pooling/mean_lines.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/pooling/window_call.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "pooling/mask.args.h"
#include "pooling/mask_gradient.args.h"
#include "pooling/mean.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(MeanArguments, MEAN_ARGUMENTS);
CONSTANT_STRUCT(MeanConstants, MEAN_CONSTANTS);
ARGUMENT_STRUCT(MaskArguments, MASK_ARGUMENTS);
ARGUMENT_STRUCT(MaskGradientArguments, MASK_GRADIENT_ARGUMENTS);

constexpr std::string_view kMeanShader = "pooling/mean_f32";

/// The parameters of a pooling.
struct Pooled {
  TensorParameters tensors{};
  ParamId self{};
  ParamId out{};
  std::optional<ParamId> indices{};

  const Tensor& input() const { return tensors[self]; }
};

/// A pooling with checked attributes.
struct PoolCall {
  Pool pool;
  const char* name;
  WindowWalk walk{};
  PoolDivisor divisor{};
};

Pooled required_parameters(const PoolHandles& handles) {
  Pooled pooled;
  pooled.self = pooled.tensors.input(handles.self);
  pooled.out = pooled.tensors.output(handles.out);
  if (handles.has_indices) pooled.indices = pooled.tensors.output(handles.indices);
  return pooled;
}

void check_tensors(const PoolHandles& handles, const Pooled& pooled) {
  const TensorParameters& tensors = pooled.tensors;
  tensors.check_dtypes(dtypes_of(handles.name));
  check_same_dtype(tensors[pooled.out], handles.out.name, pooled.input(), handles.self.name);
  if (pooled.indices) check_dtype(tensors[*pooled.indices], handles.indices.name, kIndices);
  tensors.check_views();
  check_channels_first(pooled.input(), handles.self.name);
  check_channels_first(tensors[pooled.out], handles.out.name);
}

void check_results(const Pooled& pooled, const Shape& spatial) {
  const Shape& self = pooled.input().shape;
  Shape shape(self.begin(), self.end() - spatial.size());
  shape.append(spatial.begin(), spatial.end());
  pooled.tensors.check_shape(pooled.out, shape, "the windows make");
  if (pooled.indices) pooled.tensors.check_shape(*pooled.indices, shape, "the windows make");
}

Kernels mean_kernels(const PoolCall& call, const Tensor& self, const Tensor& out) {
  WindowCall windows(call.name, kMeanShader, call.walk, self.dtype, self, out);
  StridedCall& mean = windows.call;
  MeanConstants constants;
  constants.kCountsPadding = call.divisor.counts_padding;
  add_constants(mean, constants);
  MeanArguments arguments;
  arguments.divisor = signed_word(call.divisor.divisor);
  // Missing dims come first, as in windows.glsl.
  std::size_t dim = arguments.padding_after.size() - call.walk.windows.size();
  for (const Window& window : call.walk.windows) arguments.padding_after[dim++] = signed_word(window.after);
  add_arguments(mean, arguments);
  mean.operands.push_back({&out, Access::kWrite});
  return strided_kernels(mean);
}

/// The mean over large windows, separable: one pass a dim.
Kernels large_mean_kernels(const PoolCall& call, Staging& staging, const Tensor& self, const Tensor& out) {
  const Shape spatial(out.shape.end() - call.walk.windows.size(), out.shape.end());
  const bool shares = call.walk.placement == Placement::kAdaptive;
  const std::vector<Line> lines = shares ? adaptive_lines(self.shape, spatial, "outputSize")
                                         : mean_lines(self.shape, call.walk.windows, spatial, call.divisor);
  return line_kernels(call.name, staging, self, out, lines, factor_of(call.divisor));
}

std::shared_ptr<Executor> executor_of(const PoolCall& call, const Pooled& pooled) {
  return staged_executor(call.name, pooled.tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor& self = *bound[pooled.self];
    const Tensor& out = *bound[pooled.out];
    check_disjoint(out, pooled.tensors.name(pooled.out), self, pooled.tensors.name(pooled.self));
    if (call.pool == Pool::kMean) {
      const bool large = use_separable(call.walk, self.shape, out.shape);
      return large ? large_mean_kernels(call, staging, self, out) : mean_kernels(call, self, out);
    }
    const Tensor* indices = pooled.indices ? bound[*pooled.indices] : nullptr;
    return maximum_kernels(call.name, staging, call.walk, self, out, indices);
  });
}

/// One window over all spatial dims is a reduction, which uses many threads for it.
std::shared_ptr<Executor> whole_executor(Pool pool, const char* name, const Pooled& pooled, std::size_t dims) {
  const Tensor& self = pooled.input();
  const Tensor& out = pooled.tensors[pooled.out];
  Reduction reduction =
      reduction_of(name, pool == Pool::kMean ? ReduceKind::kMean : ReduceKind::kMax, self, self.dtype, out);
  reduction.dims = all_dims(self) & ~((1U << (self.shape.size() - dims)) - 1);
  const std::int64_t count = reduced_count(self, reduction.dims);
  // The mean divides by the count; the maximum ignores it.
  reduction.argument = scalar_words(Scalar(&count, DType::kInt64), reduction.compute);
  return reduction_executor(reduction, self, {&out}, {pooled.tensors.name(pooled.out)});
}

std::shared_ptr<Executor> plan_windows(const PoolHandles& handles, const Pooled& pooled, const PoolWindow& window,
                                       const WindowArrays& arrays, PoolCall call) {
  check_image(handles.name, handles.dims, pooled.input(), handles.self.name);
  call.walk.windows = checked_windows(window, arrays, handles.dims);
  check_results(pooled, positions_of(call.walk.windows, pooled.input(), window.ceil_mode, handles.self.name));
  return executor_of(call, pooled);
}

/// The layout of a maximum mask: windows over the last two dims, and the bytes of a row of bits (one row for each
/// offset in the window).
struct MaskWalk {
  Windows windows{};
  Shape positions{};
  std::int64_t row_bytes = 0;
};

MaskWalk checked_mask(const TensorParameters& tensors, ParamId self, ParamId mask, const Windows& windows,
                      const Shape& positions) {
  constexpr std::int64_t kUnit = 16;
  constexpr std::int64_t kMaxBytes = std::int64_t{1} << 31;
  MaskWalk walk{windows, positions};
  // CANN's shape of a mask: the positions in units of 16 and one more, of 32 bytes each. The bits take only the
  // head of a row.
  walk.row_bytes = ((positions[0] * positions[1] + kUnit - 1) / kUnit + 1) * 2 * kUnit;
  const Shape& image = tensors[self].shape;
  Shape shape(image.begin(), image.end() - 2);
  shape.push_back(windows[0].size * windows[1].size);
  shape.push_back(walk.row_bytes);
  check_dtype(tensors[mask], tensors.name(mask), {DType::kInt8});
  tensors.check_shape(mask, shape, "a row for each position in the window has shape");
  check(element_count(shape) <= kMaxBytes, Code::kNnInvalid, "{} has shape {}; at most 2^31 bytes are supported.",
        tensors.name(mask), shape);
  return walk;
}

/// Sets kernel, extent, step, padding and dilation of both dims in the arguments of either kernel.
template <typename Arguments>
void set_windows(Arguments& arguments, const MaskWalk& walk, const Tensor& self) {
  const std::size_t rank = self.shape.size();
  for (const std::size_t i : {0, 1}) {
    arguments.kernel[i] = word(walk.windows[i].size);
    arguments.extent[i] = word(self.shape[rank - 2 + i]);
    arguments.step[i] = word(walk.windows[i].step);
    arguments.before[i] = word(walk.windows[i].before);
    arguments.dilation[i] = word(walk.windows[i].dilation);
  }
}

runtime::Kernel mask_kernel(const char* name, const MaskWalk& walk, const Tensor& self, const Tensor& numbers,
                            const Tensor& mask) {
  const std::int64_t bytes = mask.elements();
  const std::int64_t positions = walk.positions[0] * walk.positions[1];
  MaskArguments arguments;
  arguments.bytes = word(bytes);
  arguments.row_bytes = word(walk.row_bytes);
  arguments.positions = word(positions);
  arguments.columns = word(walk.positions[1]);
  set_windows(arguments, walk, self);
  KernelBuilder kernel(name, "pooling/mask_bits");
  kernel.add_operand(numbers.address(), static_cast<std::uint64_t>(numbers.elements()) * 4, Access::kRead);
  kernel.add_operand(mask.address(), static_cast<std::uint64_t>(bytes), Access::kReadWrite);
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(bytes));
  return kernel.build();
}

Kernels mask_gradient_kernels(const char* name, const MaskWalk& walk, const Tensor& gradient, const Tensor& mask,
                              const Tensor& out) {
  const Covering rows = covering_of(walk.windows[0], walk.positions[0]);
  const Covering columns = covering_of(walk.windows[1], walk.positions[1]);
  MaskGradientArguments arguments;
  arguments.row_bytes = word(walk.row_bytes);
  arguments.shape = {word(walk.positions[0]), word(walk.positions[1])};
  set_windows(arguments, walk, out);
  arguments.divisor = {word(rows.divisor), word(columns.divisor)};
  arguments.period = {word(rows.period), word(columns.period)};
  arguments.inverse = {word(rows.inverse), word(columns.inverse)};
  arguments.most = {word(rows.most), word(columns.most)};
  // The lane's start index is its element number, from which the kernel finds plane, row and column.
  const Shape numbers = contiguous_strides(out.shape);
  StridedCall call;
  call.name = name;
  call.shader = "pooling/mask_gradient_f32";
  call.promoted = DType::kFloat;
  add_arguments(call, arguments);
  call.operands = {
      {&gradient, Access::kRead, false, &numbers}, {&mask, Access::kRead, false, &numbers}, {&out, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

std::shared_ptr<Executor> plan_masked_max_pool(const PoolHandles& handles, const PoolWindow& window) {
  const Pooled pooled = required_parameters(handles);
  const TensorParameters& tensors = pooled.tensors;
  const WindowArrays arrays = required_arrays(window);
  tensors.check_dtypes(dtypes_of(handles.name));
  check_same_dtype(tensors[pooled.out], handles.out.name, pooled.input(), "self");
  tensors.check_views();
  check_channels_first(pooled.input(), "self");
  check_channels_first(tensors[pooled.out], handles.out.name);
  check_image(handles.name, handles.dims, pooled.input(), "self");
  PoolCall call{Pool::kMaximum, handles.name};
  call.walk.windows = checked_windows(window, arrays, handles.dims);
  const Shape positions = positions_of(call.walk.windows, pooled.input(), window.ceil_mode);
  Shape shape = batch_of(pooled.input());
  shape.append(positions.begin(), positions.end());
  tensors.check_shape(pooled.out, shape, "the windows make");
  const MaskWalk walk = checked_mask(tensors, pooled.self, *pooled.indices, call.walk.windows, positions);
  return staged_executor(handles.name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    const Tensor& self = *bound[pooled.self];
    const Tensor& out = *bound[pooled.out];
    check_disjoint(out, pooled.tensors.name(pooled.out), self, "self");
    // The mask is derived from the indices of the maxima, one thread for each byte.
    const Tensor numbers = staging.make(out.shape, DType::kInt32);
    Kernels kernels = maximum_kernels(call.name, staging, call.walk, self, out, &numbers);
    if (!out.empty()) {
      kernels.push_back(mask_kernel(call.name, walk, self, numbers, staging.write(*bound[*pooled.indices])));
    }
    return kernels;
  });
}

std::shared_ptr<Executor> plan_masked_gradient(const PoolHandles& handles, const InputArg& gradient_handle,
                                               const InputArg& mask_handle, const PoolWindow& window) {
  TensorParameters tensors;
  const ParamId gradient = tensors.input(gradient_handle);
  const ParamId self = tensors.input(handles.self);
  const ParamId mask = tensors.input(mask_handle);
  const WindowArrays arrays = required_arrays(window);
  const ParamId out = tensors.output(handles.out);
  tensors.check_dtypes(dtypes_of(handles.name));
  check_dtype(tensors[self], "self", kFloats);
  check_same_dtype(tensors[gradient], "gradOutput", tensors[self], "self");
  check_same_dtype(tensors[out], handles.out.name, tensors[self], "self");
  tensors.check_views();
  check_channels_first(tensors[self], "self");
  check_image(handles.name, handles.dims, tensors[self], "self");
  const Windows windows = checked_windows(window, arrays, handles.dims);
  const Shape positions = positions_of(windows, tensors[self], window.ceil_mode);
  Shape shape = batch_of(tensors[self]);
  shape.append(positions.begin(), positions.end());
  tensors.check_shape(gradient, shape, "the windows make");
  tensors.check_shape(out, tensors[self].shape, "self has shape");
  const MaskWalk walk = checked_mask(tensors, self, mask, windows, positions);
  const char* name = handles.name;
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    check_disjoint(*bound[out], tensors.name(out), *bound[gradient], "gradOutput");
    return mask_gradient_kernels(name, walk, staging.read(*bound[gradient]), staging.read(*bound[mask]), *bound[out]);
  });
}

std::shared_ptr<Executor> plan_avg_pool(const PoolHandles& handles, const PoolWindow& window,
                                        const PoolDivisor& divisor, std::int8_t cube_math_type) {
  const Pooled pooled = required_parameters(handles);
  const WindowArrays arrays = required_arrays(window);
  check_tensors(handles, pooled);
  check_divisor(divisor);
  check_cube_math_type(cube_math_type);
  return plan_windows(handles, pooled, window, arrays, {Pool::kMean, handles.name, {}, divisor});
}

std::shared_ptr<Executor> plan_max_pool(const PoolHandles& handles, const PoolWindow& window) {
  const Pooled pooled = required_parameters(handles);
  const WindowArrays arrays = required_arrays(window);
  check_tensors(handles, pooled);
  return plan_windows(handles, pooled, window, arrays, {Pool::kMaximum, handles.name});
}

std::shared_ptr<Executor> plan_onnx_max_pool(const PoolHandles& handles, const PoolWindow& window,
                                             std::int64_t auto_pad, std::int64_t ceil_mode) {
  const Pooled pooled = required_parameters(handles);
  WindowArrays arrays = required_arrays(window);
  check_tensors(handles, pooled);
  check(auto_pad == 0, Code::kNnInvalid, "autoPad is {}; expected 0, which takes the padding of {}.", auto_pad,
        window.padding.name);
  check(ceil_mode == 0 || ceil_mode == 1, Code::kNnInvalid, "ceilMode is {}; expected 0 or 1.", ceil_mode);
  if (arrays.padding.empty()) arrays.padding = {0};
  if (arrays.dilation.empty()) arrays.dilation = {1};
  return plan_windows(handles, pooled, window, arrays, {Pool::kMaximum, handles.name});
}

std::shared_ptr<Executor> plan_adaptive_pool(Pool pool, const PoolHandles& handles, const IntArrayArg& output_size) {
  const Pooled pooled = required_parameters(handles);
  const auto array = required_ints(output_size);
  check_tensors(handles, pooled);
  check_image(handles.name, handles.dims, pooled.input(), "self");
  const WindowValues sizes = window_values(array, "outputSize", handles.dims, 0);
  check_results(pooled, Shape(sizes.begin(), sizes.end()));
  const bool whole = std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size == 1; });
  // A maximum also needs its index, which a reduction does not return.
  if (whole && pool == Pool::kMean) return whole_executor(pool, handles.name, pooled, handles.dims);
  const Tensor& self = pooled.input();
  PoolCall call{pool, handles.name};
  call.walk.placement = Placement::kAdaptive;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t size = self.shape[self.shape.size() - sizes.size() + i];
    const std::int64_t positions = std::max<std::int64_t>(sizes[i], 1);
    constexpr std::int64_t kMaxProduct = std::int64_t{1} << 31;
    check(size < kMaxProduct / positions, Code::kNnInvalid,
          "outputSize has the value {} for {} elements; their product must be below 2^31.", sizes[i], size);
    // Windows that do not begin and end at whole elements take one more.
    call.walk.windows.push_back({size % positions == 0 ? size / positions : size / positions + 2});
  }
  return executor_of(call, pooled);
}

std::shared_ptr<Executor> plan_global_pool(Pool pool, const PoolHandles& handles) {
  const Pooled pooled = required_parameters(handles);
  check_tensors(handles, pooled);
  const Tensor& self = pooled.input();
  check(self.shape.size() >= 3, Code::kNnInvalid,
        "self has shape {}; {} takes tensors of three dimensions or more, of which all after the first two are pooled.",
        self.shape, handles.name);
  const std::size_t dims = self.shape.size() - 2;
  check_results(pooled, Shape(dims, 1));
  const bool empty = std::find(self.shape.begin() + 2, self.shape.end(), 0) != self.shape.end();
  check(!empty, Code::kNnInvalid, "self has shape {}; only its first two dimensions may be empty.", self.shape);
  return whole_executor(pool, handles.name, pooled, dims);
}

}  // namespace aclvk::ops
