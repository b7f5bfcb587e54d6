
#include <algorithm>

#include "base/error.hpp"
#include "ops/args/shape.hpp"
#include "ops/create/fill.hpp"
#include "ops/shape/copies.hpp"
#include "ops/tensor/dtype_sets.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

constexpr DTypeSet kPermutable = kMovable.with(kWideUnsigned).with(kFloat8s);
constexpr DTypeSet kExpandable = {DType::kFloat16, DType::kFloat, DType::kUint8, DType::kInt8,
                                  DType::kInt32,   DType::kInt64, DType::kBool,  DType::kBfloat16};
constexpr DTypeSet kReshapable = kCommon.with(kWideUnsigned);
constexpr DTypeSet kDiagonals = kCommon.with(kDoubles).with(kComplex64);
constexpr DTypeSet kSplittable = kMovable.with(kWideUnsigned);

/// self and out, which have the same dtype and any shapes.
struct Pair {
  TensorPtr self;
  TensorPtr out;
};

/// Plans a copy of view(self) to out.
template <typename View>
std::shared_ptr<Executor> plan_view(const char* name, const Pair& pair, View view) {
  return plan_copies(name, {{pair.self.get()}, {pair.out.get()}}, "out", "self", [view](const auto& bound) {
    return std::vector<Copy>{{bound.output(0), view(bound.input(0))}};
  });
}

/// Checks a permutation of the dims. It is empty for 0-d tensors.
Shape checked_order(const std::vector<std::int64_t>& dims, std::size_t rank, const char* name) {
  check(dims.size() == rank, Code::kNnInvalid, "{} has {} values; the tensor has {} dimensions.", name, dims.size(),
        rank);
  Shape order;
  for (const std::int64_t dim : dims) {
    const auto resolved = static_cast<std::int64_t>(checked_dim(dim, rank, name));
    check(std::find(order.begin(), order.end(), resolved) == order.end(), Code::kNnInvalid,
          "{} names dimension {} twice.", name, resolved);
    order.push_back(resolved);
  }
  return order;
}

Shape shape_of(const std::vector<std::int64_t>& sizes) { return {sizes.data(), sizes.data() + sizes.size()}; }

}  // namespace

std::shared_ptr<Executor> plan(const PermuteArgs& args) {
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  const auto values = required_ints(args.dims);
  check_pair(*pair.self, "self", *pair.out, kPermutable);
  const Shape order = checked_order(values, pair.self->shape.size(), "dims");
  check_shape(*pair.out, "out", permuted(*pair.self, order).shape, "the permuted shape is");
  return plan_view("aclnnPermute", pair, [order](const Tensor& bound) { return permuted(bound, order); });
}

std::shared_ptr<Executor> plan(const ExpandArgs& args) {
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  Shape shape = shape_of(required_ints(args.size));
  check_pair(*pair.self, "self", *pair.out, kExpandable);
  const Shape& from = pair.self->shape;
  check(shape.size() >= from.size() && shape.size() <= kMaxRank, Code::kNnInvalid,
        "size has {} values; expected {} to {}.", shape.size(), from.size(), kMaxRank);
  const std::size_t shift = shape.size() - from.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    // A size of -1 keeps that of self.
    if (shape[i] == -1 && i >= shift) shape[i] = from[i - shift];
    const bool fits = shape[i] >= 0 && (i < shift || from[i - shift] == 1 || from[i - shift] == shape[i]);
    check(fits, Code::kNnInvalid, "size {} is {}; self has shape {}, which does not expand to it.", i, shape[i], from);
  }
  check_shape(*pair.out, "out", shape, "size is");
  // The copy broadcasts its input.
  return plan_view("aclnnExpand", pair, [](const Tensor& bound) { return bound; });
}

std::shared_ptr<Executor> plan(const FlattenArgs& args) {
  const std::int64_t axis = args.axis;
  constexpr const char* kName = "aclnnFlatten";
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  check_pair(*pair.self, "self", *pair.out, kReshapable);
  const Shape& shape = pair.self->shape;
  const auto rank = static_cast<std::int64_t>(shape.size());
  check(axis >= -rank && axis <= std::max<std::int64_t>(rank - 1, 0), Code::kNnInvalid,
        "axis is {}; expected {} to {}.", axis, -rank, std::max<std::int64_t>(rank - 1, 0));
  const Shape outer(shape.begin(), shape.begin() + (axis < 0 ? axis + rank : axis));
  const Shape inner(shape.begin() + outer.size(), shape.end());
  check_shape(*pair.out, "out", {element_count(outer), element_count(inner)}, "the flattened shape is");
  return plan_copies(
      kName, {{pair.self.get()}, {pair.out.get()}}, "out", "self",
      [](const auto& bound) { return reshaping_copies(bound.output(0), bound.input(0), bound.workspace); },
      reshape_bytes(*pair.out, *pair.self));
}

std::shared_ptr<Executor> plan(const ChannelShuffleArgs& args) {
  const std::int64_t groups = args.groups;
  constexpr const char* kName = "aclnnChannelShuffle";
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  check_pair(*pair.self, "self", *pair.out, kMovable);
  const Shape& shape = pair.self->shape;
  check(shape.size() >= 3 && shape.size() <= 7, Code::kNnInvalid, "self has {} dimensions; expected 3 to 7.",
        shape.size());
  check_shape(*pair.out, "out", shape, "self has shape");
  check(groups > 0 && shape[1] % groups == 0, Code::kNnInvalid,
        "groups is {}; expected a divisor of the {} channels of self.", groups, shape[1]);
  return plan_copies(kName, {{pair.self.get()}, {pair.out.get()}}, "out", "self", [groups](const auto& bound) {
    // Channels are a (groups, channels / groups) matrix, which the shuffle transposes.
    const Tensor to = unflattened(bound.output(0), 1, groups);
    const Tensor from = unflattened(bound.input(0), 1, bound.input(0).shape[1] / groups);
    Shape order(from.shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::swap(order[1], order[2]);
    return std::vector<Copy>{{to, permuted(from, order)}};
  });
}

/// aclnnConfusionTranspose: permutes and then reshapes to `shape`, or reshapes and then permutes.
std::shared_ptr<Executor> plan(const ConfusionTransposeArgs& args) {
  const bool transpose_first = args.transpose_first;
  constexpr const char* kName = "aclnnConfusionTranspose";
  const Pair pair{required_tensor(args.x), required_tensor(args.out)};
  const auto dims = required_ints(args.perm);
  const Shape shape = shape_of(required_ints(args.shape));
  check_pair(*pair.self, "x", *pair.out, kReshapable);
  check(shape.size() <= kMaxRank, Code::kNnInvalid, "shape has {} values; at most {} are supported.", shape.size(),
        kMaxRank);
  check(element_count(shape) == pair.self->elements(), Code::kNnInvalid,
        "shape is {}; x has {} elements, which do not fill it.", shape, pair.self->elements());
  const Shape order = checked_order(dims, transpose_first ? pair.self->shape.size() : shape.size(), "perm");
  if (transpose_first) {
    check_shape(*pair.out, "out", shape, "shape is");
    const Tensor from = permuted(*pair.self, order);
    return plan_copies(
        kName, {{pair.self.get()}, {pair.out.get()}}, "out", "x",
        [order](const auto& bound) {
          return reshaping_copies(bound.output(0), permuted(bound.input(0), order), bound.workspace);
        },
        reshape_bytes(*pair.out, from));
  }
  // Inverts the permutation: out, permuted back, is x with another shape.
  Shape back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  Tensor expected = *pair.self;
  expected.shape = expected.strides = shape;
  check_shape(*pair.out, "out", permuted(expected, order).shape, "the permuted shape is");
  return plan_copies(
      kName, {{pair.self.get()}, {pair.out.get()}}, "out", "x",
      [back](const auto& bound) {
        return reshaping_copies(permuted(bound.output(0), back), bound.input(0), bound.workspace);
      },
      reshape_bytes(permuted(*pair.out, back), *pair.self));
}

namespace {

std::shared_ptr<Executor> plan_onto_diagonal(const char* name, const Pair& pair, std::int64_t offset) {
  const std::int64_t size = pair.self->elements() + std::abs(offset);
  check_shape(*pair.out, "out", {size, size}, "with the diagonal the shape is");
  auto build = [name, offset](const Executor::Operands& bound) {
    check_disjoint(bound, "out", "self");
    Kernels kernels = fill_kernels(name, bound.output(0), Element{});
    const Tensor line = diagonal(bound.output(0), offset);
    // A diagonal is a vector with one stride, so self is reshaped without a copy between.
    append(kernels, copies_kernels(name, reshaping_copies(line, bound.input(0), nullptr)));
    return kernels;
  };
  return std::make_shared<Executor>(name, Executor::Operands{{pair.self.get()}, {pair.out.get()}}, std::move(build));
}

void check_diagonal(std::int64_t offset) {
  constexpr std::int64_t kMax = std::int64_t{1} << 31;
  check(offset > -kMax && offset < kMax, Code::kNnInvalid, "diagonal is {}; no matrix is so large.", offset);
}

}  // namespace

/// torch.diag: makes a matrix with the vector on a diagonal, or extracts a diagonal of a matrix.
std::shared_ptr<Executor> plan(const DiagArgs& args) {
  const std::int64_t offset = args.diagonal;
  constexpr const char* kName = "aclnnDiag";
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  check_pair(*pair.self, "self", *pair.out, kDiagonals);
  const Shape& shape = pair.self->shape;
  check(shape.size() == 1 || shape.size() == 2, Code::kNnInvalid, "self has {} dimensions; expected 1 or 2.",
        shape.size());
  check_diagonal(offset);
  if (shape.size() == 1) return plan_onto_diagonal(kName, pair, offset);
  check_shape(*pair.out, "out", {diagonal_length(shape[0], shape[1], offset)}, "the length of the diagonal is");
  return plan_view(kName, pair, [offset](const Tensor& bound) { return diagonal(bound, offset); });
}

/// torch.diagflat: makes a matrix with the flattened tensor on a diagonal.
std::shared_ptr<Executor> plan(const DiagFlatArgs& args) {
  const std::int64_t offset = args.diagonal;
  const Pair pair{required_tensor(args.self), required_tensor(args.out)};
  check_pair(*pair.self, "self", *pair.out, kDiagonals);
  check_diagonal(offset);
  return plan_onto_diagonal("aclnnDiagFlat", pair, offset);
}

namespace {

struct SplitCall {
  const char* name;
  TensorPtr self;
  std::vector<Tensor> out;
  std::size_t dim = 0;
};

SplitCall read_split(const char* name, const InputArg& self, const OutputListArg& out) {
  SplitCall call{name, required_tensor(self), required_tensors(out)};
  check_operand(*call.self, "self", kSplittable);
  for (const Tensor& part : call.out) {
    check_operand(part, "a tensor of out", kSplittable);
    check_same_dtype(part, "a tensor of out", *call.self, "self");
  }
  return call;
}

void check_part_count(const SplitCall& call, std::int64_t parts) {
  check(parts == static_cast<std::int64_t>(call.out.size()), Code::kNnInvalid,
        "out has {} tensors; self is split into {}.", call.out.size(), parts);
}

std::shared_ptr<Executor> plan_split(const SplitCall& call, const std::vector<std::int64_t>& sizes) {
  check_part_count(call, static_cast<std::int64_t>(sizes.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Shape expected = call.self->shape;
    expected[call.dim] = sizes[i];
    check_shape(call.out[i], "a tensor of out", expected, "this part of self has shape");
  }
  Executor::Operands operands{{call.self.get()}, {}};
  operands.outputs.add(call.out.data(), call.out.data() + call.out.size());
  return plan_copies(call.name, std::move(operands), "a tensor of out", "self",
                     [sizes, dim = call.dim](const Executor::Operands& bound) {
                       std::vector<Copy> copies;
                       std::int64_t start = 0;
                       for (std::size_t i = 0; i < sizes.size(); ++i) {
                         copies.push_back({bound.outputs.tensor(0, i), sliced(bound.input(0), dim, start, sizes[i])});
                         start += sizes[i];
                       }
                       return copies;
                     });
}

void check_has_dims(const SplitCall& call, std::int64_t dim) {
  check(!call.self->shape.empty(), Code::kNnInvalid, "self is a scalar; it has no dimension {} to split.", dim);
}

}  // namespace

std::shared_ptr<Executor> plan(const SplitTensorArgs& args) {
  const std::uint64_t sections = args.splitSections;
  const std::int64_t dim = args.dim;
  SplitCall call = read_split("aclnnSplitTensor", args.self, args.out);
  check_has_dims(call, dim);
  call.dim = checked_dim(dim, call.self->shape.size(), "dim");
  const std::int64_t size = call.self->shape[call.dim];
  const auto part = static_cast<std::int64_t>(std::min<std::uint64_t>(sections, static_cast<std::uint64_t>(size)));
  check(sections > 0 || size == 0, Code::kNnInvalid,
        "splitSections is 0; expected 1 or more, as dimension {} has {} elements.", dim, size);
  const std::int64_t parts = size == 0 ? 1 : (size + part - 1) / part;
  check_part_count(call, parts);
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < parts; ++i) sizes.push_back(std::min(part, size - i * part));
  return plan_split(call, sizes);
}

std::shared_ptr<Executor> plan(const SplitWithSizeArgs& args) {
  const std::int64_t dim = args.dim;
  const TensorPtr checked = required_tensor(args.self);
  const auto values = required_ints(args.splitSize);
  SplitCall call = read_split("aclnnSplitWithSize", args.self, args.out);
  check_has_dims(call, dim);
  call.dim = checked_dim(dim, call.self->shape.size(), "dim");
  std::int64_t sum = 0;
  for (const std::int64_t value : values) {
    check(value >= 0 && value <= call.self->shape[call.dim], Code::kNnInvalid,
          "splitSize has the value {}; dimension {} has {} elements, of which a part takes 0 or more.", value, dim,
          call.self->shape[call.dim]);
    sum += value;
  }
  check(sum == call.self->shape[call.dim], Code::kNnInvalid, "splitSize sums up to {}; dimension {} has {} elements.",
        sum, dim, call.self->shape[call.dim]);
  return plan_split(call, values);
}

}  // namespace aclvk::ops
