
#include "base/error.hpp"
#include "index/masked_scatter.args.h"
#include "ops/args/index.hpp"
#include "ops/executor/operator_dtypes.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/compaction.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(MaskedScatterArguments, MASKED_SCATTER_ARGUMENTS);

constexpr const char* kName = "aclnnInplaceMaskedScatter";

/// `mask` and its running `sums` have the shape of self; source is a contiguous vector.
Kernels masked_scatter_kernels(const Tensor& self, const Tensor& mask, const Tensor& sums, const Tensor& source) {
  const Shape none(self.shape.size(), 0);
  StridedCall call;
  call.name = kName;
  call.shader = "index/masked_scatter_bits";
  call.promoted = self.dtype;
  MaskedScatterArguments arguments;
  arguments.size = word(source.elements());
  add_arguments(call, arguments);
  // The inclusive sum less 1 is the number of true elements before this one, and so its index in source.
  call.operands = {{&source, Access::kRead, false, &none},
                   {&mask, Access::kRead},
                   {&sums, Access::kRead},
                   {&self, Access::kRead},
                   {&self, Access::kWrite}};
  return strided_kernels(call);
}

}  // namespace

/// aclnnInplaceMaskedScatter: replaces the elements of self where the mask, which broadcasts, is true by consecutive
/// elements of source.
std::shared_ptr<Executor> plan(const InplaceMaskedScatterArgs& args) {
  TensorParameters tensors;
  const ParamId old = tensors.input(args.selfRef.read());
  const ParamId mask = tensors.input(args.mask);
  const ParamId source = tensors.input(args.source);
  const ParamId self = tensors.output(args.selfRef.written());
  check_dtype(tensors[self], "selfRef", dtypes_of(kName).inputs);
  check_dtype(tensors[mask], "mask", kMasks);
  check_same_dtype(tensors[source], "source", tensors[self], "selfRef");
  tensors.check_views();
  const Shape& shape = tensors[old].shape;
  check(check_broadcast(tensors[self], "selfRef", tensors[mask], "mask") == shape, Code::kNnInvalid,
        "mask has shape {}; it does not broadcast to that of selfRef, {}.", tensors[mask].shape, shape);
  check_countable(element_count(shape), kName);
  return staged_executor(kName, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({self}, {mask, source});
    const Tensor& out = *bound[self];
    Kernels kernels;
    if (out.empty() || bound[source]->empty()) return kernels;
    const Tensor flags = expanded(as_bool(*bound[mask]), out.shape);
    const Tensor sums = *reshaped(sums_of(kernels, kName, flags, staging), out.shape);
    const Tensor row = *reshaped(staging.read(*bound[source]), {bound[source]->elements()});
    append(kernels, masked_scatter_kernels(out, flags, sums, row));
    return kernels;
  });
}

}  // namespace aclvk::ops
