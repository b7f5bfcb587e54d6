
#include <algorithm>

#include "base/error.hpp"
#include "ops/args/shape.hpp"
#include "ops/create/fill.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/promotion.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kStackable = kMovable.with(kWideUnsigned);
constexpr DTypeSet kJoinable = kCommon.with(kDoubles).with(kWideUnsigned).with(kComplex64).with(kFloat8s).with(kScales);

void check_dtypes(const std::vector<Tensor>& tensors, const Tensor& out, const DTypeSet& dtypes) {
  for (const Tensor& tensor : tensors) check_dtype(tensor, "a tensor of tensors", dtypes);
  check_dtype(out, "out", dtypes);
  DType all = tensors[0].dtype;
  for (const Tensor& tensor : tensors) {
    const auto promoted = promote(all, tensor.dtype);
    check(promoted.has_value(), Code::kNnInvalid, "tensors have dtypes {} and {}; no dtype holds both.", all,
          tensor.dtype);
    all = *promoted;
  }
  check_castable(all, out.dtype, "the promoted tensors", "out");
  for (const Tensor& tensor : tensors) check_view(tensor, "a tensor of tensors");
  check_view(out, "out");
}

Executor::Operands operands_of(const std::vector<Tensor>& tensors, const Tensor& out) {
  Executor::Operands operands{{}, {&out}};
  operands.inputs.add(tensors.data(), tensors.data() + tensors.size());
  return operands;
}

/// PyTorch ignores empty vectors, whatever the shape of the other tensors.
bool is_empty_vector(const Tensor& tensor) { return tensor.shape.size() == 1 && tensor.shape[0] == 0; }

}  // namespace

std::shared_ptr<Executor> plan(const CatArgs& args) {
  const std::int64_t dim = args.dim;
  const std::vector<Tensor> tensors = required_tensors(args.tensors);
  const TensorPtr out = required_tensor(args.out);
  check_dtypes(tensors, *out, kJoinable);
  // The first tensor that counts determines the other sizes.
  const auto model = std::find_if_not(tensors.begin(), tensors.end(), is_empty_vector);
  Shape shape = (model == tensors.end() ? tensors.front() : *model).shape;
  check(!shape.empty(), Code::kNnInvalid, "a tensor of tensors is a scalar; it has no dimension to join.");
  const std::size_t along = checked_dim(dim, shape.size(), "dim");
  shape[along] = 0;
  for (const Tensor& tensor : tensors) {
    if (is_empty_vector(tensor)) continue;
    Shape expected = shape;
    if (tensor.shape.size() == shape.size()) expected[along] = tensor.shape[along];
    check_shape(tensor, "a tensor of tensors", expected, "but for dim all must have the same shape");
    shape[along] += tensor.shape[along];
  }
  check_shape(*out, "out", shape, "the joined shape is");
  return plan_copies("aclnnCat", operands_of(tensors, *out), "out", "a tensor of tensors",
                     [along, rank = shape.size()](const Executor::Operands& bound) {
                       std::vector<Copy> copies;
                       std::int64_t start = 0;
                       for (std::size_t i = 0; i < bound.inputs.count(0); ++i) {
                         const Tensor& from = bound.inputs.tensor(0, i);
                         if (from.shape.size() != rank || is_empty_vector(from)) continue;
                         const std::int64_t size = from.shape[along];
                         copies.push_back({sliced(bound.output(0), along, start, size), from});
                         start += size;
                       }
                       return copies;
                     });
}

std::shared_ptr<Executor> plan(const StackArgs& args) {
  const std::int64_t dim = args.dim;
  const std::vector<Tensor> tensors = required_tensors(args.tensors);
  const TensorPtr out = required_tensor(args.out);
  check_dtypes(tensors, *out, kStackable);
  const Shape& shape = tensors[0].shape;
  for (const Tensor& tensor : tensors) check_shape(tensor, "a tensor of tensors", shape, "the first one has shape");
  const std::size_t along = checked_dim(dim, shape.size() + 1, "dim");
  check_shape(*out, "out", with(shape, along, static_cast<std::int64_t>(tensors.size())), "the stack has shape");
  return plan_copies("aclnnStack", operands_of(tensors, *out), "out", "a tensor of tensors",
                     [along](const Executor::Operands& bound) {
                       std::vector<Copy> copies;
                       for (std::size_t i = 0; i < bound.inputs.count(0); ++i) {
                         const Tensor slice = selected(bound.output(0), along, static_cast<std::int64_t>(i));
                         copies.push_back({slice, bound.inputs.tensor(0, i)});
                       }
                       return copies;
                     });
}

namespace {

struct ChunkCounts {
  std::size_t dim;
  std::int64_t count;

  /// The size of a chunk along the dim, rounded up.
  std::int64_t size_in(const Tensor& tensor) const {
    return tensor.shape[dim] / count + (tensor.shape[dim] % count == 0 ? 0 : 1);
  }
  /// The elements of a chunk for each index of the leading dims.
  std::int64_t elements_in(const Tensor& tensor) const {
    return size_in(tensor) * element_count({tensor.shape.begin() + dim + 1, tensor.shape.end()});
  }
};

/// Adds the copies of a tensor's full chunks and of the remainder to out.
void add_chunks(std::vector<Copy>& copies, const Tensor& out, const Tensor& from, const ChunkCounts& chunks,
                std::int64_t start) {
  const std::int64_t size = chunks.size_in(from);
  if (from.empty()) return;
  const std::int64_t full = from.shape[chunks.dim] / size;
  const std::int64_t rest = from.shape[chunks.dim] - full * size;
  const auto add = [&](std::int64_t chunk, std::int64_t count, std::int64_t length) {
    // Full chunks become a dim of their own, so that a single copy moves all of them.
    const Tensor part = unflattened(sliced(from, chunks.dim, chunk * size, count * length), chunks.dim, length);
    const std::int64_t elements = chunks.elements_in(from) / size * length;
    const Tensor rows = sliced(out, chunks.dim, chunk, count);
    copies.push_back({*reshaped(sliced(rows, chunks.dim + 1, start, elements), part.shape), part});
  };
  if (full > 0) add(0, full, size);
  if (rest > 0) add(full, 1, rest);
}

}  // namespace

/// aclnnChunkCat: splits each tensor into chunks along a dim, pads the last one with zeros, and concatenates the chunks
/// of all tensors with the same number.
std::shared_ptr<Executor> plan(const ChunkCatArgs& args) {
  const std::int64_t dim = args.dim;
  const std::int64_t count = args.numChunks;
  constexpr const char* kName = "aclnnChunkCat";
  const std::vector<Tensor> tensors = required_tensors(args.tensors);
  const TensorPtr out = required_tensor(args.out);
  for (const Tensor& tensor : tensors) {
    check_operand(tensor, "a tensor of tensors", kFloats);
    check_same_dtype(tensor, "a tensor of tensors", tensors[0], "the first one");
    check(!tensor.shape.empty(), Code::kNnInvalid, "a tensor of tensors is a scalar; it has no dimension to cut.");
  }
  check_operand(*out, "out", kFloats);
  const ChunkCounts chunks{checked_dim(dim, tensors[0].shape.size(), "dim"), count};
  check(count > 0, Code::kNnInvalid, "numChunks is {}; expected 1 or more.", count);
  Shape shape(tensors[0].shape.begin(), tensors[0].shape.begin() + chunks.dim);
  std::int64_t elements = 0;
  for (const Tensor& tensor : tensors) {
    const bool fits = tensor.shape.size() > chunks.dim && std::equal(shape.begin(), shape.end(), tensor.shape.begin());
    check(fits, Code::kNnInvalid, "a tensor of tensors has shape {}; the first {} sizes must be {}.", tensor.shape,
          chunks.dim, shape);
    elements += chunks.elements_in(tensor);
  }
  shape.push_back(count);
  shape.push_back(elements);
  check_shape(*out, "out", shape, "the chunks make");
  auto build = [chunks](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "a tensor of tensors");
    std::vector<Copy> copies;
    std::int64_t start = 0;
    for (std::size_t i = 0; i < bound.inputs.count(0); ++i) {
      add_chunks(copies, bound.output(0), bound.inputs.tensor(0, i), chunks, start);
      start += chunks.elements_in(bound.inputs.tensor(0, i));
    }
    // The fill is the padding of short last chunks.
    Kernels kernels = fill_kernels(kName, bound.output(0), Element{});
    append(kernels, copies_kernels(kName, copies));
    return kernels;
  };
  return std::make_shared<Executor>(kName, operands_of(tensors, *out), std::move(build));
}

}  // namespace aclvk::ops
