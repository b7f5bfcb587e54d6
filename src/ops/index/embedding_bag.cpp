#include "ops/index/embedding_bag.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "index/embedding_bag.args.h"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/index/indexed_kernels.hpp"
#include "ops/index/search.hpp"
#include "ops/kernel/bounded_loop.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;
using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

ARGUMENT_STRUCT(EmbeddingBagArguments, EMBEDDING_BAG_ARGUMENTS);
CONSTANT_STRUCT(EmbeddingBagConstants, EMBEDDING_BAG_CONSTANTS);

constexpr const char* kName = "aclnnEmbeddingBag";
constexpr std::uint32_t kNoIndex = ~0U;  // shaders/common/indices.glsl

/// kKind of shaders/index/embedding_bag.comp.
enum class Kind : std::uint32_t { kSum = 0, kMax = 1, kSize = 2 };
/// kFlags of shaders/index/embedding_bag.comp.
enum BagFlag : std::uint32_t { kWeighted = 1, kMean = 2, kContinues = 4 };

enum class Mode { kSum, kMean, kMax };

Mode mode_of(std::int64_t mode) { return mode == 0 ? Mode::kSum : mode == 1 ? Mode::kMean : Mode::kMax; }

struct EmbeddingBag {
  TensorParameters tensors{};
  ParamId weight{};
  ParamId indices{};
  ParamId offsets{};
  ParamId samples{};
  ParamId output{};
  ParamId offset2bag{};
  ParamId bag_size{};
  ParamId max_indices{};
  Mode mode;
  bool has_end;
  std::int64_t padding;

  EmbeddingBag(const EmbeddingBagHandles& handles, const EmbeddingBagAttributes& attributes)
      : mode(mode_of(attributes.mode)), has_end(attributes.has_end), padding(attributes.padding) {
    weight = tensors.input(handles.weight);
    indices = tensors.input(handles.indices);
    offsets = tensors.input(handles.offsets);
    samples = tensors.optional_input(handles.samples);
    output = tensors.output(handles.output);
    offset2bag = tensors.output(handles.offset2bag);
    bag_size = tensors.output(handles.bag_size);
    max_indices = tensors.output(handles.max_indices);
  }

  void check_dtypes() const {
    check_dtype(tensors[weight], "weight", kFloats);
    tensors.check_dtypes({indices, offsets, offset2bag, bag_size, max_indices}, kIndices);
    if (tensors.has(samples)) check_same_dtype(tensors[samples], "perSampleWeights", tensors[weight], "weight");
    check_same_dtype(tensors[output], "output", tensors[weight], "weight");
  }

  /// Checks the shape of an optional output, which is empty when the program does not want it.
  void check_numbers(ParamId id, const Shape& expected, const char* reason) const {
    if (!tensors[id].empty()) tensors.check_shape(id, expected, reason);
  }

  std::int64_t bags() const { return tensors[offsets].shape[0] - (has_end ? 1 : 0); }

  void check_shapes() const {
    const Tensor& matrix = tensors[weight];
    check(matrix.shape.size() == 2, Code::kNnInvalid, "weight has shape {}; expected a matrix.", matrix.shape);
    for (const ParamId id : {indices, offsets}) {
      check(tensors[id].shape.size() == 1, Code::kNnInvalid, "{} has shape {}; expected a vector.", tensors.name(id),
            tensors[id].shape);
    }
    check(
        bags() >= 0, Code::kNnInvalid,
        "offsets is empty and includeLastOffset is true; one element at least, the end of the last bag, is expected.");
    const Shape of_bags = {bags()};
    const Shape of_rows = {bags(), matrix.shape[1]};
    const Shape& of_indices = tensors[indices].shape;
    if (tensors.has(samples)) tensors.check_shape(samples, of_indices, "one for each index has shape");
    tensors.check_shape(output, of_rows, "a row for each bag has shape");
    check_numbers(offset2bag, of_indices, "one for each index has shape");
    check_numbers(bag_size, of_bags, "one for each bag has shape");
    if (mode == Mode::kMax)
      check_numbers(max_indices, of_rows, "the elements of output have shape");
    else
      check_numbers(max_indices, of_bags, "one for each bag has shape");
    check(!tensors.has(samples) || mode == Mode::kSum, Code::kNnInvalid,
          "perSampleWeights is given and mode is not 0 (sum); NULL is expected in other modes.");
  }
};

/// The tensors of a run, ready for the kernels.
struct Bags {
  Tensor weight;
  Tensor indices;
  Tensor offsets;
  const Tensor* samples;
  std::uint32_t padding;

  std::int64_t count() const { return indices.shape[0]; }
};

Bags bags_of(const EmbeddingBag& at, const BoundTensors& bound) {
  const std::int64_t rows = bound[at.weight]->shape[0];
  // A padding index that is no row of weight excludes nothing.
  const bool padded = at.padding >= 0 && at.padding < rows;
  return {*bound[at.weight], *bound[at.indices], *bound[at.offsets], bound[at.samples],
          padded ? static_cast<std::uint32_t>(at.padding) : kNoIndex};
}

/// Kernels over the indices of each bag. A kernel takes a range of each bag's indices, so that loops stay below
/// kMaxIterations. `third`: the weights, the sizes, or an unused operand.
Kernels bag_kernels(const Bags& bags, Kind kind, std::uint32_t flags, const Tensor& third, const Tensor& out) {
  // A margin of 16 iterations is left for the code outside of the loop over indices.
  constexpr std::int64_t kMaxPerKernel = (kMaxIterations - 16) * kMaxUnroll;
  const bool is_matrix = out.shape.size() == 2;
  // The kernel that counts reads no rows, but needs an operand.
  const Tensor& matrix = kind == Kind::kSize ? bags.indices : bags.weight;
  const Shape column = is_matrix ? Shape{0, bags.weight.strides[1]} : Shape{0};
  const Shape number = is_matrix ? Shape{1, 0} : Shape{1};
  // Indices and weights start at 0 for each element: the kernel adds the position within the bag.
  const Shape none(out.shape.size(), 0);
  StridedCall call;
  call.name = kName;
  call.shader = "index/embedding_bag_bits";
  call.operands = {{&matrix, Access::kRead, false, &column},
                   {&bags.indices, Access::kRead, false, &none},
                   {&bags.offsets, Access::kRead, false, &number},
                   {&third, Access::kRead, false, &none},
                   {&out, Access::kReadWrite}};
  Kernels kernels;
  for (std::int64_t first = 0; first < bags.count(); first += kMaxPerKernel) {
    const std::int64_t span = std::min(kMaxPerKernel, bags.count() - first);
    const bool last = first + span == bags.count();
    call.promoted = DType::kFloat;
    EmbeddingBagConstants constants;
    constants.kKind = static_cast<uint>(kind);
    // The division by the size comes with the last range, because a mean is a complete sum divided once.
    constants.kFlags = (flags & (last ? kWeighted | kMean : kWeighted)) | (first > 0 ? kContinues : 0U);
    constants.kUnroll = unroll_factor(span);
    set_constants(call, constants);
    EmbeddingBagArguments arguments;
    arguments.rows = word(bags.weight.shape[0]);
    arguments.row_step = word(bags.weight.strides[0]);
    arguments.count = word(bags.count());
    arguments.index_step = word(bags.indices.strides[0]);
    arguments.offset_step = word(bags.offsets.strides[0]);
    arguments.weight_step = word(third.strides[0]);
    arguments.offsets = word(bags.offsets.shape[0]);
    arguments.padding = bags.padding;
    arguments.first = word(first);
    // The span bounds the loop. A bag's own range is intersected with it.
    arguments.span = word(span);
    set_arguments(call, arguments);
    append(kernels, strided_kernels(call));
  }
  return kernels;
}

/// Sums in float, which are converted to the output's dtype when they are complete.
Kernels sum_kernels(const EmbeddingBag& at, const Bags& bags, const Tensor& sizes, const Tensor& out,
                    Staging& staging) {
  // A sum in parts is read and written again by each kernel, so a 16-bit output would be rounded several times.
  const bool direct = out.dtype == DType::kFloat;
  const Tensor sums = direct ? out : staging.make(out.shape, DType::kFloat);
  const std::uint32_t flags = bags.samples ? kWeighted : at.mode == Mode::kMean ? kMean : 0U;
  Kernels kernels = bag_kernels(bags, Kind::kSum, flags, bags.samples ? *bags.samples : sizes, sums);
  if (!direct) append(kernels, copy_kernels(kName, out, sums));
  return kernels;
}

/// Finds the row of each maximum, then gathers the maxima.
Kernels max_kernels(const EmbeddingBag& at, const BoundTensors& bound, const Bags& bags, Staging& staging) {
  const Tensor& out = *bound[at.output];
  const Tensor rows = staging.make(out.shape, DType::kInt32);
  Kernels kernels = bag_kernels(bags, Kind::kMax, 0, bags.indices, rows);
  const Shape steps{0, bags.weight.strides[1]};
  append(kernels,
         gather_kernels(
             {kName, &bags.weight, &steps, &rows, &out, {bags.weight.shape[0], bags.weight.strides[0], false}}));
  if (!bound[at.max_indices]->empty()) append(kernels, copy_kernels(kName, *bound[at.max_indices], rows));
  return kernels;
}

/// The bag of each index: the number of bags after the first that start up to this index.
Kernels bag_number_kernels(const Bags& bags, bool has_end, const Tensor& out, Staging& staging) {
  // Bag 0 starts at index 0, and with includeLastOffset the last offset is an end. Neither adds to the number.
  const std::int64_t later = bags.offsets.shape[0] - (has_end ? 2 : 1);
  if (later <= 0) return fill_kernels(kName, out, Element{});
  const Tensor starts = staging.make({later}, DType::kUint32);
  const Tensor numbers = staging.make(out.shape, DType::kUint32);
  Kernels kernels = copy_kernels(kName, starts, sliced(bags.offsets, 0, 1, later));
  append(kernels, count_sums_kernels(kName, numbers, starts));
  append(kernels, copy_kernels(kName, out, numbers));
  return kernels;
}

/// Kernels for a call without indices: all bags are empty.
Kernels empty_kernels(const EmbeddingBag& at, const BoundTensors& bound) {
  // An empty bag has no row of the maximum; its index is -1.
  const Element none = at.mode == Mode::kMax ? Element{~0U, ~0U} : Element{};
  Kernels kernels = fill_kernels(kName, *bound[at.output], Element{});
  append(kernels, fill_kernels(kName, *bound[at.bag_size], Element{}));
  append(kernels, fill_kernels(kName, *bound[at.max_indices], none));
  return kernels;
}

Kernels embedding_bag_kernels(const EmbeddingBag& at, const BoundTensors& bound, Staging& staging) {
  const Bags bags = bags_of(at, bound);
  if (bags.count() == 0 || at.bags() == 0) return empty_kernels(at, bound);
  const Tensor sizes = staging.make({at.bags()}, DType::kInt32);
  Kernels kernels = bag_kernels(bags, Kind::kSize, 0, bags.indices, sizes);
  if (!bound[at.bag_size]->empty()) append(kernels, copy_kernels(kName, *bound[at.bag_size], sizes));
  if (!bound[at.offset2bag]->empty()) {
    append(kernels, bag_number_kernels(bags, at.has_end, *bound[at.offset2bag], staging));
  }
  if (at.mode != Mode::kMax) append(kernels, fill_kernels(kName, *bound[at.max_indices], Element{}));
  // All indices are out of range when weight has no elements.
  if (bags.weight.empty()) {
    append(kernels, fill_kernels(kName, *bound[at.output], Element{}));
    if (at.mode == Mode::kMax) append(kernels, fill_kernels(kName, *bound[at.max_indices], Element{~0U, ~0U}));
    return kernels;
  }
  append(kernels, at.mode == Mode::kMax ? max_kernels(at, bound, bags, staging)
                                        : sum_kernels(at, bags, sizes, *bound[at.output], staging));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_embedding_bag(const EmbeddingBagHandles& handles,
                                             const EmbeddingBagAttributes& attributes) {
  const EmbeddingBag at(handles, attributes);
  at.check_dtypes();
  at.tensors.check_views();
  at.check_shapes();
  return staged_executor(kName, at.tensors, [=](const BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({at.output, at.offset2bag, at.bag_size, at.max_indices},
                         {at.weight, at.indices, at.offsets, at.samples});
    return embedding_bag_kernels(at, bound, staging);
  });
}

}  // namespace aclvk::ops
