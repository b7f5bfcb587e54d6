#include "ops/resample/lines.hpp"

#include <algorithm>

#include "ops/create/fill.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"
#include "resample/line.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(LineArguments, LINE_ARGUMENTS);
CONSTANT_STRUCT(LineConstants, LINE_CONSTANTS);

constexpr std::int64_t kIterationsPerKernel = kMaxIterations - 500;  // the rest is for the bisections of four lanes

bool is_filter(const Line& line) {
  return line.map == LineMap::kAntialiasLinear || line.map == LineMap::kAntialiasCubic;
}

/// Returns an upper bound of the inputs that an output reads.
std::int64_t max_iterations(const Line& line) {
  switch (line.map) {
    // An input has an image in the padding on each side and itself.
    case LineMap::kReflect:
    case LineMap::kCircular: return 3;
    case LineMap::kCol2im: return covering_of(line.window, line.inputs).most;
    default: break;
  }
  // An input is in ceil(size / step) windows at most.
  if (line.adjoint && line.map == LineMap::kWindow) {
    return std::min(line.outputs, (line.window.size - 1) / line.window.step + 1);
  }
  if (line.adjoint) return line.outputs;
  switch (line.map) {
    case LineMap::kWindow: return std::min(line.window.size, line.inputs);
    case LineMap::kAdaptive: return std::min(line.inputs, line.inputs / std::max<std::int64_t>(line.outputs, 1) + 2);
    case LineMap::kLinear: return 2;
    case LineMap::kCubic: return 4;
    case LineMap::kAntialiasLinear:
    case LineMap::kAntialiasCubic: return line.inputs;
    default: return 1;
  }
}

/// One kernel: the inputs of each output from the `first`-th on.
struct LinePart {
  const Line& line;
  std::int64_t first;
  double factor;
};

Kernels part_kernels(const char* name, const LinePart& part, const Tensor& x, const Tensor& sums, const Tensor& out) {
  const Line& line = part.line;
  const DType compute = x.dtype == DType::kDouble || out.dtype == DType::kDouble ? DType::kDouble : DType::kFloat;
  const ComputeClass kind = class_for(compute, {});
  const std::size_t rank = out.shape.size();
  const bool columns = line.map == LineMap::kCol2im;
  Shape steps = columns ? without(x.strides, line.tap_dim) : x.strides;
  Shape numbers(rank, 0);
  const Shape nothing(rank, 0);
  const std::int64_t stride = steps[line.dim];
  // The kernel moves along the dim itself, from the output's number.
  steps[line.dim] = 0;
  numbers[line.dim] = 1;
  StridedCall call;
  call.name = name;
  call.shader = compute == DType::kDouble ? "resample/line_f64" : "resample/line_f32";
  call.promoted = compute;
  LineConstants constants;
  constants.kMap = static_cast<uint>(line.map);
  constants.kAdjoint = line.adjoint;
  constants.kDivisor = static_cast<uint>(line.divisor);
  add_constants(call, constants);
  const auto words_of = [&](double value) { return scalar_words(Scalar(&value, DType::kDouble), kind); };
  LineArguments arguments;
  arguments.inputs = word(line.inputs);
  arguments.outputs = word(line.outputs);
  arguments.stride = word(stride);
  arguments.first_iteration = word(part.first);
  arguments.iterations = word(kIterationsPerKernel);
  arguments.scale = words_of(line.scale);
  arguments.factor = words_of(part.factor);
  arguments.offset = static_cast<uint>(line.origin);
  arguments.size = word(line.window.size);
  arguments.step = word(line.window.step);
  arguments.before = word(line.window.before);
  arguments.after = word(line.window.after);
  arguments.dilation = word(line.window.dilation);
  if (columns) arguments.tap_stride = word(x.strides[line.tap_dim]);
  const Covering covering = columns ? covering_of(line.window, line.inputs) : Covering{};
  arguments.divisor = word(covering.divisor);
  arguments.period = word(covering.period);
  arguments.inverse = word(covering.inverse);
  add_arguments(call, arguments);
  call.operands = {{&x, Access::kRead, false, &steps},
                   {&sums, Access::kRead, true, &numbers},
                   {&sums, Access::kRead, false, &nothing},
                   {&out, Access::kWrite}};
  return strided_kernels(call);
}

/// All inputs of each output; in several kernels whose results are added where one loop would be too long.
Kernels whole_kernels(const char* name, Staging& staging, const Line& line, const Tensor& x, const Tensor& sums,
                      const Tensor& out, double factor) {
  const std::int64_t iterations = max_iterations(line);
  if (iterations <= kIterationsPerKernel) return part_kernels(name, {line, 0, factor}, x, sums, out);
  const DType compute = out.dtype == DType::kDouble ? DType::kDouble : DType::kFloat;
  // Parts are added in the computed dtype and rounded once.
  const Tensor total = out.dtype == compute ? out : staging.make(out.shape, compute);
  const Tensor more = staging.make(out.shape, compute);
  Kernels kernels = part_kernels(name, {line, 0, factor}, x, sums, total);
  for (std::int64_t first = kIterationsPerKernel; first < iterations; first += kIterationsPerKernel) {
    append(kernels, part_kernels(name, {line, first, factor}, x, sums, more));
    append(kernels, pointwise_kernels(name, Combination::kAdd, total, more));
  }
  if (out.dtype != compute) append(kernels, copy_kernels(name, out, total));
  return kernels;
}

/// Returns the sum of a filter's weights for each output: the filter applied to ones.
Tensor sums_of_weights(const char* name, Staging& staging, Kernels& kernels, const Line& line, DType compute) {
  const double value = 1;
  const Tensor one = staging.make({1}, compute);
  // A filter is cut off at the ends of the input, so its weights have to be normalized by their sum.
  const Tensor sums = staging.make({line.outputs}, compute);
  append(kernels, fill_kernels(name, one, Scalar(&value, DType::kDouble).to_element(compute)));
  Line forward = line;
  forward.dim = 0;
  forward.adjoint = false;
  forward.divisor = LineDivisor::kNone;
  append(kernels, whole_kernels(name, staging, forward, expanded(one, {line.inputs}), one, sums, 1));
  return sums;
}

}  // namespace

Kernels line_kernels(const char* name, Staging& staging, const Tensor& x, const Tensor& out,
                     const std::vector<Line>& lines, double factor) {
  if (x.empty()) return fill_kernels(name, out, Element{});
  if (lines.empty()) return copy_kernels(name, out, x);
  const DType compute = x.dtype == DType::kDouble ? DType::kDouble : DType::kFloat;
  Kernels kernels;
  Tensor from = x;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_last = i + 1 == lines.size();
    Line line = lines[i];
    Shape shape = line.map == LineMap::kCol2im ? without(from.shape, line.tap_dim) : from.shape;
    shape[line.dim] = line.length();
    const Tensor to = is_last ? out : staging.make(shape, compute);
    // Other maps read no weights' sums; x is the placeholder.
    Tensor sums = from;
    if (is_filter(line)) {
      sums = sums_of_weights(name, staging, kernels, line, compute);
      line.divisor = LineDivisor::kWindow;
    }
    append(kernels, whole_kernels(name, staging, line, from, sums, to, is_last ? factor : 1));
    from = to;
  }
  return kernels;
}

}  // namespace aclvk::ops
