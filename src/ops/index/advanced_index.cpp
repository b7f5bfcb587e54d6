
#include <algorithm>

#include "base/error.hpp"
#include "ops/args/index.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/index/search.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kMasks = {DType::kBool, DType::kUint8};
constexpr DTypeSet kIndexable = kCommon.with(kDoubles).with(kComplex64);
constexpr DTypeSet kPuttable = kCommon.with(kDoubles);

/// A member of the index list and the dims that it indexes; a mask indexes several.
struct Part {
  std::size_t slot;
  std::size_t dim;
  std::size_t dims;
  bool is_mask;
};

/// The dims of self that a list of indices selects from, and the shape of the result.
struct Selection {
  InlineVector<Part, kMaxRank> parts;
  InlineVector<std::size_t, kMaxRank> unindexed;  ///< dims of self without an index
  Shape index_shape;                              ///< to which the indices broadcast
  std::size_t position = 0;                       ///< of the index shape in the result's shape
  Shape shape;
  bool has_masks = false;
};

/// Returns whether a member stands for a whole dim, like `:` in Python: NULL, or an empty tensor whose dtype is not
/// that of an index. An empty index selects nothing, but next to indices with elements, to which it does not broadcast,
/// it stands for a whole dim as well: programs create it with the dtype of self, which may be an index dtype.
bool is_whole_dim(const TensorPtr& index, bool selects_nothing) {
  if (!index) return true;
  const bool nothing = index->shape.size() == 1 && index->shape[0] == 0;
  return nothing && !(kIndices.contains(index->dtype) && selects_nothing);
}

Part checked_part(const Tensor& self, const Tensor& index, std::size_t slot, std::size_t dim) {
  check_dtype(index, "a tensor of indices", kIndices.with(kMasks));
  check_view(index, "a tensor of indices");
  if (kIndices.contains(index.dtype)) return {slot, dim, 1, false};
  const std::size_t dims = index.shape.size();
  const bool fits = dims > 0 && dim + dims <= self.shape.size() &&
                    std::equal(index.shape.begin(), index.shape.end(), self.shape.begin() + dim);
  check(fits, Code::kNnInvalid,
        "a mask of indices has shape {} and self has shape {}; the sizes of self from dimension {} on are expected.",
        index.shape, self.shape, dim);
  return {slot, dim, dims, true};
}

IndexRange reach_of(const Tensor& tensor, const Selection& selection) {
  const auto& unindexed = selection.unindexed;
  return index_range_of_dims(
      tensor, [&](std::size_t dim) { return std::find(unindexed.begin(), unindexed.end(), dim) == unindexed.end(); });
}

/// Assigns the members of the list to the dims of self.
Selection assign_dims(const Tensor& self, const std::vector<TensorPtr>& indices, bool selects_nothing) {
  Selection selection;
  std::size_t dim = 0;
  for (std::size_t slot = 0; slot < indices.size(); ++slot) {
    check(dim < self.shape.size(), Code::kNnInvalid, "indices has {} tensors; self has {} dimensions.", indices.size(),
          self.shape.size());
    if (is_whole_dim(indices[slot], selects_nothing)) {
      selection.unindexed.push_back(dim++);
      continue;
    }
    const Part part = checked_part(self, *indices[slot], slot, dim);
    selection.parts.push_back(part);
    selection.has_masks = selection.has_masks || part.is_mask;
    dim += part.dims;
    if (part.is_mask) continue;
    const Shape& shape = indices[slot]->shape;
    const auto index_shape = broadcast(selection.index_shape, shape);
    check(index_shape.has_value(), Code::kNnInvalid, "a tensor of indices has shape {}; the others broadcast to {}.",
          shape, selection.index_shape);
    selection.index_shape = *index_shape;
  }
  for (; dim < self.shape.size(); ++dim) selection.unindexed.push_back(dim);
  check(!selection.parts.empty(), Code::kNnInvalid, "indices has no index; expected one at least.");
  const Part& last = selection.parts.back();
  std::size_t indexed = 0;
  for (const Part& part : selection.parts) indexed += part.dims;
  // The index shape replaces the indexed dims where they are adjacent, and comes first where they are not, as in
  // NumPy and PyTorch.
  const bool adjacent = last.dim + last.dims - selection.parts.front().dim == indexed;
  selection.position = adjacent ? selection.parts.front().dim : 0;
  return selection;
}

/// With masks, the size of the last dim of the index shape is the number of true elements, which the host does not
/// know: `taken` returns the size of that dim in the result.
template <typename Taken>
Selection select(const Tensor& self, const std::vector<TensorPtr>& indices, bool selects_nothing, Taken taken) {
  Selection selection = assign_dims(self, indices, selects_nothing);
  // A mask is an index of one dim that broadcasts against the other indices.
  if (selection.has_masks && selection.index_shape.empty()) selection.index_shape.push_back(1);
  if (selection.has_masks && selection.index_shape.back() == 1) selection.index_shape.back() = taken(selection);
  for (const std::size_t dim : selection.unindexed) selection.shape.push_back(self.shape[dim]);
  Shape shape(selection.shape.begin(), selection.shape.begin() + selection.position);
  shape.append(selection.index_shape.begin(), selection.index_shape.end());
  shape.append(selection.shape.begin() + selection.position, selection.shape.end());
  selection.shape = shape;
  check(shape.size() <= kMaxRank, Code::kNnInvalid, "the selected shape is {}; at most {} dimensions are supported.",
        shape, kMaxRank);
  return selection;
}

TensorSlots slots_with(const Tensor& self, const std::vector<TensorPtr>& indices, const Tensor* values) {
  TensorSlots slots{&self};
  // A member that stands for a whole dim keeps its slot, so that slots and members have equal numbers.
  Tensor none;
  none.shape = {0};
  none.strides = {1};
  std::vector<Tensor> tensors;
  for (const TensorPtr& index : indices) tensors.push_back(index ? *index : none);
  slots.add(tensors.data(), tensors.data() + tensors.size());
  if (values) slots.add(values, values + 1);
  return slots;
}

/// The offsets in the workspace of the tensors that turn a mask into indices.
struct MaskOffsets {
  std::uint64_t flags;
  std::uint64_t counts;
  std::uint64_t sums;
  std::uint64_t numbers;
};
using AllMaskOffsets = InlineVector<MaskOffsets, kMaxRank>;

AllMaskOffsets allocate_masks(Workspace& workspace, const Selection& selection, const std::vector<TensorPtr>& indices) {
  AllMaskOffsets all;
  for (const Part& part : selection.parts) {
    if (!part.is_mask) continue;
    const Shape& shape = indices[part.slot]->shape;
    all.push_back({workspace.allocate(shape, DType::kBool), workspace.allocate(shape, DType::kInt32),
                   workspace.allocate(shape, DType::kUint32),
                   workspace.allocate({selection.index_shape.back()}, DType::kUint32)});
  }
  return all;
}

/// Computes the indices of a mask's true elements, padded with an index that is out of range.
Tensor index_mask(Kernels& kernels, const char* name, const Tensor& mask, std::int64_t taken,
                  const MaskOffsets& offsets, const std::byte* workspace) {
  const Tensor flags = row_major(mask.shape, DType::kBool, at_offset(workspace, offsets.flags));
  const Tensor counts = row_major(mask.shape, DType::kInt32, at_offset(workspace, offsets.counts));
  const Tensor sums = row_major({mask.elements()}, DType::kUint32, at_offset(workspace, offsets.sums));
  const Tensor numbers = row_major({taken}, DType::kUint32, at_offset(workspace, offsets.numbers));
  // The conversion to BOOL makes each nonzero element 1, so that the running sums count elements.
  append(kernels, copy_kernels(name, flags, mask));
  append(kernels, copy_kernels(name, counts, flags));
  kernels.push_back(running_sum_kernel(name, sums, *reshaped(counts, {mask.elements()})));
  // Index n is the first element whose running sum exceeds n. Past the last true element it is the size of the
  // mask.
  append(kernels, count_sums_kernels(name, numbers, sums));
  return numbers;
}

/// Computes the linear index of each selected position.
Kernels linearize_indices(const char* name, const Selection& selection, const Tensor& self, const TensorSlots& inputs,
                          const AllMaskOffsets& masks, const std::byte* workspace, const Tensor& numbers) {
  Kernels kernels;
  std::vector<PartialIndex> parts;
  const MaskOffsets* next = masks.begin();
  for (const Part& part : selection.parts) {
    const Tensor& index = inputs.tensor(1, part.slot);
    if (!part.is_mask) {
      parts.push_back({index, {self.shape[part.dim], self.strides[part.dim], true}});
      continue;
    }
    const Tensor taken = index_mask(kernels, name, index, selection.index_shape.back(), *next++, workspace);
    // A mask's index is linear over the dims of the mask. linearize.comp recovers the coordinate of each dim by
    // division.
    std::int64_t inner = 1;
    for (std::size_t dim = part.dim + part.dims; dim-- > part.dim; inner *= self.shape[dim]) {
      parts.push_back({taken, {self.shape[dim], self.strides[dim], false}, inner, index.elements()});
    }
  }
  append(kernels, linearize_kernels(name, numbers, parts));
  return kernels;
}

void check_all_disjoint(const Executor::Operands& bound, const char* out_name, std::size_t first) {
  check_distinct(bound.output(0), out_name);
  for (std::size_t slot = first; slot < bound.inputs.size(); ++slot) {
    for (std::size_t i = 0; i < bound.inputs.count(slot); ++i) {
      check_disjoint(bound.output(0), out_name, bound.inputs.tensor(slot, i), "an input");
    }
  }
}

/// The strides of some dims.
Shape strides_of(const Tensor& tensor, const InlineVector<std::size_t, kMaxRank>& dims) {
  Shape strides;
  for (const std::size_t dim : dims) strides.push_back(tensor.strides[dim]);
  return strides;
}

}  // namespace

/// aclnnIndex: self[i0, i1, ...] as in Python. A member that is NULL, or an empty tensor of the dtype of
/// self, selects the whole dim. A mask of BOOL or UINT8 covers as many dims as it has, and selects its nonzero
/// elements; their number follows from the shape of out, or of values.
std::shared_ptr<Executor> plan(const IndexArgs& args) {
  constexpr const char* kName = "aclnnIndex";
  const TensorPtr self = required_tensor(args.self);
  const std::vector<TensorPtr> indices = optional_tensors(args.indices);
  const TensorPtr out = required_tensor(args.out);
  check_dtype(*self, "self", kIndexable);
  check_same_dtype(*out, "out", *self, "self");
  check_view(*self, "self");
  check_view(*out, "out");
  const Selection selection = select(*self, indices, out->empty(), [&](const Selection& unknown) {
    const std::size_t dim = unknown.position + unknown.index_shape.size() - 1;
    return dim < out->shape.size() ? out->shape[dim] : 0;
  });
  check_shape(*out, "out", selection.shape, "the indices select");
  check_source(*self, "self", *out);
  Workspace workspace;
  const std::uint64_t numbers_offset = workspace.allocate(selection.index_shape, DType::kUint32);
  const AllMaskOffsets masks = allocate_masks(workspace, selection, indices);
  auto build = [selection, masks, numbers_offset](const Executor::Operands& bound) {
    check_all_disjoint(bound, "out", 0);
    const Tensor& from = bound.input(0);
    const Tensor numbers = row_major(selection.index_shape, DType::kUint32, at_offset(bound.workspace, numbers_offset));
    Kernels kernels = linearize_indices(kName, selection, from, bound.inputs, masks, bound.workspace, numbers);
    // A gather step of 0 belongs to the dims of the index shape, whose offset comes from the linear indices.
    const Shape unindexed = strides_of(from, selection.unindexed);
    Shape steps(unindexed.begin(), unindexed.begin() + selection.position);
    steps.resize(selection.position + selection.index_shape.size());
    steps.append(unindexed.begin() + selection.position, unindexed.end());
    Tensor index = numbers;
    while (index.shape.size() + selection.position < steps.size()) index = repeated(index, index.shape.size(), 1);
    append(kernels, gather_kernels({kName, &from, &steps, &index, &bound.output(0), reach_of(from, selection)}));
    return kernels;
  };
  return std::make_shared<Executor>(kName, Executor::Operands{slots_with(*self, indices, nullptr), {out.get()}},
                                    std::move(build), workspace.bytes());
}

namespace {

/// The values as rows: the dims of the index shape first and merged into one. A view, or a copy in the workspace.
struct Rows {
  Shape order;  ///< the dims of the selected shape, those of the index shape first
  Shape shape;  ///< the sizes in this order
  Shape rows;   ///< with the dims of the index shape merged

  explicit Rows(const Selection& selection) {
    const std::size_t first = selection.position;
    const std::size_t end = first + selection.index_shape.size();
    for (std::size_t i = first; i < end; ++i) order.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < selection.shape.size(); ++i) {
      if (i < first || i >= end) order.push_back(static_cast<std::int64_t>(i));
    }
    for (const std::int64_t dim : order) shape.push_back(selection.shape[static_cast<std::size_t>(dim)]);
    rows.push_back(element_count(selection.index_shape));
    rows.append(shape.begin() + selection.index_shape.size(), shape.end());
  }

  Tensor ordered(const Tensor& values, const Shape& selected) const {
    return permuted(expanded(values, selected), order);
  }
};

bool has_elements(const std::vector<TensorPtr>& indices) {
  return std::any_of(indices.begin(), indices.end(), [](const TensorPtr& index) { return index && !index->empty(); });
}

}  // namespace

// `unsafe` skips a check of the indices that is never made here: an index out of range writes nothing.
/// aclnnIndexPutImpl: replaces the elements that aclnnIndex selects by values, which broadcast, or adds values to them.
std::shared_ptr<Executor> plan(const IndexPutImplArgs& args) {
  const bool accumulate = args.accumulate;
  constexpr const char* kName = "aclnnIndexPutImpl";
  const TensorPtr self = required_tensor(args.selfRef);
  const std::vector<TensorPtr> indices = optional_tensors(args.indices);
  const TensorPtr values = required_tensor(args.values);
  check_dtype(*self, "selfRef", kPuttable);
  check_same_dtype(*values, "values", *self, "selfRef");
  check_view(*self, "selfRef");
  check_view(*values, "values");
  // Values without elements need a selection without elements; then an empty index counts as an index.
  const bool selects_nothing = values->empty() || !has_elements(indices);
  const Selection selection = select(*self, indices, selects_nothing, [&](const Selection& unknown) {
    // Values that broadcast do not determine the number of true elements; the size of the mask is the upper bound then.
    const std::size_t trailing = unknown.unindexed.size() - unknown.position;
    const std::size_t rank = values->shape.size();
    const std::int64_t size = rank > trailing ? values->shape[rank - 1 - trailing] : 1;
    if (size != 1) return size;
    std::int64_t most = 1;
    for (const Part& part : unknown.parts) {
      if (part.is_mask) most = std::max(most, indices[part.slot]->elements());
    }
    return most;
  });
  const auto shape = broadcast(values->shape, selection.shape);
  check(shape && *shape == selection.shape, Code::kNnInvalid,
        "values has shape {}; it does not broadcast to {}, which the indices select.", values->shape, selection.shape);
  const Rows rows(selection);
  Workspace workspace;
  const std::uint64_t numbers_offset = workspace.allocate(selection.index_shape, DType::kUint32);
  const bool direct = reshaped(rows.ordered(*values, selection.shape), rows.rows).has_value();
  // The scatter takes its source as a matrix with one stride from row to row, which permuted values need not
  // have.
  const std::uint64_t values_offset = direct ? 0 : workspace.allocate(rows.shape, values->dtype);
  const AllMaskOffsets masks = allocate_masks(workspace, selection, indices);
  // 16-bit floats are accumulated in float, so that sums are rounded once.
  const bool widens = accumulate && (self->dtype == DType::kFloat16 || self->dtype == DType::kBfloat16);
  const std::uint64_t sums_offset = widens ? workspace.allocate(self->shape, DType::kFloat) : 0;
  auto build = [=](const Executor::Operands& bound) {
    check_all_disjoint(bound, "selfRef", 1);
    const Tensor numbers = row_major(selection.index_shape, DType::kUint32, at_offset(bound.workspace, numbers_offset));
    const Tensor& target = bound.output(0);
    const Tensor out =
        widens ? row_major(target.shape, DType::kFloat, at_offset(bound.workspace, sums_offset)) : target;
    Kernels kernels = linearize_indices(kName, selection, out, bound.inputs, masks, bound.workspace, numbers);
    if (widens) append(kernels, copy_kernels(kName, out, target));
    Tensor source = rows.ordered(bound.input(2), selection.shape);
    if (!direct) {
      const Tensor copy = row_major(rows.shape, source.dtype, at_offset(bound.workspace, values_offset));
      append(kernels, copy_kernels(kName, copy, source));
      source = copy;
    }
    source = *reshaped(source, rows.rows);
    const Combination combination = accumulate ? Combination::kAdd : Combination::kAssign;
    append(kernels, scatter_kernels(scatter_row_list(kName, combination, out, strides_of(out, selection.unindexed),
                                                     numbers, source, reach_of(out, selection))));
    if (widens) append(kernels, copy_kernels(kName, target, out));
    return kernels;
  };
  return std::make_shared<Executor>(
      kName, Executor::Operands{slots_with(*self, indices, values.get()), {self.get()}, {{0, 0}}}, std::move(build),
      workspace.bytes());
}

}  // namespace aclvk::ops
