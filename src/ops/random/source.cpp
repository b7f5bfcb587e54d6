#include "ops/random/source.hpp"

#include "base/error.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"
#include "random/source.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(SourceArguments, SOURCE_ARGUMENTS);
CONSTANT_STRUCT(SourceConstants, SOURCE_CONSTANTS);

constexpr DTypeSet kSeeds = {DType::kInt64, DType::kUint64};

void check_seed(const TensorParameters& tensors, TensorParameters::ParamId id) {
  const Tensor& tensor = tensors[id];
  check_operand(tensor, tensors.name(id), kSeeds);
  check(tensor.elements() == 1, Code::kNnInvalid, "{} has shape {}; expected one element.", tensors.name(id),
        tensor.shape);
}

}  // namespace

SourceParameters::SourceParameters(TensorParameters& tensors, const SourceHandles& handles) : handles_(handles) {
  if (!handles.in_memory) return;
  seed_ = tensors.input(handles.seed_tensor);
  offset_ = tensors.input(handles.offset_tensor);
}

void SourceParameters::check(const TensorParameters& tensors) const {
  if (!handles_.in_memory) return;
  check_seed(tensors, seed_);
  check_seed(tensors, offset_);
}

Source SourceParameters::in(const TensorParameters::BoundTensors& bound) const {
  if (!handles_.in_memory) return {nullptr, nullptr, handles_.seed, handles_.offset};
  return {bound[seed_], bound[offset_], handles_.seed, handles_.offset};
}

SourceCall::SourceCall(const char* name, std::string_view shader, const Source& source, DType promoted,
                       const Tensor& out)
    : numbers(contiguous_strides(out.shape)), none(out.shape.size(), 0), any(row_major({}, out.dtype, out.address())) {
  const bool in_memory = source.seed_tensor != nullptr;
  call.name = name;
  call.shader = shader;
  call.promoted = promoted;
  SourceConstants constants;
  constants.kInMemory = in_memory;
  add_constants(call, constants);
  SourceArguments arguments;
  arguments.seed = two_words(source.seed);
  arguments.source_offset = two_words(source.offset);
  add_arguments(call, arguments);
  // The first operand's steps number the elements of out, since each thread needs that number as the counter.
  call.operands = {{in_memory ? source.seed_tensor : &any, Access::kRead, false, &numbers},
                   {in_memory ? source.offset_tensor : &any, Access::kRead, false, &none}};
}

}  // namespace aclvk::ops
