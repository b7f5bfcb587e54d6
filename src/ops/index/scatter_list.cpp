#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/tables.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/quant_scatter.hpp"
#include "ops/index/scatter_rows.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr const char* kName = "aclnnScatterList";
constexpr const char* kMember = "a tensor of varRef";
constexpr const char* kMask = "maskOptional";
constexpr DTypeSet kMasks = {DType::kUint8, DType::kBool};
constexpr DTypeSet kCaches = {DType::kInt8,   DType::kInt16, DType::kInt32,   DType::kUint8,    DType::kUint16,
                              DType::kUint32, DType::kInt64, DType::kFloat16, DType::kBfloat16, DType::kFloat};

/// Views a member of a list as a batch of one.
Tensor as_batch(const Tensor& member) { return repeated(member, 0, 1); }

/// Resolves the indices to UINT32; masked members become out of range.
Tensor resolve_indices(Kernels& kernels, Staging& staging, const Tensor& indices, const Tensor* mask,
                       std::int64_t size) {
  // linearize.comp maps an index that is negative or too large for the unbounded range to ~0.
  const Tensor positions = staging.make(indices.shape, DType::kUint32);
  append(kernels, linearize_kernels(kName, positions, {{indices, {size, 1, false}}}));
  if (!mask) return positions;
  const Tensor no_index = staging.make({1}, DType::kUint32);
  append(kernels, fill_kernels(kName, no_index, Element{~0U}));
  append(kernels,
         pointwise_kernels(kName, row_of(TernaryOp::kWhere), DType::kUint32, {mask, &positions, &no_index}, positions));
  return positions;
}

void check_member(const Tensor& member, const Tensor& updates, std::int64_t axis) {
  check_same_dtype(updates, "updates", member, kMember);
  check_view(member, kMember);
  check(updates.shape.size() == member.shape.size() + 1, Code::kNnInvalid,
        "updates has shape {} and {} {}; a first dimension more, that of the tensors, is expected.", updates.shape,
        kMember, member.shape);
  checked_dim(axis, member.shape.size(), "axis");
  for (std::size_t i = 0; i < member.shape.size(); ++i) {
    check(updates.shape[i + 1] <= member.shape[i], Code::kNnInvalid,
          "updates has shape {}; a slice of it must fit into {} with shape {}.", updates.shape, kMember, member.shape);
  }
}

void check_vector(const Tensor& vector, const char* name, std::size_t count) {
  check(vector.shape == Shape{static_cast<std::int64_t>(count)}, Code::kNnInvalid,
        "{} has shape {}; varRef has {} tensors, and one number for each is supported.", name, vector.shape, count);
}

void check_tensors(const std::vector<Tensor>& members, const Tensor& indices, const Tensor& updates,
                   const TensorPtr& mask, std::int64_t axis) {
  check_dtype(updates, "updates", kCaches);
  check_index(indices, "indice");
  check_view(updates, "updates");
  if (mask) check_operand(*mask, kMask, kMasks);
  for (const Tensor& member : members) check_member(member, updates, axis);
  check(updates.shape[0] == static_cast<std::int64_t>(members.size()), Code::kNnInvalid,
        "updates has shape {}; varRef has {} tensors, and updates needs a slice for each.", updates.shape,
        members.size());
  check_vector(indices, "indice", members.size());
  if (mask) check_vector(*mask, kMask, members.size());
}

void check_memory(const Executor::Operands& bound) {
  for (std::size_t n = 0; n < bound.outputs.count(0); ++n) {
    const Tensor& member = bound.outputs.tensor(0, n);
    check_distinct(member, kMember);
    for (std::size_t slot = 1; slot < bound.inputs.size(); ++slot) {
      if (const Tensor* input = tensor_in(bound.inputs, slot)) check_disjoint(member, kMember, *input, "an input");
    }
  }
}

}  // namespace

std::shared_ptr<Executor> plan_scatter_list(const ScatterListHandles& handles) {
  const std::vector<Tensor> members = required_tensors(handles.list);
  const TensorPtr indices = required_tensor(handles.indices);
  const TensorPtr updates = required_tensor(handles.updates);
  const TensorPtr mask = optional_tensor(handles.mask);
  check_tensors(members, *indices, *updates, mask, handles.axis);
  const std::string_view reduce = handles.reduce ? handles.reduce : "update";
  check(reduce == "update", Code::kNnInvalid, "reduceOptional is \"{}\"; expected \"update\".", reduce);
  const std::size_t along = checked_dim(handles.axis, members.front().shape.size(), "axis");
  Executor::Operands operands;
  operands.inputs.add(members.data(), members.data() + members.size());
  operands.outputs.add(members.data(), members.data() + members.size());
  operands.updated = {{0, 0}};
  operands.inputs.add(indices);
  operands.inputs.add(updates);
  operands.inputs.add(mask);
  return staged_executor(kName, std::move(operands), [along](const Executor::Operands& bound, Staging& staging) {
    check_memory(bound);
    Kernels kernels;
    const Tensor positions =
        resolve_indices(kernels, staging, bound.input(1), tensor_in(bound.inputs, 3), kUnboundedIndexSize);
    for (std::size_t n = 0; n < bound.outputs.count(0); ++n) {
      const auto at = static_cast<std::int64_t>(n);
      append(kernels, update_kernels(kName, as_batch(bound.outputs.tensor(0, n)), sliced(positions, 0, at, 1),
                                     sliced(bound.input(2), 0, at, 1), along + 1));
    }
    return kernels;
  });
}

}  // namespace aclvk::ops
