#include "ops/pooling/mean_gradient.hpp"

#include "ops/executor/staged_executor.hpp"
#include "ops/matmul/products/product.hpp"
#include "ops/pooling/mean_lines.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/resample/lines.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

struct ParamIds {
  ParamId gradient;
  ParamId self;
  ParamId out;
};

ParamIds gradient_parameters(const MeanGradient& handles, TensorParameters& tensors) {
  ParamIds ids{};
  ids.gradient = tensors.input(handles.gradient);
  ids.self = tensors.input(handles.self);
  return ids;
}

void check_gradient(const MeanGradient& handles, const TensorParameters& tensors, const ParamIds& ids) {
  tensors.check_dtypes(dtypes_of(handles.name));
  check_same_dtype(tensors[ids.self], "self", tensors[ids.gradient], "gradOutput");
  check_same_dtype(tensors[ids.out], handles.out.name, tensors[ids.gradient], "gradOutput");
  tensors.check_views();
  tensors.for_each([&](ParamId param, const Tensor& tensor) { check_channels_first(tensor, tensors.name(param)); });
  check_image(handles.name, handles.dims, tensors[ids.self], "self");
  tensors.check_shape(ids.out, tensors[ids.self].shape, "self has shape");
}

std::shared_ptr<Executor> gradient_executor(const MeanGradient& handles, const TensorParameters& tensors,
                                            const ParamIds& ids, std::vector<Line> lines, double factor) {
  // The mean is linear, so its gradient is the adjoint of the same lines.
  for (Line& line : lines) line.adjoint = true;
  return staged_executor(handles.name, tensors, [=, name = handles.name](const auto& bound, Staging& staging) {
    return line_kernels(name, staging, *bound[ids.gradient], *bound[ids.out], lines, factor);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_avg_pool_gradient(const MeanGradient& handles, const PoolWindow& window,
                                                 const PoolDivisor& divisor, std::int8_t cube_math_type) {
  TensorParameters tensors;
  ParamIds ids = gradient_parameters(handles, tensors);
  const WindowArrays arrays = required_arrays(window);
  ids.out = tensors.output(handles.out);
  check_gradient(handles, tensors, ids);
  check_divisor(divisor);
  check_cube_math_type(cube_math_type);
  const Windows windows = checked_windows(window, arrays, handles.dims);
  const Shape spatial = positions_of(windows, tensors[ids.self], window.ceil_mode);
  tensors.check_shape(ids.gradient, with_spatial(tensors[ids.self], spatial), "the windows make");
  return gradient_executor(handles, tensors, ids, mean_lines(tensors[ids.self].shape, windows, spatial, divisor),
                           factor_of(divisor));
}

std::shared_ptr<Executor> plan_adaptive_mean_gradient(const MeanGradient& handles) {
  TensorParameters tensors;
  ParamIds ids = gradient_parameters(handles, tensors);
  ids.out = tensors.output(handles.out);
  check_gradient(handles, tensors, ids);
  const Shape spatial = positions_of_gradient(tensors[ids.gradient], tensors[ids.self], handles.dims);
  tensors.check_shape(ids.gradient, with_spatial(tensors[ids.self], spatial), "self and outputSize make");
  return gradient_executor(handles, tensors, ids, adaptive_lines(tensors[ids.self].shape, spatial, "gradOutput"), 1);
}

}  // namespace aclvk::ops
