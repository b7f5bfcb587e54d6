#include "ops/sort/sorting.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/view.hpp"
#include "sort/block.args.h"
#include "sort/merge.args.h"
#include "sort/pick.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(BlockArguments, BLOCK_ARGUMENTS);
CONSTANT_STRUCT(BlockConstants, BLOCK_CONSTANTS);
ARGUMENT_STRUCT(MergeArguments, MERGE_ARGUMENTS);
CONSTANT_STRUCT(MergeConstants, MERGE_CONSTANTS);
ARGUMENT_STRUCT(PickArguments, PICK_ARGUMENTS);
CONSTANT_STRUCT(PickConstants, PICK_CONSTANTS);

constexpr std::int64_t kPerThread = 8;     // elements that a thread of sort/block.comp sorts
constexpr std::uint32_t kMergeGroup = 64;  // threads of a workgroup of sort/merge.comp, which share nothing

/// The rows of a sort.
// Sorting is a stable merge sort: workgroups sort runs in shared memory, and merge kernels double the length of
// runs by merge path (Odeh et al. 2012).
struct Rows {
  std::int64_t rows;
  std::int64_t count;  ///< elements of a row
  std::int64_t keep;   ///< leading elements that are needed
  bool wide;           ///< keys have two words
  bool is_cpu_device;

  /// Words of a record (shaders/sort/records.glsl).
  std::int64_t record_words() const { return wide ? 4 : 2; }
  /// The longest run that a workgroup sorts. On CPU devices exchanging records in shared memory costs more than a merge
  /// kernel.
  std::int64_t block() const { return is_cpu_device ? kPerThread : wide ? 1024 : 2048; }
};

Rows rows_of(const SortCall& call) {
  const std::int64_t count = call.self.shape[call.dim];
  const Tensor& picked = call.values ? *call.values : *call.indices;
  const std::int64_t last = call.first + picked.shape[call.dim];
  // The number of NaNs decides which element is the median, so all records are needed.
  const bool all = call.pick == Pick::kMiddleOfNumbers;
  return {call.self.elements() / count, count, all ? count : last, size_of(call.self.dtype) > 4,
          call.execution.is_cpu_device};
}

void check_size(const SortCall& call, const Rows& rows) {
  const auto bytes = static_cast<std::uint64_t>(call.self.elements()) *
                     static_cast<std::uint64_t>(rows.record_words()) * sizeof(std::uint32_t);
  check(bytes < std::uint64_t{1} << 32, Code::kNnInvalid,
        "self has {} elements of {}; {} sorts them by way of {} bytes, and less than 2^32 are supported.",
        call.self.elements(), call.self.dtype, call.name, bytes);
}

KernelBuilder kernel_between(const char* name, std::string_view shader, const Tensor& from, const Tensor& to) {
  const auto bytes = [](const Tensor& tensor) {
    return static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype);
  };
  KernelBuilder kernel(name, shader);
  kernel.add_operand(from.address(), bytes(from), Access::kRead);
  kernel.add_operand(to.address(), bytes(to), Access::kWrite);
  return kernel;
}

/// The length of a run: a power of two, at least the elements of a thread.
std::int64_t span_for(const Rows& rows) {
  std::int64_t span = kPerThread;
  while (span < rows.count && span < rows.block()) span *= 2;
  return span;
}

/// Sorts the elements of contiguous rows into runs.
runtime::Kernel block_kernel(const SortCall& call, const Rows& rows, const Tensor& from, const Tensor& to) {
  const std::int64_t span = span_for(rows);
  const std::int64_t chunks = (rows.count + span - 1) / span;
  const std::int64_t threads = rows.rows * chunks * (span / kPerThread);
  // A run stays in a workgroup, whose shared memory is limited; small inputs get small workgroups.
  std::int64_t group = span / kPerThread;
  while (group < threads && group < 128) group *= 2;
  KernelBuilder kernel = kernel_between(call.name, rows.wide ? "sort/block_wide" : "sort/block_narrow", from, to);
  BlockConstants constants;
  constants.local_size = word(group);
  constants.kDtype = static_cast<uint>(from.dtype);
  constants.kSize = static_cast<uint>(size_of(from.dtype));
  constants.kMerges = span > kPerThread;
  kernel.add_constants(constants);
  BlockArguments arguments;
  arguments.rows = word(rows.rows);
  arguments.count = word(rows.count);
  arguments.span = word(span);
  arguments.chunks = word(chunks);
  arguments.keep = word(rows.keep);
  arguments.nan_key = call.nan_lowest ? 0U : ~0U;
  arguments.key_mask = call.descending ? ~0U : 0U;
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(threads), static_cast<std::uint64_t>(group));
  return kernel.build();
}

/// Merges pairs of runs of `width` records.
runtime::Kernel merge_kernel(const SortCall& call, const Rows& rows, std::int64_t width, const Tensor& from,
                             const Tensor& to) {
  // A thread's binary search costs as much as merging some records. CPU devices run few threads, so each merges more.
  const std::int64_t each = call.execution.is_cpu_device ? 64 : 16;
  const std::int64_t pairs = (rows.count + 2 * width - 1) / (2 * width);
  // Records past `keep` are not merged: a top-k needs the head of each run only.
  const std::int64_t shares = (std::min(2 * width, rows.keep) + each - 1) / each;
  const std::int64_t threads = rows.rows * pairs * shares;
  KernelBuilder kernel = kernel_between(call.name, rows.wide ? "sort/merge_wide" : "sort/merge_narrow", from, to);
  MergeConstants constants;
  constants.kPerThread = word(each);
  kernel.add_constants(constants);
  MergeArguments arguments;
  arguments.threads = word(threads);
  arguments.count = word(rows.count);
  arguments.width = word(width);
  arguments.keep = word(rows.keep);
  arguments.pairs = word(pairs);
  arguments.shares = word(shares);
  kernel.add_arguments(arguments);
  kernel.set_threads(static_cast<std::uint64_t>(threads), kMergeGroup);
  return kernel.build();
}

/// Extracts elements or indices from the sorted records.
Kernels pick_kernels(const SortCall& call, const Rows& rows, const Tensor& records, const Tensor& out, bool elements) {
  Shape others = call.self.shape;
  others[call.dim] = 1;
  Shape record_steps = contiguous_strides(others);
  // Records are contiguous by row, and rows are in row-major order of the other dims.
  for (std::int64_t& step : record_steps) step *= rows.count;
  record_steps[call.dim] = 1;
  Shape row_steps = call.self.strides;
  row_steps[call.dim] = 0;
  StridedCall pick;
  pick.name = call.name;
  pick.shader = "sort/pick_bits";
  pick.promoted = out.dtype;
  PickConstants constants;
  constants.kWideKeys = rows.wide;
  constants.kElements = elements;
  constants.kPick = static_cast<uint>(call.pick);
  add_constants(pick, constants);
  PickArguments arguments;
  arguments.count = word(rows.count);
  arguments.first = word(call.first);
  arguments.step = word(call.self.strides[call.dim]);
  add_arguments(pick, arguments);
  pick.operands = {{&records, Access::kRead, false, &record_steps},
                   {&call.self, Access::kRead, false, &row_steps},
                   {&out, Access::kWrite, false}};
  return strided_kernels(pick);
}

/// Permutes the dims so that `dim` is the last one.
Tensor rows_along(const Tensor& tensor, std::size_t dim) {
  Shape order;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (i != dim) order.push_back(static_cast<std::int64_t>(i));
  }
  order.push_back(static_cast<std::int64_t>(dim));
  return permuted(tensor, order);
}

}  // namespace

Kernels sort_kernels(const SortCall& call, Staging& staging) {
  const Tensor& any = call.values ? *call.values : *call.indices;
  if (any.empty()) return strided_kernels({call.name, "sort/pick_bits", {{&any, Access::kWrite, false}}, {}, {}, {}});
  const Rows rows = rows_of(call);
  check_size(call, rows);
  const Tensor source = staging.read(rows_along(call.self, call.dim));
  Tensor records = staging.make({call.self.elements(), rows.record_words()}, DType::kUint32);
  Kernels kernels{block_kernel(call, rows, source, records)};
  if (rows.count > rows.block()) {
    Tensor others = staging.make(records.shape, records.dtype);
    for (std::int64_t width = rows.block(); width < rows.count; width *= 2) {
      kernels.push_back(merge_kernel(call, rows, width, records, others));
      std::swap(records, others);
    }
  }
  if (call.values) append(kernels, pick_kernels(call, rows, records, *call.values, true));
  if (call.indices) append(kernels, pick_kernels(call, rows, records, *call.indices, false));
  return kernels;
}

}  // namespace aclvk::ops
