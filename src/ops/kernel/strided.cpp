#include "ops/kernel/strided.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "common/strided.args.h"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/kernels.hpp"

namespace aclvk::ops {
namespace {

constexpr std::uint32_t kElementsPerThread = 4;  // of LaneLayout::kNest
constexpr std::uint32_t kElementsPerRowThread = 8;

ARGUMENT_STRUCT(StridedArguments, STRIDED_ARGUMENTS);
CONSTANT_STRUCT(StridedConstants, STRIDED_CONSTANTS);

/// The mode in which a thread accesses its elements of an operand: two bits each in the constant kAccessModes of
/// strided.glsl, which says what each mode is. kNotLoaded also stands for operands with steps, which the shader indexes
/// itself.
enum class AccessMode : std::uint32_t { kRepeat = 0, kVector = 1, kStrided = 2, kNotLoaded = 3 };

using Order = InlineVector<std::size_t, kMaxRank>;

void permute(Shape& values, const Order& order) {
  Shape result;
  for (const std::size_t dim : order) result.push_back(values[dim]);
  values = std::move(result);
}

void drop_ones(LoopNest& nest) {
  Order dims;
  for (std::size_t i = 0; i < nest.sizes.size(); ++i) {
    if (nest.sizes[i] != 1) dims.push_back(i);
  }
  if (dims.size() == nest.sizes.size()) return;
  permute(nest.sizes, dims);
  for (Shape& strides : nest.strides) permute(strides, dims);
}

// Neighbouring threads write neighbouring elements (coalescing). The sort is stable, so equal strides keep their
// order.
void sort_by_output(LoopNest& nest) {
  const Shape& output = nest.strides.back();
  if (std::is_sorted(output.begin(), output.end(), std::greater<>())) return;
  Order order(nest.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return output[a] > output[b]; });
  permute(nest.sizes, order);
  for (Shape& strides : nest.strides) permute(strides, order);
}

// Two dims are one when, in every operand, a step of the outer one is as long as all of the inner one.
bool can_merge(const LoopNest& nest, std::size_t outer) {
  const std::size_t inner = outer + 1;
  return std::all_of(nest.strides.begin(), nest.strides.end(),
                     [&](const Shape& strides) { return strides[outer] == strides[inner] * nest.sizes[inner]; });
}

void merge(LoopNest& nest, std::size_t outer) {
  nest.sizes[outer] *= nest.sizes[outer + 1];
  nest.sizes.erase(nest.sizes.begin() + outer + 1);
  for (Shape& strides : nest.strides) strides.erase(strides.begin() + outer);
}

std::uint64_t span_elements(const Shape& sizes, const Shape& strides) {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) last += static_cast<std::uint64_t>((sizes[i] - 1) * strides[i]);
  return last + 1;
}

/// The dim to split: the one with the most elements when the nest has too many, or with the largest extent in bytes of
/// an operand that is too large. Returns the rank when the nest fits.
std::size_t dim_to_split(const LoopNest& nest, const ElementBytes& bytes, SplitLimits limits) {
  if (static_cast<std::uint64_t>(element_count(nest.sizes)) > limits.elements) {
    const auto* most = std::max_element(nest.sizes.begin(), nest.sizes.end());
    if (*most > 1) return static_cast<std::size_t>(most - nest.sizes.begin());
  }
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    if (span_elements(nest.sizes, nest.strides[k]) * bytes[k] <= limits.bytes) continue;
    const Shape& strides = nest.strides[k];
    std::size_t widest = 0;
    for (std::size_t i = 1; i < nest.sizes.size(); ++i) {
      if ((nest.sizes[i] - 1) * strides[i] > (nest.sizes[widest] - 1) * strides[widest]) widest = i;
    }
    return widest;
  }
  return nest.sizes.size();
}

/// The nest at one index of a dim.
SubNest at_index(SubNest sub_nest, std::size_t dim, std::int64_t index) {
  sub_nest.nest.sizes.erase(sub_nest.nest.sizes.begin() + dim);
  for (std::size_t k = 0; k < sub_nest.nest.strides.size(); ++k) {
    Shape& strides = sub_nest.nest.strides[k];
    sub_nest.starts[k] += index * strides[dim];
    strides.erase(strides.begin() + dim);
  }
  return sub_nest;
}

// Halves the widest dim until each operand's part fits. A nest of too many dims becomes one nest for each index
// of its smallest dim first, which makes the fewest kernels.
void split_into(std::vector<SubNest>& sub_nests, SubNest sub_nest, const ElementBytes& bytes, SplitLimits limits) {
  const Shape& sizes = sub_nest.nest.sizes;
  if (sizes.size() > kMaxRank) {
    const auto* smallest = std::min_element(sizes.begin(), sizes.end());
    for (std::int64_t index = 0; index < *smallest; ++index) {
      const auto dim = static_cast<std::size_t>(smallest - sizes.begin());
      split_into(sub_nests, at_index(sub_nest, dim, index), bytes, limits);
    }
    return;
  }
  const std::size_t dim = dim_to_split(sub_nest.nest, bytes, limits);
  if (dim == sizes.size()) {
    check_kernels(sub_nests.size() + 1);
    sub_nests.push_back(std::move(sub_nest));
    return;
  }
  const std::int64_t size = sizes[dim];
  // Splitting at multiples of 64 elements keeps the second half aligned for vector access.
  const std::int64_t half = size > 128 ? (size / 2 + 63) / 64 * 64 : (size + 1) / 2;
  SubNest second = sub_nest;
  sub_nest.nest.sizes[dim] = half;
  second.nest.sizes[dim] = size - half;
  for (std::size_t k = 0; k < bytes.size(); ++k) second.starts[k] += half * second.nest.strides[k][dim];
  split_into(sub_nests, std::move(sub_nest), bytes, limits);
  split_into(sub_nests, std::move(second), bytes, limits);
}

/// The distribution of the elements of a nest over lanes: the constant kLaneLayout of strided.glsl. kOneRow and
/// kOneRaggedRow: all operands are contiguous or have one element, so the nest is one row. kSeveralRows: several rows
/// of whole vec8s, in which an operand may repeat one element. kNest: any other nest, four elements a thread.
enum class LaneLayout : std::uint32_t { kNest = 0, kOneRow = 1, kOneRaggedRow = 2, kSeveralRows = 3 };

AccessMode mode_of(const LoopNest& nest, const Shape& strides, std::uintptr_t address, std::size_t bytes,
                   bool written) {
  const std::int64_t inner = strides.back();
  if (inner == 0 && !written) return AccessMode::kRepeat;
  const auto whole = [](std::int64_t value) { return value % kElementsPerThread == 0; };
  // The four elements of a thread are one access of up to four words.
  const bool aligned = address % std::min<std::size_t>(16, bytes * kElementsPerThread) == 0;
  const bool rows = std::all_of(strides.begin(), strides.end() - 1, whole);
  return inner == 1 && whole(nest.sizes.back()) && rows && aligned ? AccessMode::kVector : AccessMode::kStrided;
}

bool fits_row(const Shape& strides, std::uintptr_t address, std::size_t bytes, bool written) {
  if (strides.back() == 0) return !written;
  // Eight elements of more than four bytes are several lines, each aligned by itself.
  const std::size_t unit = std::min(kLine, bytes * kElementsPerRowThread);
  const auto aligned = [&](std::int64_t stride) { return static_cast<std::size_t>(stride) * bytes % unit == 0; };
  return strides.back() == 1 && address % unit == 0 && std::all_of(strides.begin(), strides.end() - 1, aligned);
}

// On CPU drivers a workgroup costs about as much as eight elements, so large kernels have fewer and larger workgroups.
std::uint32_t local_size_for(std::uint64_t threads) { return threads < 16384 ? 64 : 256; }

std::uint64_t threads_for(const LoopNest& nest, std::uint32_t per_thread) {
  std::uint64_t threads = (static_cast<std::uint64_t>(nest.sizes.back()) + per_thread - 1) / per_thread;
  for (std::size_t i = 0; i + 1 < nest.sizes.size(); ++i) threads *= static_cast<std::uint64_t>(nest.sizes[i]);
  return threads;
}

/// Adds the argument block of strided.glsl: threads, the shader's words, the start indices of operands with steps, and
/// for each dim its size and the stride of each operand.
void add_arguments(KernelBuilder& kernel, const StridedCall& call, const SubNest& sub_nest, std::uint64_t threads) {
  const LoopNest& nest = sub_nest.nest;
  StridedArguments arguments;
  arguments.threads = word(static_cast<std::int64_t>(threads));
  kernel.add_arguments(arguments);
  kernel.add_argument_words(call.arguments.begin(), call.arguments.end());
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    if (call.operands[k].steps) kernel.add_word(call.operands[k].first + sub_nest.starts[k]);
  }
  kernel.add_dims(nest.sizes, nest.strides);
}

const std::byte* start_of(const StridedCall& call, const SubNest& sub_nest, std::size_t k) {
  const Tensor& tensor = *call.operands[k].tensor;
  if (call.operands[k].steps) return tensor.address();
  return at_byte_offset(tensor.address(), sub_nest.starts[k] * static_cast<std::int64_t>(size_of(tensor.dtype)));
}

LaneLayout lane_layout_of(const StridedCall& call, const SubNest& sub_nest) {
  const bool several = sub_nest.nest.sizes.size() > 1;
  const bool whole = sub_nest.nest.sizes.back() % kElementsPerRowThread == 0;
  if (several && !whole) return LaneLayout::kNest;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const StridedOperand& operand = call.operands[k];
    if (operand.steps) return LaneLayout::kNest;
    const std::size_t bytes = size_of(operand.tensor->dtype);
    const auto address = reinterpret_cast<std::uintptr_t>(start_of(call, sub_nest, k));
    const bool written = operand.access != runtime::Access::kRead;
    const bool fits = operand.not_loaded || fits_row(sub_nest.nest.strides[k], address, bytes, written);
    // The last thread of a ragged row loads four elements at once; four of 16 bytes would cross a line of 32 bytes, up
    // to which memory past the operand's end may be read.
    if (!fits || (!whole && bytes * kElementsPerThread > kLine)) return LaneLayout::kNest;
  }
  return several ? LaneLayout::kSeveralRows : whole ? LaneLayout::kOneRow : LaneLayout::kOneRaggedRow;
}

AccessMode mode_in(LaneLayout layout, const LoopNest& nest, const Shape& strides, const std::byte* start,
                   std::size_t bytes, bool written) {
  if (layout != LaneLayout::kNest) return strides.back() == 0 ? AccessMode::kRepeat : AccessMode::kVector;
  return mode_of(nest, strides, reinterpret_cast<std::uintptr_t>(start), bytes, written);
}

std::uint64_t bytes_of(const StridedOperand& operand, const LoopNest& nest, const Shape& strides) {
  if (!operand.steps) return span_elements(nest.sizes, strides) * size_of(operand.tensor->dtype);
  const ByteSpan span = span_of(*operand.tensor);
  return span.end - span.begin;
}

/// Returns whether all operands are one contiguous range.
bool is_run(const LoopNest& nest) {
  return nest.sizes.size() == 1 && std::all_of(nest.strides.begin(), nest.strides.end(), [&](const Shape& strides) {
           return strides[0] == 1 || nest.sizes[0] == 1;
         });
}

runtime::Kernel kernel_for(const StridedCall& call, const SubNest& sub_nest) {
  KernelBuilder kernel(call.name, call.shader);
  const LaneLayout layout = lane_layout_of(call, sub_nest);
  std::uint32_t modes = 0;
  for (std::size_t k = 0; k < call.operands.size(); ++k) {
    const StridedOperand& operand = call.operands[k];
    const std::size_t bytes = size_of(operand.tensor->dtype);
    const Shape& strides = sub_nest.nest.strides[k];
    const std::byte* start = start_of(call, sub_nest, k);
    const AccessMode mode =
        mode_in(layout, sub_nest.nest, strides, start, bytes, operand.access != runtime::Access::kRead);
    const bool loaded = !operand.not_loaded && !operand.steps;
    modes |= static_cast<std::uint32_t>(loaded ? mode : AccessMode::kNotLoaded) << (2 * k);
    kernel.add_operand(start, bytes_of(operand, sub_nest.nest, strides), operand.access);
  }
  const std::uint64_t threads =
      threads_for(sub_nest.nest, layout == LaneLayout::kNest ? kElementsPerThread : kElementsPerRowThread);
  StridedConstants constants;
  constants.kRank = static_cast<std::uint32_t>(sub_nest.nest.sizes.size());
  constants.kAccessModes = modes;
  constants.kLaneLayoutAndJoin = static_cast<std::uint32_t>(layout);
  constants.local_size = local_size_for(threads);
  kernel.add_constants(constants);
  for (const StridedOperand& operand : call.operands) kernel.add_dtype(operand.tensor->dtype);
  kernel.add_dtype(call.promoted);
  kernel.add_constant_words(call.constants.begin(), call.constants.end());
  add_arguments(kernel, call, sub_nest, threads);
  kernel.set_threads(threads, constants.local_size, call.layers);
  kernel.set_copies(call.copies && is_run(sub_nest.nest));
  return kernel.build();
}

/// Throws 161002 unless byte offsets and the number of elements fit into the 32 bits of a shader.
void check_reach(const StridedCall& call, const StridedOperand& operand, const Shape& shape) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 32;
  const ByteSpan span = span_of(*operand.tensor);
  const auto elements = static_cast<std::uint64_t>(element_count(shape));
  check(span.end - span.begin < kMax && elements < kMax, Code::kNnInvalid,
        "{} accesses a tensor of {} bytes at any index to compute {} elements; less than 2^32 of both are supported.",
        call.name, span.end - span.begin, elements);
}

/// The nest of operands that all are contiguous or have one element: a single row. A shortcut for collapse(), which
/// returns the same but takes longer. Returns nothing for other operands, and for those that have to be split.
std::optional<SubNest> flat_nest(const StridedCall& call, const Shape& shape, std::int64_t count) {
  if (count < 2) return std::nullopt;
  SubNest sub_nest{{{count}, {}}, {}};
  sub_nest.nest.strides.reserve(call.operands.size());
  for (const StridedOperand& operand : call.operands) {
    const Tensor& tensor = *operand.tensor;
    const bool one = tensor.elements() == 1;
    if (operand.steps || (!one && (tensor.shape != shape || !is_contiguous(tensor)))) return std::nullopt;
    if (static_cast<std::uint64_t>(count) * size_of(tensor.dtype) > kMaxSpanBytes) return std::nullopt;
    sub_nest.nest.strides.push_back({one ? 0 : 1});
  }
  sub_nest.starts.resize(call.operands.size());
  return sub_nest;
}

}  // namespace

LoopNest collapse(LoopNest nest) {
  drop_ones(nest);
  sort_by_output(nest);
  // From the innermost dim outwards, so that a merged dim can be merged again.
  for (std::size_t i = nest.sizes.size(); i-- > 1;) {
    if (can_merge(nest, i - 1)) merge(nest, i - 1);
  }
  if (nest.sizes.empty()) {
    nest.sizes = {1};
    for (Shape& strides : nest.strides) strides = {0};
  }
  return nest;
}

std::vector<SubNest> split(LoopNest nest, const ElementBytes& element_bytes, SplitLimits limits) {
  SubNest whole{std::move(nest), {}};
  whole.starts.resize(element_bytes.size());
  std::vector<SubNest> sub_nests;
  split_into(sub_nests, std::move(whole), element_bytes, limits);
  return sub_nests;
}

std::vector<runtime::Kernel> strided_kernels(const StridedCall& call) {
  const Shape& shape = call.shape ? *call.shape : call.operands.back().tensor->shape;
  const std::int64_t count = element_count(shape);
  if (count == 0) return {KernelBuilder(call.name, call.shader).build()};
  std::vector<runtime::Kernel> kernels;
  if (const auto sub_nest = flat_nest(call, shape, count)) {
    kernels.push_back(kernel_for(call, *sub_nest));
    return kernels;
  }
  LoopNest nest{shape, {}};
  nest.strides.reserve(call.operands.size());
  ElementBytes element_bytes;
  for (const StridedOperand& operand : call.operands) {
    if (operand.steps) check_reach(call, operand, shape);
    nest.strides.push_back(operand.steps ? *operand.steps
                                         : broadcast_strides(operand.tensor->shape, operand.tensor->strides, shape));
    element_bytes.push_back(operand.steps ? 0 : size_of(operand.tensor->dtype));
  }
  const auto sub_nests = split(collapse(std::move(nest)), element_bytes, {});
  kernels.reserve(sub_nests.size());
  for (const SubNest& sub_nest : sub_nests) kernels.push_back(kernel_for(call, sub_nest));
  return kernels;
}

}  // namespace aclvk::ops
