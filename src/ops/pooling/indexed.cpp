#include "ops/pooling/indexed.hpp"

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/pooling/pool_checks.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

/// Returns a contiguous tensor as (planes, elements of a plane): the last `dims` dims are a plane.
Tensor planes_of(const Tensor& tensor, std::size_t dims) {
  const std::size_t lead = tensor.shape.size() - dims;
  const Shape& shape = tensor.shape;
  return *reshaped(tensor, {element_count(Shape(shape.begin(), shape.begin() + lead)),
                            element_count(Shape(shape.begin() + lead, shape.end()))});
}

/// Scatters the source into `out`, plane by plane: one element for each index.
Kernels scatter_planes(const char* name, Combination combination, const Tensor& out, const Tensor& indices,
                       const Tensor& source) {
  ScatterCall call;
  call.name = name;
  call.combination = combination;
  call.out = out;
  call.index = indices;
  call.source = source;
  // A thread handles a plane: its indices are applied in order.
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

struct GradientParamIds {
  ParamId gradient;
  ParamId self;
  ParamId indices;
  ParamId out;
};

std::shared_ptr<Executor> gradient_executor(const IndexedGradient& handles, const TensorParameters& tensors,
                                            const GradientParamIds& ids) {
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, dims = handles.dims](const auto& bound, Staging& staging) {
                           const Tensor& out = *bound[ids.out];
                           const bool direct = out.dtype == DType::kFloat;
                           const Tensor sums = direct ? staging.write(out) : staging.make(out.shape, DType::kFloat);
                           Kernels kernels = fill_kernels(name, sums, Element{});
                           append(kernels, scatter_planes(name, Combination::kAdd, planes_of(sums, dims),
                                                          planes_of(staging.read(*bound[ids.indices]), dims),
                                                          planes_of(staging.read(*bound[ids.gradient]), dims)));
                           if (!direct) append(kernels, copy_kernels(name, out, sums));
                           return kernels;
                         });
}

GradientParamIds gradient_parameters(const IndexedGradient& handles, TensorParameters& tensors) {
  GradientParamIds ids{};
  ids.gradient = tensors.input(handles.gradient);
  ids.self = tensors.input(handles.self);
  ids.indices = tensors.input(handles.indices);
  return ids;
}

void check_gradient(const IndexedGradient& handles, const TensorParameters& tensors, const GradientParamIds& ids) {
  check_dtype(tensors[ids.gradient], "gradOutput", kFloats);
  check_same_dtype(tensors[ids.self], "self", tensors[ids.gradient], "gradOutput");
  check_dtype(tensors[ids.indices], "indices", kIndices);
  check_same_dtype(tensors[ids.out], "gradInput", tensors[ids.gradient], "gradOutput");
  tensors.check_views();
  tensors.for_each([&](ParamId param, const Tensor& tensor) { check_channels_first(tensor, tensors.name(param)); });
  check_image(handles.name, handles.dims, tensors[ids.self], "self");
  tensors.check_shape(ids.out, tensors[ids.self].shape, "self has shape");
}

void check_positions(const TensorParameters& tensors, const GradientParamIds& ids, const Shape& spatial) {
  const Shape shape = with_spatial(tensors[ids.self], spatial);
  tensors.check_shape(ids.gradient, shape, "the windows make");
  tensors.check_shape(ids.indices, shape, "the windows make");
}

}  // namespace

std::shared_ptr<Executor> plan_max_pool_gradient(const IndexedGradient& handles, const PoolWindow& window) {
  TensorParameters tensors;
  GradientParamIds ids = gradient_parameters(handles, tensors);
  const WindowArrays arrays = required_arrays(window);
  ids.out = tensors.output(handles.out);
  check_gradient(handles, tensors, ids);
  const Windows windows = checked_windows(window, arrays, handles.dims);
  check_positions(tensors, ids, positions_of(windows, tensors[ids.self], window.ceil_mode));
  return gradient_executor(handles, tensors, ids);
}

std::shared_ptr<Executor> plan_adaptive_max_gradient(const IndexedGradient& handles) {
  TensorParameters tensors;
  GradientParamIds ids = gradient_parameters(handles, tensors);
  ids.out = tensors.output(handles.out);
  check_gradient(handles, tensors, ids);
  check_positions(tensors, ids, positions_of_gradient(tensors[ids.gradient], tensors[ids.self], handles.dims));
  return gradient_executor(handles, tensors, ids);
}

namespace {

struct UnpoolParamIds {
  ParamId self;
  ParamId indices;
  ParamId out;
};

/// The array parameters of an unpooling; 161001 if one is NULL.
struct UnpoolArrays {
  std::vector<std::int64_t> size;
  std::vector<std::int64_t> stride{1};
  std::vector<std::int64_t> padding{0};

  explicit UnpoolArrays(const Unpool& handles) : size(required_ints(handles.size)) {
    if (!handles.has_window) return;
    stride = required_ints(handles.stride);
    padding = required_ints(handles.padding);
  }
};

/// Checks the parameters; returns the shape of the larger tensor.
Shape check_unpool(const Unpool& handles, const TensorParameters& tensors, const UnpoolParamIds& ids,
                   const UnpoolArrays& arrays) {
  const DTypeSet& supported = dtypes_of(handles.name).outputs;
  check_dtype(tensors[ids.self], "self", supported);
  check_dtype(tensors[ids.indices], "indices", kIndices);
  check_same_dtype(tensors[ids.out], handles.out.name, tensors[ids.self], "self");
  tensors.check_views();
  tensors.for_each([&](ParamId param, const Tensor& tensor) { check_channels_first(tensor, tensors.name(param)); });
  check_image(handles.name, handles.dims, tensors[ids.self], "self");
  tensors.check_shape(ids.indices, tensors[ids.self].shape, "self has shape");
  check(arrays.size.size() == handles.dims, Code::kNnInvalid, "outputSize has {} values; expected {}.",
        arrays.size.size(), handles.dims);
  window_values(arrays.stride, "stride", handles.dims, 1);
  window_values(arrays.padding, "padding", handles.dims, 0);
  const WindowValues sizes = window_values(arrays.size, "outputSize", handles.dims, 1);
  return with_spatial(tensors[ids.self], Shape(sizes.begin(), sizes.end()));
}

}  // namespace

std::shared_ptr<Executor> plan_unpool(const Unpool& handles) {
  TensorParameters tensors;
  UnpoolParamIds ids{};
  ids.self = tensors.input(handles.self);
  ids.indices = tensors.input(handles.indices);
  const UnpoolArrays arrays(handles);
  ids.out = tensors.output(handles.out);
  tensors.check_shape(ids.out, check_unpool(handles, tensors, ids, arrays), "with outputSize the shape is");
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, dims = handles.dims](const auto& bound, Staging& staging) {
                           const Tensor out = staging.write(*bound[ids.out]);
                           Kernels kernels = fill_kernels(name, out, Element{});
                           append(kernels, scatter_planes(name, Combination::kAssign, planes_of(out, dims),
                                                          planes_of(staging.read(*bound[ids.indices]), dims),
                                                          planes_of(staging.read(*bound[ids.self]), dims)));
                           return kernels;
                         });
}

std::shared_ptr<Executor> plan_unpool_gradient(const Unpool& handles, const InputArg& gradient_handle) {
  TensorParameters tensors;
  UnpoolParamIds ids{};
  const ParamId gradient = tensors.input(gradient_handle);
  ids.self = tensors.input(handles.self);
  ids.indices = tensors.input(handles.indices);
  const UnpoolArrays arrays(handles);
  ids.out = tensors.output(handles.out);
  tensors.check_shape(gradient, check_unpool(handles, tensors, ids, arrays), "with outputSize the shape is");
  check_same_dtype(tensors[gradient], "gradOutput", tensors[ids.self], "self");
  tensors.check_shape(ids.out, tensors[ids.self].shape, "self has shape");
  return staged_executor(handles.name, tensors,
                         [=, name = handles.name, dims = handles.dims](const auto& bound, Staging& staging) {
                           const Tensor from = planes_of(staging.read(*bound[gradient]), dims);
                           const Tensor indices = planes_of(staging.read(*bound[ids.indices]), dims);
                           const Tensor out = planes_of(staging.write(*bound[ids.out]), dims);
                           const Shape steps = {from.strides[0], 0};
                           return gather_kernels({name, &from, &steps, &indices, &out, {from.shape[1], 1, false}});
                         });
}

}  // namespace aclvk::ops
