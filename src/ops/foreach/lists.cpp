#include "ops/foreach/lists.hpp"

#include <algorithm>
#include <iterator>

#include "ops/executor/handles.hpp"

namespace aclvk::ops {
namespace {

using Kind = PointwiseArgument::Kind;

std::vector<TensorPtr> members_of(const PointwiseArgument& argument) {
  std::vector<TensorPtr> members =
      optional_tensors({static_cast<const aclTensorList*>(argument.handle), argument.name});
  for (std::size_t i = 0; i < members.size(); ++i) {
    check(members[i] != nullptr, Code::kNnNullptr, "tensor {} of {} is NULL.", i, argument.name);
  }
  return members;
}

std::vector<ScalarPtr> scalars_of(const PointwiseArgument& argument) {
  std::vector<ScalarPtr> scalars;
  for (const void* member : required(scalar_list_handles(), argument.handle, argument.name)->members) {
    scalars.push_back(required_scalar({static_cast<const aclScalar*>(member), argument.name}));
  }
  check(!scalars.empty(), Code::kNnInvalid, "{} has no scalars; one for each tensor is expected.", argument.name);
  return scalars;
}

ListArgument read(const PointwiseArgument& argument) {
  switch (argument.kind) {
    case Kind::kTensors: return {argument.name, true, members_of(argument), {}};
    case Kind::kTensor:
      return {
          argument.name, false, {required_tensor({static_cast<const aclTensor*>(argument.handle), argument.name})}, {}};
    case Kind::kScalars: return {argument.name, false, {}, scalars_of(argument)};
    default:
      return {
          argument.name, false, {}, {required_scalar({static_cast<const aclScalar*>(argument.handle), argument.name})}};
  }
}

/// Compares spans in O(n log n), as a filter for check_order().
bool may_read_outputs(const std::function<Tensor(std::size_t)>& read, const Executor::Operands& bound) {
  std::vector<ByteSpan> written;
  for (std::size_t i = 0; i < bound.outputs.count(0); ++i) written.push_back(span_of(bound.outputs.tensor(0, i)));
  std::sort(written.begin(), written.end(), [](const ByteSpan& a, const ByteSpan& b) { return a.begin < b.begin; });
  // Each end becomes the largest one so far, so that of the spans which begin before the end of a read one only the
  // last is compared.
  for (std::size_t i = 1; i < written.size(); ++i) written[i].end = std::max(written[i].end, written[i - 1].end);
  const auto begins_before = [](const ByteSpan& span, std::uint64_t end) { return span.begin < end; };
  for (std::size_t i = 0; i < bound.outputs.count(0); ++i) {
    const ByteSpan span = span_of(read(i));
    const auto after = std::lower_bound(written.begin(), written.end(), span.end, begins_before);
    if (after != written.begin() && std::prev(after)->end > span.begin) return true;
  }
  return false;
}

}  // namespace

std::vector<ListArgument> read_lists(const PointwiseArguments& arguments) {
  std::vector<ListArgument> lists;
  lists.reserve(arguments.size());
  for (const PointwiseArgument& argument : arguments) {
    ListArgument list = read(argument);
    lists.push_back(std::move(list));
  }
  return lists;
}

std::size_t check_lengths(const std::vector<ListArgument>& arguments) {
  const ListArgument* first = nullptr;
  for (const ListArgument& argument : arguments) {
    if (!argument.is_list) continue;
    if (!first) first = &argument;
    check(!argument.tensors.empty(), Code::kNnInvalid, "{} has no tensors; expected one at least.", argument.name);
    check(argument.tensors.size() == first->tensors.size(), Code::kNnInvalid, "{} has {} tensors; {} has {}.",
          argument.name, argument.tensors.size(), first->name, first->tensors.size());
  }
  const std::size_t members = first->tensors.size();
  for (const ListArgument& argument : arguments) {
    const std::size_t scalars = argument.scalars.size();
    check(scalars <= 1 || scalars == members, Code::kNnInvalid, "{} has {} scalars; {} has {} tensors.", argument.name,
          scalars, first->name, members);
  }
  return members;
}

Tensor element_of(const Tensor& tensor, std::size_t index) {
  Tensor element = tensor;
  if (tensor.elements() > 1) {
    auto rest = static_cast<std::int64_t>(index);
    // The index counts in row-major order.
    for (std::size_t dim = tensor.shape.size(); dim-- > 0; rest /= tensor.shape[dim]) {
      element.offset += rest % tensor.shape[dim] * tensor.strides[dim];
    }
  }
  element.shape = {};
  element.strides = {};
  return element;
}

void check_order(const char* name, const std::function<Tensor(std::size_t)>& read, const char* out_name,
                 const Executor::Operands& bound, bool in_order) {
  if (!may_read_outputs(read, bound)) return;
  const auto out = [&](std::size_t member) -> const Tensor& { return bound.outputs.tensor(0, member); };
  std::vector<ByteSpan> written;
  written.reserve(bound.outputs.count(0));
  // Quadratic in the members, so spans are compared before elements.
  for (std::size_t member = 0; member < bound.outputs.count(0); ++member) {
    const Tensor from = read(member);
    const ByteSpan span = span_of(from);
    const bool updates = in_order && is_same_view(from, out(member));
    for (std::size_t before = 0; before < member; ++before) {
      if (written[before].end <= span.begin || span.end <= written[before].begin) continue;
      // In-place members that share a tensor are updated one after the other, as separate calls would do.
      if (!share_elements(out(before), from) || (updates && is_same_view(read(before), out(before)))) continue;
      fail(Code::kNnInvalid, "{} of tensor {} of the lists shares memory with {} of tensor {}, which is written first.",
           name, member, out_name, before);
    }
    written.push_back(span_of(out(member)));
  }
}

}  // namespace aclvk::ops
