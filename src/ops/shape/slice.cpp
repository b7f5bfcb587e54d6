#include "ops/shape/slice.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "ops/args/shape.hpp"
#include "ops/executor/handles.hpp"
#include "ops/shape/copies.hpp"
#include "ops/shape/remap.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kSliceable = kFloats.with({DType::kInt32, DType::kInt64, DType::kInt8, DType::kUint8, DType::kBool});
constexpr DTypeSet kStrided = kCommon.with(kWideUnsigned).with({DType::kComplex32, DType::kComplex64}).with(kFloat8s);
constexpr DTypeSet kAssignable = kFloats.with({DType::kInt32, DType::kInt64, DType::kDouble, DType::kInt8});

/// A slice of one dim, clamped to its size: `count` elements from `start` on.
struct DimSlice {
  std::int64_t start = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
};

DimSlice dim_slice(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t given_step) {
  // Clamps steps to the size: larger ones leave the dim as well, but could overflow when multiplied.
  const std::int64_t reach = std::max<std::int64_t>(size, 1);
  const std::int64_t step = std::clamp(given_step, -reach, reach);
  const auto bounded = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
    return std::clamp(at < 0 ? at + size : at, low, high);
  };
  if (step > 0) {
    const std::int64_t first = bounded(start, 0, size);
    const std::int64_t stop = bounded(end, 0, size);
    return {first, std::max<std::int64_t>(stop - first, 0) == 0 ? 0 : (stop - first - 1) / step + 1, step};
  }
  // The end is exclusive with a negative step, too: -1 is the end after index 0.
  const std::int64_t first = bounded(start, -1, size - 1);
  const std::int64_t stop = bounded(end, -1, size - 1);
  return {first, first <= stop ? 0 : (first - stop - 1) / -step + 1, step};
}

using DimSlices = InlineVector<DimSlice, kMaxRank>;

DimSlices whole_of(const Shape& shape) {
  DimSlices slices;
  for (const std::int64_t size : shape) slices.push_back({0, size, 1});
  return slices;
}

Tensor slice_view(const Tensor& tensor, const DimSlices& slices) {
  Tensor view = tensor;
  for (std::size_t dim = 0; dim < slices.size(); ++dim) {
    view = sliced(view, dim, slices[dim].start, slices[dim].count, slices[dim].step);
  }
  return view;
}

struct Pair {
  TensorPtr self;
  TensorPtr out;
};

std::shared_ptr<Executor> plan_slices(const char* name, const Pair& pair, const DimSlices& slices) {
  check_shape(*pair.out, "out", slice_view(*pair.self, slices).shape, "the slice has shape");
  return plan_copies(name, {{pair.self.get()}, {pair.out.get()}}, "out", "self", [slices](const auto& bound) {
    return std::vector<Copy>{{bound.output(0), slice_view(bound.input(0), slices)}};
  });
}

void check_step(std::int64_t step, const char* name) {
  check(step > 0, Code::kNnInvalid, "{} is {}; expected 1 or more.", name, step);
}

void check_length(const std::vector<std::int64_t>& values, const char* name, std::size_t expected) {
  check(values.size() == expected, Code::kNnInvalid, "{} has {} values; expected {}, the number of starts.", name,
        values.size(), expected);
}

/// The slices in arrays: value i is that of dim axes[i].
struct SliceArrays {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> steps;
};
DimSlices checked_slices(const SliceArrays& arrays, const Shape& shape) {
  check_length(arrays.ends, "the array of ends", arrays.starts.size());
  check_length(arrays.axes, "the array of axes", arrays.starts.size());
  check_length(arrays.steps, "the array of steps", arrays.starts.size());
  DimSlices slices = whole_of(shape);
  InlineVector<std::size_t, kMaxRank> used_dims;
  for (std::size_t i = 0; i < arrays.starts.size(); ++i) {
    check(!shape.empty(), Code::kNnInvalid, "the tensor is a scalar; it has no dimension to slice.");
    const std::size_t dim = checked_dim(arrays.axes[i], shape.size(), "a value of axes");
    check(std::find(used_dims.begin(), used_dims.end(), dim) == used_dims.end(), Code::kNnInvalid,
          "axes names dimension {} twice.", dim);
    used_dims.push_back(dim);
    check_step(arrays.steps[i], "a step");
    slices[dim] = dim_slice(shape[dim], arrays.starts[i], arrays.ends[i], arrays.steps[i]);
  }
  return slices;
}

}  // namespace

std::shared_ptr<Executor> plan(const SliceArgs& args) {
  const std::int64_t dim = args.dim;
  const std::int64_t start = args.start;
  const std::int64_t end = args.end;
  const std::int64_t step = args.step;
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  check_pair(*pair.self, "self", *pair.out, kSliceable);
  return plan_slices("aclnnSlice", pair, checked_slices({{start}, {end}, {dim}, {step}}, pair.self->shape));
}

std::shared_ptr<Executor> plan(const SliceV2Args& args) {
  const TensorPtr input = required_tensor(args.self);
  const SliceArrays arrays{required_ints(args.starts), required_ints(args.ends), required_ints(args.axes),
                           required_ints(args.steps)};
  const Pair pair{input, required_tensor(args.out)};
  check_pair(*pair.self, "self", *pair.out, kSliceable);
  return plan_slices("aclnnSliceV2", pair, checked_slices(arrays, input->shape));
}

/// varRef[slices] = inputValue. Without axes the slices apply to the first dims.
std::shared_ptr<Executor> plan(const StridedSliceAssignV2Args& args) {
  constexpr const char* kName = "aclnnStridedSliceAssignV2";
  const TensorPtr target = required_tensor(args.varRef);
  const TensorPtr source = required_tensor(args.inputValue);
  SliceArrays arrays{required_ints(args.begin), required_ints(args.end), {}, required_ints(args.strides)};
  if (args.axesOptional) arrays.axes = required_ints(args.axesOptional);
  for (std::size_t i = 0; !args.axesOptional && i < arrays.starts.size(); ++i)
    arrays.axes.push_back(static_cast<std::int64_t>(i));
  check_dtype(*target, "varRef", kAssignable);
  check_dtype(*source, "inputValue", kAssignable);
  check_same_dtype(*source, "inputValue", *target, "varRef");
  check_view(*target, "varRef");
  check_view(*source, "inputValue");
  const DimSlices slices = checked_slices(arrays, target->shape);
  check_shape(*source, "inputValue", slice_view(*target, slices).shape, "the slice of varRef has shape");
  return std::make_shared<Executor>(
      kName, Executor::Operands{{target.get(), source.get()}, {target.get()}, {{0, 0}}},
      [slices](const Executor::Operands& bound) {
        check_distinct(bound.output(0), "varRef");
        check_disjoint(bound.output(0), "varRef", bound.input(1), "inputValue");
        return copies_kernels(kName, {{slice_view(bound.output(0), slices), bound.input(1)}});
      });
}

namespace {

/// The result of applying TensorFlow's masks to the arrays: a slice for each dim of self, and the shape of out.
struct SparseSlice {
  DimSlices slices;
  Shape shape;
};

class SliceReader {
 public:
  SliceReader(const Shape& shape, const SliceArrays& arrays, const SliceMasks& masks)
      : shape_(shape), arrays_(arrays), masks_(masks) {}

  SparseSlice read() {
    const std::size_t values = arrays_.starts.size();
    std::size_t named = 0;
    std::size_t ellipses = 0;
    for (std::size_t i = 0; i < values; ++i) {
      if (is_set(masks_.ellipsis, i))
        ++ellipses;
      else if (!is_set(masks_.new_axis, i))
        ++named;
    }
    check(ellipses <= 1, Code::kNnInvalid, "ellipsisMask has {} bits; expected at most one.", ellipses);
    // The ellipsis stands for all dims that no other value names.
    check(named <= shape_.size(), Code::kNnInvalid, "begin names {} dimensions; self has {}.", named, shape_.size());
    for (std::size_t i = 0; i < values; ++i) {
      if (is_set(masks_.ellipsis, i))
        add_whole_dims(shape_.size() - named);
      else if (is_set(masks_.new_axis, i))
        slice_.shape.push_back(1);
      else
        take(i);
    }
    add_whole_dims(shape_.size() - slice_.slices.size());
    return slice_;
  }

 private:
  static bool is_set(std::int64_t mask, std::size_t bit) { return bit < 63 && (mask >> bit & 1) != 0; }

  void add_whole_dims(std::size_t dims) {
    for (; dims > 0 && slice_.slices.size() < shape_.size(); --dims) {
      const std::int64_t size = shape_[slice_.slices.size()];
      add({0, size, 1}, true);
    }
  }

  void take(std::size_t i) {
    const std::int64_t size = shape_[slice_.slices.size()];
    const std::int64_t step = arrays_.steps[i];
    check(step != 0, Code::kNnInvalid, "strides has the value 0; another value is expected.");
    if (is_set(masks_.shrink_axis, i)) {
      const std::int64_t at = arrays_.starts[i] < 0 ? arrays_.starts[i] + size : arrays_.starts[i];
      check(at >= 0 && at < size && step > 0, Code::kNnInvalid,
            "shrinkAxisMask selects element {} of a dimension of {}, with stride {}; an element inside of it, and a "
            "positive stride, are expected.",
            arrays_.starts[i], size, step);
      return add({at, 1, 1}, false);
    }
    DimSlice part = dim_slice(size, arrays_.starts[i], arrays_.ends[i], step);
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t first = is_set(masks_.begin, i) ? (step > 0 ? 0 : size - 1) : part.start;
    const auto clamped = [&](std::int64_t at) { return std::clamp(at < 0 ? at + size : at, low, size + low); };
    const std::int64_t stop = is_set(masks_.end, i) ? (step > 0 ? size : -1) : clamped(arrays_.ends[i]);
    const std::int64_t distance = step > 0 ? stop - first : first - stop;
    add({first, distance > 0 ? (distance - 1) / std::abs(part.step) + 1 : 0, part.step}, true);
  }

  void add(DimSlice part, bool keeps_dim) {
    slice_.slices.push_back(part);
    if (keeps_dim) slice_.shape.push_back(part.count);
  }

  const Shape& shape_;
  const SliceArrays& arrays_;
  const SliceMasks& masks_;
  SparseSlice slice_;
};

/// Views out with the dims of self: removed dims (shrink_axis_mask) get size 1, new ones (new_axis_mask) are dropped.
Tensor as_slice(const Tensor& out, const DimSlices& slices) {
  Shape shape;
  for (const DimSlice& part : slices) shape.push_back(part.count);
  return *reshaped(out, shape);
}

}  // namespace

std::shared_ptr<Executor> plan_strided_slice(const InputArg& self, const IntArrayArg& begin, const IntArrayArg& end,
                                             const IntArrayArg& strides, const SliceMasks& masks,
                                             const OutputArg& out) {
  constexpr const char* kName = "aclnnStridedSlice";
  const TensorPtr input = required_tensor(self);
  const SliceArrays arrays{required_ints(begin), required_ints(end), {}, required_ints(strides)};
  const Pair pair{input, required_tensor(out)};
  check_pair(*pair.self, "self", *pair.out, kStrided);
  check_length(arrays.ends, "end", arrays.starts.size());
  check_length(arrays.steps, "strides", arrays.starts.size());
  const SparseSlice slice = SliceReader(input->shape, arrays, masks).read();
  check_shape(*pair.out, "out", slice.shape, "the slice has shape");
  DimRules rules;
  for (const DimSlice& part : slice.slices) {
    rules.push_back({Rule::kStep, static_cast<double>(part.step), static_cast<double>(part.start)});
  }
  const bool backward =
      std::any_of(slice.slices.begin(), slice.slices.end(), [](const DimSlice& part) { return part.step < 0; });
  auto build = [slices = slice.slices, rules, backward](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "self");
    const Tensor to = as_slice(bound.output(0), slices);
    // Views have no negative strides, so a backward slice is a remap.
    if (backward && !to.empty()) return remap_kernels(kName, to, bound.input(0), rules);
    return copies_kernels(kName, {{to, slice_view(bound.input(0), slices)}});
  };
  return std::make_shared<Executor>(kName, Executor::Operands{{input.get()}, {pair.out.get()}}, std::move(build));
}

}  // namespace aclvk::ops
