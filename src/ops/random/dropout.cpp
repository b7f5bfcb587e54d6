#include "ops/random/dropout.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"
#include "random/dropout.args.h"
#include "random/mask.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(MaskArguments, MASK_ARGUMENTS);
CONSTANT_STRUCT(MaskConstants, MASK_CONSTANTS);
ARGUMENT_STRUCT(DropoutArguments, DROPOUT_ARGUMENTS);

constexpr DTypeSet kMasks = {DType::kUint8};
constexpr DTypeSet kReadMasks = kMasks.with(kBools);

// Groups of 128 elements take 16 bytes, as in CANN.
std::int64_t mask_bytes(std::int64_t elements) { return elements / 128 * 16 + (elements % 128 > 0 ? 16 : 0); }

void check_probability(double probability, const char* name) {
  check(probability >= 0 && probability <= 1, Code::kNnInvalid, "{} is {}; expected 0 to 1.", name, probability);
}

void check_mask(const TensorParameters& tensors, ParamId id, std::int64_t elements, const DTypeSet& dtypes = kMasks) {
  const Tensor& mask = tensors[id];
  check_operand(mask, tensors.name(id), dtypes);
  check(elements < std::int64_t{1} << 32, Code::kNnInvalid,
        "{} is for {} elements; less than 2^32 of them have random words.", tensors.name(id), elements);
  check(mask.elements() >= mask_bytes(elements), Code::kNnInvalid,
        "{} has {} elements; a bit for each of {} elements, rounded up to 128, takes {} bytes.", tensors.name(id),
        mask.elements(), elements, mask_bytes(elements));
  check(reshaped(mask, {mask.elements()}).has_value(), Code::kNnInvalid,
        "{} has shape {} and strides {}; one stride between all elements is expected.", tensors.name(id), mask.shape,
        mask.strides);
}

/// Views the bytes of a mask that are used.
Tensor bytes_of(const Tensor& mask, std::int64_t elements) {
  Tensor bytes = sliced(*reshaped(mask, {mask.elements()}), 0, 0, mask_bytes(elements));
  bytes.dtype = DType::kUint8;
  return bytes;
}

/// The arguments of random/mask.comp that determine which elements are dropped.
struct DropArguments {
  const char* name;
  Source source;
  double probability;
  Shape shape;
  const Tensor* noise_shape = nullptr;
};

Kernels mask_kernels(const DropArguments& drop_arguments, const Tensor& mask) {
  const Tensor bytes = bytes_of(mask, element_count(drop_arguments.shape));
  // A probability of 1 does not fit the 32-bit threshold, and neither extreme needs random words.
  if (drop_arguments.probability <= 0 || drop_arguments.probability >= 1) {
    return fill_kernels(drop_arguments.name, bytes, Element{drop_arguments.probability <= 0 ? 0xFFU : 0U});
  }
  SourceCall with_source(drop_arguments.name, "random/mask_bits", drop_arguments.source, bytes.dtype, bytes);
  StridedCall& call = with_source.call;
  const Tensor* const noise =
      drop_arguments.noise_shape && !drop_arguments.noise_shape->empty() ? drop_arguments.noise_shape : nullptr;
  MaskConstants constants;
  constants.kHasNoiseShape = noise != nullptr;
  add_constants(call, constants);
  MaskArguments arguments;
  // A uniform 32-bit word is below the threshold with this probability.
  arguments.dropped = static_cast<uint>(drop_arguments.probability * 4294967296.0);
  arguments.rank = static_cast<uint>(drop_arguments.shape.size());
  if (noise) arguments.noise_step = word(noise->strides.back());
  arguments.shape.fill(1);
  assign_words(arguments.shape, drop_arguments.shape);
  add_arguments(call, arguments);
  call.operands.push_back({noise ? noise : &with_source.any, Access::kRead, false, &with_source.none});
  call.operands.push_back({&bytes, Access::kWrite, false});
  return strided_kernels(call);
}

Kernels do_mask_kernels(const char* name, const Tensor& x, const Tensor& mask, double scale, const Tensor& out) {
  const Tensor bytes = bytes_of(mask, x.elements());
  // Bits are numbered by the elements in row-major order, whatever the strides of x.
  const Shape numbers = contiguous_strides(x.shape);
  StridedCall call;
  call.name = name;
  call.shader = "random/dropout_f32";
  call.promoted = DType::kFloat;
  DropoutArguments arguments;
  arguments.scale = static_cast<float>(scale);
  arguments.mask_step = word(bytes.strides[0]);
  add_arguments(call, arguments);
  call.operands = {{x.empty() ? &x : &bytes, Access::kRead, false, &numbers},
                   {&x, Access::kRead, false},
                   {&out, Access::kWrite, false}};
  return strided_kernels(call);
}

// Inverted dropout (Srivastava et al. 2014): the scale keeps the expected value.
double scale_for(double probability) { return 1 / (1 - probability); }

}  // namespace

std::shared_ptr<Executor> plan_gen_mask(const GenMaskHandles& handles, const SourceHandles& source_handles) {
  const auto sizes = required_ints(handles.shape);
  TensorParameters tensors;
  const SourceParameters source(tensors, source_handles);
  const auto out = tensors.output(handles.out);
  check_dtype(tensors[out], "out", kMasks);
  const auto dtype = static_cast<DType>(handles.dtype);
  check(!handles.has_dtype || kFloats.contains(dtype), Code::kNnInvalid, "probDataType is {}; supported are {}.", dtype,
        kFloats);
  source.check(tensors);
  check(sizes.size() <= kMaxRank, Code::kNnInvalid, "shape has {} sizes; expected at most {}.", sizes.size(), kMaxRank);
  DropArguments drop_arguments;
  drop_arguments.name = handles.name;
  for (const std::int64_t size : sizes) drop_arguments.shape.push_back(size);
  check_mask(tensors, out, element_count(drop_arguments.shape));
  check_probability(handles.probability, "prob");
  drop_arguments.probability = handles.probability;
  if (handles.has_dtype) {
    // probDataType is the dtype of the probability, so the threshold follows from the rounded value.
    drop_arguments.probability = Scalar(&handles.probability, DType::kDouble).rounded_to(dtype).to_double();
  }
  return staged_executor(handles.name, tensors, [=](const BoundTensors& bound, Staging&) {
    DropArguments current = drop_arguments;
    current.source = source.in(bound);
    return mask_kernels(current, *bound[out]);
  });
}

std::shared_ptr<Executor> plan_do_mask(const DoMaskHandles& handles, double scale) {
  TensorParameters tensors;
  const auto self = tensors.input(handles.self);
  const auto mask = tensors.input(handles.mask);
  const auto out = tensors.output(handles.out);
  check_operand(tensors[self], handles.self.name, kFloats);
  check_mask(tensors, mask, tensors[self].elements(), kReadMasks);
  check_same_dtype(tensors[out], handles.out.name, tensors[self], handles.self.name);
  check_view(tensors[out], handles.out.name);
  tensors.check_shape(out, tensors[self].shape, "the operand has shape");
  check(!std::isnan(scale), Code::kNnInvalid, "scale is {}; expected a number.", scale);
  return staged_executor(handles.name, tensors, [=, name = handles.name](const BoundTensors& bound, Staging&) {
    return do_mask_kernels(name, *bound[self], *bound[mask], scale, *bound[out]);
  });
}

std::shared_ptr<Executor> plan_do_mask_for(const DoMaskHandles& handles, double probability) {
  auto executor = plan_do_mask(handles, scale_for(std::clamp(probability, 0.0, 1.0)));
  check_probability(probability, "prob");
  return executor;
}

std::shared_ptr<Executor> plan_dropout(const DropoutHandles& handles, const SourceHandles& source_handles) {
  TensorParameters tensors;
  const auto input = tensors.input(handles.input);
  const auto noise_shape = handles.has_noise_shape ? tensors.optional_input(handles.noise_shape) : ParamId::kNone;
  const SourceParameters source(tensors, source_handles);
  const auto out = tensors.output(handles.out);
  const auto mask = tensors.output(handles.mask_out);
  check_operand(tensors[input], "input", kFloats);
  if (tensors.has(noise_shape)) check_operand(tensors[noise_shape], "optionalNoiseShape", {DType::kInt64});
  check_same_dtype(tensors[out], "out", tensors[input], "input");
  check_view(tensors[out], "out");
  check_mask(tensors, mask, tensors[input].elements());
  const Shape& shape = tensors[input].shape;
  tensors.check_shape(out, shape, "input has shape");
  tensors.check_shape(noise_shape, {static_cast<std::int64_t>(shape.size())}, "input has so many dims:");
  check_probability(handles.probability, "p");
  // Without training the mask is all ones and the result a copy.
  const double probability = handles.train ? handles.probability : 0;
  return staged_executor(handles.name, tensors, [=, name = handles.name](const BoundTensors& bound, Staging&) {
    const Tensor& x = *bound[input];
    Kernels kernels = mask_kernels({name, source.in(bound), probability, x.shape, bound[noise_shape]}, *bound[mask]);
    const Tensor& y = *bound[out];
    if (probability > 0) {
      append(kernels, do_mask_kernels(name, x, *bound[mask], scale_for(probability), y));
    } else if (!is_same_view(x, y)) {
      append(kernels, copy_kernels(name, y, x));
    }
    return kernels;
  });
}

}  // namespace aclvk::ops
