#include "ops/sort/slices.hpp"

#include <algorithm>
#include <utility>

#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/operand.hpp"
#include "ops/sort/sorting.hpp"
#include "ops/tensor/view.hpp"
#include "sort/changes.args.h"
#include "sort/ranks.args.h"
#include "sort/slices.args.h"

namespace aclvk::ops {
namespace {

using runtime::Access;

ARGUMENT_STRUCT(SlicesArguments, SLICES_ARGUMENTS);
CONSTANT_STRUCT(SlicesConstants, SLICES_CONSTANTS);
ARGUMENT_STRUCT(ChangesArguments, CHANGES_ARGUMENTS);
CONSTANT_STRUCT(ChangesConstants, CHANGES_CONSTANTS);
ARGUMENT_STRUCT(RanksArguments, RANKS_ARGUMENTS);
CONSTANT_STRUCT(RanksConstants, RANKS_CONSTANTS);

constexpr std::uint32_t kGroup = 64;            // threads of a workgroup, which share nothing
constexpr std::int64_t kSearchIterations = 32;  // of a binary search; each iteration compares columns

bool wide(const Tensor& tensor) { return size_of(tensor.dtype) > 4; }

runtime::Operand operand(const Tensor& tensor, Access access) {
  return {tensor.address(), static_cast<std::uint64_t>(tensor.elements()) * size_of(tensor.dtype), access};
}

/// A kernel with one thread per slice. An empty tensor is never read, and another replaces it as an operand.
KernelBuilder kernel_over(const Slices& slices, std::string_view shader, const Tensor& first, const Tensor& third,
                          Access access) {
  KernelBuilder kernel(slices.name, shader);
  kernel.add_operand(operand(first.empty() ? third : first, Access::kRead));
  kernel.add_operand(operand(slices.order, Access::kRead));
  kernel.add_operand(operand(third, access));
  kernel.set_threads(static_cast<std::uint64_t>(slices.rows()), kGroup);
  return kernel;
}

runtime::Kernel merge_kernel(const Slices& slices, std::int64_t first, std::int64_t last, std::int64_t width,
                             const Tensor& merged) {
  KernelBuilder kernel = kernel_over(slices, wide(slices.matrix) ? "sort/slices_wide" : "sort/slices_narrow",
                                     slices.matrix, merged, Access::kWrite);
  SlicesConstants constants;
  constants.kDtype = static_cast<uint>(slices.matrix.dtype);
  constants.kSize = word(static_cast<std::int64_t>(size_of(slices.matrix.dtype)));
  constants.kFirst = slices.unordered;
  kernel.add_constants(constants);
  SlicesArguments arguments;
  arguments.rows = word(slices.rows());
  arguments.columns = word(slices.columns());
  arguments.first = word(first);
  arguments.last = word(last);
  arguments.width = word(width);
  kernel.add_arguments(arguments);
  return kernel.build();
}

/// Sorts slices of one column as elements.
Slices sorted_elements(const Slices& slices, Kernels& kernels, Staging& staging, runtime::Execution execution) {
  SortCall call;
  call.name = slices.name;
  call.self = *reshaped(slices.matrix, {slices.rows()});
  call.indices = &slices.order;
  call.execution = execution;
  append(kernels, sort_kernels(call, staging));
  Slices result = slices;
  result.unordered = false;
  return result;
}

/// Calls visit(first, last) for ranges of columns that a thread can compare, from the last range to the first.
template <typename Visit>
void for_ranges_backwards(std::int64_t columns, std::int64_t most, Visit visit) {
  for (std::int64_t last = columns; last > 0; last -= std::min(most, last))
    visit(std::max<std::int64_t>(last - most, 0), last);
}

}  // namespace

Slices sorted(const Slices& slices, Kernels& kernels, Staging& staging, runtime::Execution execution) {
  if (slices.columns() == 1) return sorted_elements(slices, kernels, staging, execution);
  Slices current = slices;
  Tensor other = staging.make(slices.order.shape, slices.order.dtype);
  // Stable sorts by the last columns first and by the first columns last sort by all columns (as in LSD radix sort).
  for_ranges_backwards(slices.columns(), kMaxIterations / kSearchIterations,
                       [&](std::int64_t first, std::int64_t last) {
                         for (std::int64_t width = 1; width < slices.rows(); width *= 2) {
                           append(kernels, {merge_kernel(current, first, last, width, other)});
                           // A pass of the bottom-up merge sort reads one order and writes the other.
                           std::swap(current.order, other);
                           current.unordered = false;
                         }
                       });
  return current;
}

Kernels change_kernels(const Slices& slices, const Tensor& changes) {
  Kernels kernels;
  const auto add = [&](std::int64_t first, std::int64_t last) {
    KernelBuilder kernel = kernel_over(slices, wide(slices.matrix) ? "sort/changes_wide" : "sort/changes_narrow",
                                       slices.matrix, changes, Access::kReadWrite);
    ChangesConstants constants;
    constants.kDtype = static_cast<uint>(slices.matrix.dtype);
    constants.kSize = word(static_cast<std::int64_t>(size_of(slices.matrix.dtype)));
    constants.kUnordered = slices.unordered;
    constants.kContinues = !kernels.empty();
    kernel.add_constants(constants);
    ChangesArguments arguments;
    arguments.rows = word(slices.rows());
    arguments.columns = word(slices.columns());
    arguments.first = word(first);
    arguments.last = word(last);
    kernel.add_arguments(arguments);
    append(kernels, {kernel.build()});
  };
  // Comparing all columns may take several kernels, each of which keeps the changes that earlier ones found.
  for_ranges_backwards(slices.columns(), kMaxIterations, add);
  // Slices without columns are all equal; the kernel marks the first one.
  if (kernels.empty()) add(0, 0);
  return kernels;
}

Kernels rank_kernels(const Slices& slices, const Tensor& sums, const Tensor& ranks) {
  KernelBuilder kernel = kernel_over(slices, "sort/ranks_bits", sums, ranks, Access::kWrite);
  RanksConstants constants;
  constants.kUnordered = slices.unordered;
  kernel.add_constants(constants);
  RanksArguments arguments;
  arguments.rows = word(slices.rows());
  kernel.add_arguments(arguments);
  return {kernel.build()};
}

}  // namespace aclvk::ops
