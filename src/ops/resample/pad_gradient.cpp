#include "ops/resample/pad_gradient.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/resample/real_parts.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr DTypeSet kPadded = kFloats.with(kDoubles).with(kComplexes);
constexpr DTypeSet kCircular = kFloats;

/// Returns the largest padding of a map: size - 1 for reflection, size for circular padding, any for replication.
std::int64_t most_padding(LineMap map, std::int64_t size, std::int64_t value) {
  return map == LineMap::kReflect ? size - 1 : map == LineMap::kCircular ? size : value;
}

/// Returns the lines of the padded dims.
std::vector<Line> checked_lines(const PadGradient& handles, const Shape& self,
                                const std::vector<std::int64_t>& padding) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < handles.dims; ++i) {
    Line line;
    line.dim = self.size() - 1 - i;
    line.map = handles.map;
    // Padding copies inputs to outputs; the adjoint adds the gradients of all copies.
    line.adjoint = true;
    line.inputs = self[line.dim];
    const std::int64_t before = padding[2 * i];
    const std::int64_t after = padding[2 * i + 1];
    for (const std::int64_t value : {before, after}) {
      check(value <= most_padding(handles.map, line.inputs, value) && value >= -line.inputs && line.inputs > 0,
            Code::kNnInvalid, "padding of dimension {} is {} and {}, which its {} elements do not allow.", line.dim,
            before, after, line.inputs);
    }
    constexpr std::int64_t kMaxSize = std::int64_t{1} << 30;
    check(before < kMaxSize && after < kMaxSize && line.inputs + before + after >= 0, Code::kNnInvalid,
          "padding of dimension {} is {} and {}; it has {} elements.", line.dim, before, after, line.inputs);
    line.outputs = line.inputs + before + after;
    line.window.before = before;
    if (before != 0 || after != 0) lines.push_back(line);
  }
  return lines;
}

Shape padded(Shape shape, const std::vector<Line>& lines) {
  for (const Line& line : lines) shape[line.dim] = line.outputs;
  return shape;
}

}  // namespace

std::shared_ptr<Executor> plan_pad_gradient(const PadGradient& handles) {
  TensorParameters tensors;
  const ParamId gradient = tensors.input(handles.gradient);
  const ParamId self = tensors.input(handles.self);
  const auto padding = required_ints(handles.padding);
  const ParamId out = tensors.output(handles.out);
  check_dtype(tensors[gradient], "gradOutput", handles.map == LineMap::kCircular ? kCircular : kPadded);
  check_same_dtype(tensors[self], "self", tensors[gradient], "gradOutput");
  check_same_dtype(tensors[out], "gradInput", tensors[gradient], "gradOutput");
  tensors.check_views();
  const Shape& shape = tensors[self].shape;
  check(shape.size() == handles.dims + 1 || shape.size() == handles.dims + 2, Code::kNnInvalid,
        "self has {} dimensions; expected {} or {}.", shape.size(), handles.dims + 1, handles.dims + 2);
  check(padding.size() == 2 * handles.dims, Code::kNnInvalid, "padding has {} values; expected {}.", padding.size(),
        2 * handles.dims);
  const std::vector<Line> lines = checked_lines(handles, shape, padding);
  tensors.check_shape(gradient, padded(shape, lines), "the padded shape is");
  tensors.check_shape(out, shape, "self has shape");
  return staged_executor(handles.name, tensors, [=, name = handles.name](const auto& bound, Staging& staging) {
    // A linear map with real weights applies to real and imaginary parts separately.
    return line_kernels(name, staging, real_parts(*bound[gradient]), real_parts(*bound[out]), lines);
  });
}

}  // namespace aclvk::ops
