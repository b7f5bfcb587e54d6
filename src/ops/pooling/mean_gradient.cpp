#include "ops/pooling/mean_gradient.hpp"

#include "base/error.hpp"
#include "ops/matmul/product.hpp"
#include "ops/pooling/mean_lines.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/resample/lines.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

struct Places {
  ParamId gradient;
  ParamId self;
  ParamId out;
};

Places gradient_parameters(const MeanGradient& handles, TensorParameters& tensors) {
  Places places{};
  places.gradient = tensors.input(handles.gradient, "gradOutput");
  places.self = tensors.input(handles.self, "self");
  return places;
}

void check_gradient(const MeanGradient& handles, const TensorParameters& tensors, const Places& places) {
  tensors.check_dtypes(dtypes_of(handles.name));
  check_same_dtype(tensors[places.self], "self", tensors[places.gradient], "gradOutput");
  check_same_dtype(tensors[places.out], handles.out_name, tensors[places.gradient], "gradOutput");
  tensors.check_views();
  tensors.for_each([&](ParamId place, const Tensor& tensor) { check_channels_first(tensor, tensors.name(place)); });
  check_image(handles.name, handles.dims, tensors[places.self], "self");
  tensors.check_shape(places.out, tensors[places.self].shape, "self has shape");
}

std::shared_ptr<Executor> gradient_executor(const MeanGradient& handles, const TensorParameters& tensors,
                                            const Places& places, std::vector<Line> lines, double factor) {
  for (Line& line : lines) line.adjoint = true;
  return staged_executor(handles.name, tensors, [=, name = handles.name](const auto& bound, Staging& staging) {
    return line_kernels(name, staging, *bound[places.gradient], *bound[places.out], lines, factor);
  });
}

}  // namespace

std::shared_ptr<Executor> plan_avg_pool_gradient(const MeanGradient& handles, const PoolWindow& window,
                                                 const PoolDivisor& divisor, std::int8_t cube_math_type) {
  TensorParameters tensors;
  Places places = gradient_parameters(handles, tensors);
  const WindowArrays arrays = required_arrays(window);
  places.out = tensors.output(handles.out, handles.out_name);
  check_gradient(handles, tensors, places);
  check_divisor(divisor);
  check_cube_math_type(cube_math_type);
  const Windows windows = checked_windows(window, arrays, handles.dims);
  const Shape spatial = places_of(windows, tensors[places.self], window.ceil_mode);
  tensors.check_shape(places.gradient, with_spatial(tensors[places.self], spatial), "the windows make");
  return gradient_executor(handles, tensors, places, mean_lines(tensors[places.self].shape, windows, spatial, divisor),
                           factor_of(divisor));
}

std::shared_ptr<Executor> plan_adaptive_mean_gradient(const MeanGradient& handles) {
  TensorParameters tensors;
  Places places = gradient_parameters(handles, tensors);
  places.out = tensors.output(handles.out, handles.out_name);
  check_gradient(handles, tensors, places);
  const Shape& gradient = tensors[places.gradient].shape;
  check(gradient.size() == tensors[places.self].shape.size(), Code::kNnInvalid,
        "gradOutput has shape {}; self has {} dimensions.", gradient, tensors[places.self].shape.size());
  const Shape spatial(gradient.end() - handles.dims, gradient.end());
  tensors.check_shape(places.gradient, with_spatial(tensors[places.self], spatial), "self and outputSize make");
  return gradient_executor(handles, tensors, places, share_lines(tensors[places.self].shape, spatial, "gradOutput"), 1);
}

}  // namespace aclvk::ops
