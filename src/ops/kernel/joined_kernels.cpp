#include "ops/kernel/joined_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "common/strided.args.h"
#include "ops/kernel/grid.hpp"
#include "ops/kernel/kernel_builder.hpp"
#include "ops/kernel/strided.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {
namespace {

using runtime::Kernel;

// An entry of the group list packs the launch and the group within it into 16 bits each.
constexpr std::uint32_t kMaxGroups = 512;       // of a launch; a larger one gets a dispatch of its own
constexpr std::size_t kMaxLaunches = 4096;      // keeps argument blocks below a few megabytes
constexpr std::uint32_t kNoGroup = 0xFFFF0000;  // a group past the end of any launch, which does nothing

CONSTANT_STRUCT(StridedConstants, STRIDED_CONSTANTS);
constexpr std::uint32_t kJoined = 4;  // of kLaneLayoutAndJoin
constexpr std::size_t kHeaderBytes = 8;

std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

bool is_empty(const Kernel& kernel) { return kernel.groups[0] == 0 || kernel.groups[1] == 0 || kernel.groups[2] == 0; }

bool is_small(const Kernel& kernel) {
  return kernel.groups[0] <= kMaxGroups && kernel.groups[1] == 1 && kernel.groups[2] == 1;
}

// Arguments of one size are required too, because the blocks of the launches have one stride.
bool have_same_pipeline(const Kernel& a, const Kernel& b) {
  return a.shader == b.shader && a.arguments.size() == b.arguments.size() && a.operands.size() == b.operands.size() &&
         a.constants.size() == b.constants.size() &&
         std::equal(a.constants.begin(), a.constants.end(), b.constants.begin());
}

/// The addresses of an operand of a launch.
struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;
  std::size_t launch;
};

bool overlaps_other_launch(const std::vector<Range>& written, const Range& range) {
  // Binary search: ends are sorted like begins, because the written ranges are disjoint here.
  const auto ends_before = [](const Range& one, std::uintptr_t begin) { return one.end <= begin; };
  auto at = std::lower_bound(written.begin(), written.end(), range.begin, ends_before);
  for (; at != written.end() && at->begin < range.end; ++at) {
    if (at->launch != range.launch) return true;
  }
  return false;
}

/// Returns whether no launch reads or writes what another one writes. Lists may contain a tensor twice, or share
/// tensors. `flag` is an address that is only compared.
bool are_independent(const Kernels& kernels, const void* flag) {
  std::vector<Range> written;
  std::vector<Range> read;
  for (std::size_t launch = 0; launch < kernels.size(); ++launch) {
    for (const runtime::Operand& operand : kernels[launch].operands) {
      const auto begin = reinterpret_cast<std::uintptr_t>(operand.address);
      auto& ranges = operand.access == runtime::Access::kRead ? read : written;
      const bool counts = !is_empty(kernels[launch]) && operand.address != flag;
      if (counts) ranges.push_back({begin, begin + operand.bytes, launch});
    }
  }
  std::sort(written.begin(), written.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  // In sorted order, two ranges overlap only if two neighbours do.
  const auto meet = [](const Range& a, const Range& b) { return b.begin < a.end; };
  if (std::adjacent_find(written.begin(), written.end(), meet) != written.end()) return false;
  return std::none_of(read.begin(), read.end(),
                      [&](const Range& range) { return overlaps_other_launch(written, range); });
}

/// Launches that can become one dispatch.
using Launches = std::vector<Kernel>;

void add_launch(std::vector<Launches>& sets, Kernel kernel) {
  const auto fits = [&](const Launches& set) {
    return set.size() < kMaxLaunches && have_same_pipeline(set.front(), kernel);
  };
  const auto found = is_small(kernel) ? std::find_if(sets.rbegin(), sets.rend(), fits) : sets.rend();
  if (found != sets.rend()) return found->push_back(std::move(kernel));
  sets.emplace_back();
  sets.back().push_back(std::move(kernel));
}

/// The group list of the joined dispatch: for each workgroup its launch in the lower 16 bits, and its number within the
/// launch in the upper ones.
std::vector<std::uint32_t> groups_of(const Launches& launches, std::array<std::uint32_t, 3>& grid) {
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    for (std::uint32_t group = 0; group < launches[i].groups[0]; ++group) groups.push_back(group << 16 | i);
  }
  grid = row_of_groups(groups.size(), 1);
  groups.resize(std::size_t{grid[0]} * grid[1], kNoGroup);
  return groups;
}

Kernel join(Launches&& launches) {
  Kernel kernel = std::move(launches.front());
  if (launches.size() == 1) return kernel;
  // The first launch is both the prototype of the joined kernel and one of its launches.
  launches.front() = kernel;
  const std::vector<std::uint32_t> groups = groups_of(launches, kernel.groups);
  const std::size_t operands = kernel.operands.size();
  const std::size_t first = aligned(kHeaderBytes + groups.size() * sizeof(std::uint32_t));
  const std::size_t stride = aligned(operands * kSlotBytes + kernel.arguments.size());
  kernel.joined = {operands, first, stride};
  kernel.copies = false;
  kernel.constants[StridedConstants::number_of_kLaneLayoutAndJoin] |= kJoined;

  // The block: a header, the group list, and for each launch its slots of addresses, then its scalars. Slots stay
  // 0 until the launch.
  runtime::Arguments block(first + launches.size() * stride);
  const std::uint32_t header[] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(stride)};
  std::memcpy(block.data(), header, kHeaderBytes);
  std::memcpy(block.data() + kHeaderBytes, groups.data(), groups.size() * sizeof(std::uint32_t));
  kernel.operands.clear();
  kernel.operands.reserve(launches.size() * operands);
  std::byte* at = block.data() + first + operands * kSlotBytes;
  for (const Kernel& launch : launches) {
    std::memcpy(at, launch.arguments.data(), launch.arguments.size());
    kernel.operands.append(launch.operands.begin(), launch.operands.end());
    at += stride;
  }
  kernel.arguments = std::move(block);
  return kernel;
}

}  // namespace

Kernels joined(Kernels kernels, const Tensor* flag, const std::function<void()>& check_order) {
  if (!are_independent(kernels, flag ? flag->address() : nullptr)) {
    if (check_order) check_order();
    return kernels;
  }
  if (runtime::execution().is_cpu_device) return kernels;
  std::vector<Launches> sets;
  Kernels result;
  for (Kernel& kernel : kernels) {
    if (is_empty(kernel)) {
      if (result.empty()) result.push_back(std::move(kernel));
      continue;
    }
    add_launch(sets, std::move(kernel));
  }
  if (!sets.empty()) result.clear();
  for (Launches& launches : sets) result.push_back(join(std::move(launches)));
  return result;
}

}  // namespace aclvk::ops
