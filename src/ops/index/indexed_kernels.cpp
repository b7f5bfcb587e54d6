#include "ops/index/indexed_kernels.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "index/gather.args.h"
#include "index/linearize.args.h"
#include "index/running_sum.args.h"
#include "index/scatter.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(GatherArguments, GATHER_ARGUMENTS);
CONSTANT_STRUCT(GatherConstants, GATHER_CONSTANTS);
ARGUMENT_STRUCT(LinearizeArguments, LINEARIZE_ARGUMENTS);
CONSTANT_STRUCT(LinearizeConstants, LINEARIZE_CONSTANTS);
ARGUMENT_STRUCT(ScatterArguments, SCATTER_ARGUMENTS);
CONSTANT_STRUCT(ScatterConstants, SCATTER_CONSTANTS);
ARGUMENT_STRUCT(RunningSumArguments, RUNNING_SUM_ARGUMENTS);
CONSTANT_STRUCT(RunningSumConstants, RUNNING_SUM_CONSTANTS);

std::string_view scatter_shader(const ScatterCall& call) {
  constexpr ClassShaders kShaders = ACLVK_CLASS_SHADERS("index/scatter");
  // An assignment moves bits, so one variant serves all dtypes of any element size.
  if (call.combination == Combination::kAssign) return "index/scatter_bits";
  return kShaders[static_cast<std::size_t>(class_for(call.out.dtype, {}))];
}

/// The number of layers of a scatter. With few columns most of a device would idle, so target positions are distributed
/// over layers; each layer reads all indices.
std::uint32_t layers_for(const ScatterCall& call) {
  // kEnough threads are one work group.
  constexpr std::int64_t kEnough = 64;
  constexpr std::int64_t kMax = 16;
  const std::int64_t threads = std::max<std::int64_t>((element_count(call.columns) + 3) / 4, 1);
  if (call.count < kEnough || threads >= kEnough) return 1;
  return static_cast<std::uint32_t>(std::min(kMax, kEnough / threads));
}

/// The words of an IndexRange.
struct RangeWords {
  std::uint32_t size;
  std::uint32_t stride;
};

/// Throws 161002 for a range of 2^32 indices or more.
RangeWords words_of(const char* name, const IndexRange& range) {
  check(range.size <= kUnboundedIndexSize, Code::kNnInvalid, "{} indexes {} elements of a dim; up to {} are supported.",
        name, range.size, kUnboundedIndexSize);
  return {word(range.size), range.size > 1 ? word(range.stride) : 0};
}

}  // namespace

Kernels gather_kernels(const GatherCall& gather) {
  StridedCall call;
  call.name = gather.name;
  call.shader = "index/gather_bits";
  call.promoted = gather.out->dtype;
  GatherConstants constants;
  constants.kFromEnd = gather.range.from_end;
  add_constants(call, constants);
  GatherArguments arguments;
  const RangeWords range = words_of(gather.name, gather.range);
  arguments.size = range.size;
  arguments.stride = range.stride;
  add_arguments(call, arguments);
  call.operands = {{gather.source, Access::kRead, false, gather.steps},
                   {gather.index, Access::kRead, false},
                   {gather.out, Access::kWrite, false}};
  return strided_kernels(call);
}

Kernels linearize_kernels(const char* name, const Tensor& out, const std::vector<PartialIndex>& indices) {
  Kernels kernels;
  for (const PartialIndex& part : indices) {
    // The first kernel assigns and each later one adds to the sum. Once a part is out of range, the sum stays out
    // of range.
    const bool first = kernels.empty();
    StridedCall call;
    call.name = name;
    call.shader = "index/linearize_bits";
    call.promoted = DType::kUint32;
    LinearizeConstants constants;
    constants.kFirst = first;
    constants.kFromEnd = part.range.from_end;
    add_constants(call, constants);
    LinearizeArguments arguments;
    const RangeWords range = words_of(name, part.range);
    arguments.size = range.size;
    arguments.stride = range.stride;
    arguments.inner = word(part.inner);
    arguments.total = word(part.total);
    add_arguments(call, arguments);
    call.operands = {{&part.index, Access::kRead, false}, {&out, Access::kRead, first}, {&out, Access::kWrite, false}};
    append(kernels, strided_kernels(call));
  }
  return kernels;
}

namespace {

Kernels scatter_kernel_list(const ScatterCall& scatter) {
  StridedCall call;
  call.name = scatter.name;
  call.shader = scatter_shader(scatter);
  call.promoted = scatter.out.dtype;
  ScatterConstants constants;
  constants.kCombination = static_cast<uint>(scatter.combination);
  constants.kFromEnd = scatter.range.from_end;
  constants.kIndexed = scatter.indexed;
  add_constants(call, constants);
  ScatterArguments arguments;
  arguments.count = word(scatter.count);
  const RangeWords range = words_of(scatter.name, scatter.range);
  arguments.size = range.size;
  arguments.stride = range.stride;
  arguments.index_step = word(scatter.index_step);
  arguments.source_step = word(scatter.source_step);
  if (scatter.scale) arguments.scale = scalar_words(*scatter.scale, class_for(scatter.out.dtype, {}));
  add_arguments(call, arguments);
  // The threads cover the columns instead of the output: each column's indices are applied in order by one
  // thread, without atomics.
  call.shape = &scatter.columns;
  call.layers = layers_for(scatter);
  call.operands = {{&scatter.index, Access::kRead, false, &scatter.index_steps},
                   {&scatter.source, Access::kRead, false, &scatter.source_steps},
                   {&scatter.out, Access::kReadWrite, false, &scatter.out_steps}};
  const bool nothing = scatter.count == 0 || scatter.out.empty();
  const Shape none = {0};
  if (nothing) call.shape = &none;
  return strided_kernels(call);
}

ScatterCall call_of(const char* name, Combination combination, const Tensor& out, const Tensor& index,
                    const Tensor& source) {
  ScatterCall call;
  call.name = name;
  call.combination = combination;
  call.out = out;
  call.index = index;
  call.source = source;
  return call;
}

/// Views `count` elements from `first` on of the dim with `of` elements and stride `step`.
Tensor sliced_range(const char* name, const Tensor& tensor, std::int64_t step, std::int64_t of, std::int64_t first,
                    std::int64_t count) {
  // A step of 0 repeats one element for all indices.
  if (step == 0) return tensor;
  for (std::size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    if (tensor.strides[dim] == step && tensor.shape[dim] == of) return sliced(tensor, dim, first, count);
  }
  fail(Code::kFeatureNotSupported, "{} has {} indices; with these tensors up to {} are supported.", name, of,
       kMaxIterations);
}

/// The part of a scatter with the indices from `first` on. A thread loops over them, so their number is limited.
ScatterCall part_of(ScatterCall scatter, std::int64_t first, std::int64_t count) {
  scatter.index = sliced_range(scatter.name, scatter.index, scatter.index_step, scatter.count, first, count);
  scatter.source = sliced_range(scatter.name, scatter.source, scatter.source_step, scatter.count, first, count);
  scatter.count = count;
  return scatter;
}

}  // namespace

Kernels scatter_kernels(const ScatterCall& scatter) {
  if (scatter.count <= kMaxIterations) return scatter_kernel_list(scatter);
  Kernels kernels;
  for (std::int64_t first = 0; first < scatter.count; first += kMaxIterations) {
    append(kernels, scatter_kernel_list(part_of(scatter, first, std::min(kMaxIterations, scatter.count - first))));
  }
  return kernels;
}

Kernels pointwise_kernels(const char* name, Combination combination, const Tensor& out, const Tensor& source) {
  ScatterCall call = call_of(name, combination, out, source, source);
  call.columns = out.shape;
  call.out_steps = out.strides;
  call.index_steps = Shape(out.shape.size(), 0);
  call.source_steps = source.strides;
  call.count = out.empty() ? 0 : 1;
  // A stride of 0 keeps each column at its own element.
  call.range = {1, 0, false};
  call.indexed = false;
  return scatter_kernels(call);
}

ScatterCall scatter_slices(const char* name, Combination combination, const Tensor& out, std::size_t dim,
                           const Tensor& index, const Tensor& source, bool constant) {
  ScatterCall call = call_of(name, combination, out, index, source);
  // A column is all of `dim` at fixed other coordinates, so columns never share elements.
  call.columns = without(out.shape, dim);
  call.out_steps = without(out.strides, dim);
  call.index_steps = Shape(call.columns.size(), 0);
  call.source_steps = constant ? call.index_steps : without(source.strides, dim);
  call.count = index.shape[0];
  call.index_step = index.strides[0];
  call.source_step = constant ? 0 : source.strides[dim];
  call.range = {out.shape[dim], out.strides[dim], true};
  return call;
}

ScatterCall scatter_row_list(const char* name, Combination combination, const Tensor& out, const Shape& out_steps,
                             const Tensor& numbers, const Tensor& source, IndexRange range) {
  ScatterCall call = call_of(name, combination, out, numbers, source);
  call.columns = Shape(source.shape.begin() + 1, source.shape.end());
  call.out_steps = out_steps;
  call.index_steps = Shape(call.columns.size(), 0);
  call.source_steps = Shape(source.strides.begin() + 1, source.strides.end());
  call.count = source.shape[0];
  call.index_step = 1;
  call.source_step = source.strides[0];
  call.range = range;
  return call;
}

runtime::Kernel running_sum_kernel(const char* name, const Tensor& out, const Tensor& input) {
  constexpr std::int64_t kMaxCounts =
      kMaxIterations / 9 * 4096;  // an iteration adds 4096, and their sum takes eight more
  check(out.elements() <= kMaxCounts, Code::kFeatureNotSupported, "{} counts {} elements; up to {} are supported.",
        name, out.elements(), kMaxCounts);
  // A single work group computes the scan: the input is a vector of indices, and one kernel needs no pass over
  // block sums.
  KernelBuilder kernel(name, "index/running_sum");
  kernel.add_tensor(input, Access::kRead);
  kernel.add_tensor(out, Access::kWrite);
  RunningSumConstants constants;
  constants.kDtype = static_cast<uint>(input.dtype);
  kernel.add_constants(constants);
  RunningSumArguments arguments;
  arguments.count = word(out.elements());
  const bool repeats = input.elements() == 1 || input.shape.empty();
  arguments.step = repeats ? 0 : word(input.strides[0]);
  kernel.add_arguments(arguments);
  if (!out.empty()) kernel.set_groups({1, 1, 1});
  return kernel.build();
}

void check_index(const Tensor& index, const char* name) { check_operand(index, name, kIndices); }

void check_source(const Tensor& source, const char* name, const Tensor& out) {
  check(!source.empty() || out.empty(), Code::kNnInvalid,
        "{} has shape {}, which is empty; the indices select elements of it.", name, source.shape);
}

}  // namespace aclvk::ops
