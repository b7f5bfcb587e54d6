#include "ops/pooling/indexed.hpp"

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/dtype_sets.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// A contiguous tensor with its last dims as one, and those before them as one.
Tensor planes_of(const Tensor& tensor, std::size_t dims) {
  const std::size_t lead = tensor.shape.size() - dims;
  const Shape& shape = tensor.shape;
  return *reshaped(tensor, {element_count(Shape(shape.begin(), shape.begin() + lead)),
                            element_count(Shape(shape.begin() + lead, shape.end()))});
}

/// In each plane an element of the source for each index.
Kernels scatter_planes(const char* name, Combination combination, const Tensor& out, const Tensor& indices,
                       const Tensor& source) {
  ScatterCall call;
  call.name = name;
  call.combination = combination;
  call.out = out;
  call.index = indices;
  call.source = source;
  call.columns = {out.shape[0]};
  call.out_steps = {out.strides[0]};
  call.index_steps = {indices.strides[0]};
  call.source_steps = {source.strides[0]};
  call.count = indices.shape[1];
  call.index_step = 1;
  call.source_step = 1;
  call.range = {out.shape[1], 1, false};
  return scatter_kernels(call);
}

struct GradientPlaces {
  ParamId gradient;
  ParamId self;
  ParamId indices;
  ParamId out;
};

std::shared_ptr<Executor> gradient_executor(const IndexedGradient& handles, const TensorParameters& tensors,
                                            const GradientPlaces& places) {
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, dims = handles.dims](const auto& bound, Staging& staging) {
                           const Tensor& out = *bound[places.out];
                           const bool direct = out.dtype == DType::kFloat;
                           const Tensor sums = direct ? staging.write(out) : staging.make(out.shape, DType::kFloat);
                           Kernels kernels = fill_kernels(name, sums, Element{});
                           append(kernels, scatter_planes(name, Combination::kAdd, planes_of(sums, dims),
                                                          planes_of(staging.read(*bound[places.indices]), dims),
                                                          planes_of(staging.read(*bound[places.gradient]), dims)));
                           if (!direct) append(kernels, copy_kernels(name, out, sums));
                           return kernels;
                         });
}

GradientPlaces gradient_parameters(const IndexedGradient& handles, TensorParameters& tensors) {
  GradientPlaces places{};
  places.gradient = tensors.input(handles.gradient, "gradOutput");
  places.self = tensors.input(handles.self, "self");
  places.indices = tensors.input(handles.indices, "indices");
  return places;
}

void check_gradient(const IndexedGradient& handles, const TensorParameters& tensors, const GradientPlaces& places) {
  check_dtype(tensors[places.gradient], "gradOutput", kFloats);
  check_same_dtype(tensors[places.self], "self", tensors[places.gradient], "gradOutput");
  check_dtype(tensors[places.indices], "indices", kIndices);
  check_same_dtype(tensors[places.out], "gradInput", tensors[places.gradient], "gradOutput");
  tensors.check_views();
  tensors.for_each([&](ParamId place, const Tensor& tensor) { check_channels_first(tensor, tensors.name(place)); });
  check_image(handles.name, handles.dims, tensors[places.self], "self");
  tensors.check_shape(places.out, tensors[places.self].shape, "self has shape");
}

void check_places(const TensorParameters& tensors, const GradientPlaces& places, const Shape& spatial) {
  const Shape shape = with_spatial(tensors[places.self], spatial);
  tensors.check_shape(places.gradient, shape, "the windows make");
  tensors.check_shape(places.indices, shape, "the windows make");
}

}  // namespace

std::shared_ptr<Executor> plan_max_pool_gradient(const IndexedGradient& handles, const PoolWindow& window) {
  TensorParameters tensors;
  GradientPlaces places = gradient_parameters(handles, tensors);
  const WindowArrays arrays = required_arrays(window);
  places.out = tensors.output(handles.out, "gradInput");
  check_gradient(handles, tensors, places);
  const Windows windows = checked_windows(window, arrays, handles.dims);
  check_places(tensors, places, places_of(windows, tensors[places.self], window.ceil_mode));
  return gradient_executor(handles, tensors, places);
}

std::shared_ptr<Executor> plan_adaptive_max_gradient(const IndexedGradient& handles) {
  TensorParameters tensors;
  GradientPlaces places = gradient_parameters(handles, tensors);
  places.out = tensors.output(handles.out, "gradInput");
  check_gradient(handles, tensors, places);
  const Shape& gradient = tensors[places.gradient].shape;
  check(gradient.size() == tensors[places.self].shape.size(), Code::kNnInvalid,
        "gradOutput has shape {}; self has {} dimensions.", gradient, tensors[places.self].shape.size());
  check_places(tensors, places, Shape(gradient.end() - handles.dims, gradient.end()));
  return gradient_executor(handles, tensors, places);
}

namespace {

struct UnpoolPlaces {
  ParamId self;
  ParamId indices;
  ParamId out;
};

/// The arrays of an unpooling, none of which is NULL.
struct UnpoolArrays {
  std::vector<std::int64_t> size;
  std::vector<std::int64_t> stride{1};
  std::vector<std::int64_t> padding{0};

  explicit UnpoolArrays(const Unpool& handles) : size(required_ints(handles.size, "outputSize")) {
    if (!handles.has_window) return;
    stride = required_ints(handles.stride, "stride");
    padding = required_ints(handles.padding, "padding");
  }
};

/// The shape of the larger tensor.
Shape check_unpool(const Unpool& handles, const TensorParameters& tensors, const UnpoolPlaces& places,
                   const UnpoolArrays& arrays) {
  const DTypeSet& supported = dtypes_of(handles.name).outputs;
  check_dtype(tensors[places.self], "self", supported);
  check_dtype(tensors[places.indices], "indices", kIndices);
  check_same_dtype(tensors[places.out], handles.out_name, tensors[places.self], "self");
  tensors.check_views();
  tensors.for_each([&](ParamId place, const Tensor& tensor) { check_channels_first(tensor, tensors.name(place)); });
  check_image(handles.name, handles.dims, tensors[places.self], "self");
  tensors.check_shape(places.indices, tensors[places.self].shape, "self has shape");
  check(arrays.size.size() == handles.dims, Code::kNnInvalid, "outputSize has {} values; expected {}.",
        arrays.size.size(), handles.dims);
  window_values(arrays.stride, "stride", handles.dims, 1);
  window_values(arrays.padding, "padding", handles.dims, 0);
  const WindowValues sizes = window_values(arrays.size, "outputSize", handles.dims, 1);
  return with_spatial(tensors[places.self], Shape(sizes.begin(), sizes.end()));
}

}  // namespace

std::shared_ptr<Executor> plan_unpool(const Unpool& handles) {
  TensorParameters tensors;
  UnpoolPlaces places{};
  places.self = tensors.input(handles.self, "self");
  places.indices = tensors.input(handles.indices, "indices");
  const UnpoolArrays arrays(handles);
  places.out = tensors.output(handles.out, handles.out_name);
  tensors.check_shape(places.out, check_unpool(handles, tensors, places, arrays), "with outputSize the shape is");
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, dims = handles.dims](const auto& bound, Staging& staging) {
                           const Tensor out = staging.write(*bound[places.out]);
                           Kernels kernels = fill_kernels(name, out, Element{});
                           append(kernels, scatter_planes(name, Combination::kAssign, planes_of(out, dims),
                                                          planes_of(staging.read(*bound[places.indices]), dims),
                                                          planes_of(staging.read(*bound[places.self]), dims)));
                           return kernels;
                         });
}

std::shared_ptr<Executor> plan_unpool_gradient(const Unpool& handles, const void* gradient_handle) {
  TensorParameters tensors;
  UnpoolPlaces places{};
  const ParamId gradient = tensors.input(gradient_handle, "gradOutput");
  places.self = tensors.input(handles.self, "self");
  places.indices = tensors.input(handles.indices, "indices");
  const UnpoolArrays arrays(handles);
  places.out = tensors.output(handles.out, handles.out_name);
  tensors.check_shape(gradient, check_unpool(handles, tensors, places, arrays), "with outputSize the shape is");
  check_same_dtype(tensors[gradient], "gradOutput", tensors[places.self], "self");
  tensors.check_shape(places.out, tensors[places.self].shape, "self has shape");
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, dims = handles.dims](const auto& bound, Staging& staging) {
                           const Tensor from = planes_of(staging.read(*bound[gradient]), dims);
                           const Tensor indices = planes_of(staging.read(*bound[places.indices]), dims);
                           const Tensor out = planes_of(staging.write(*bound[places.out]), dims);
                           const Shape steps = {from.strides[0], 0};
                           return gather_kernels({name, &from, &steps, &indices, &out, {from.shape[1], 1, false}});
                         });
}

}  // namespace aclvk::ops
