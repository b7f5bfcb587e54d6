#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/dump/dump_target.hpp"

namespace aclvk::runtime {

using DumpTargetPtr = std::shared_ptr<DumpTarget>;

namespace detail {
extern std::atomic<int> target_count;  // negative until the first find_targets()
bool find_targets();                   // adds the target of ACLVK_RECORD at the first call
}  // namespace detail

/// Returns whether operators are dumped at the moment, by ACLVK_RECORD or by a dump of the program. Costs one load and
/// one branch when not.
inline bool dump_active() {
  return detail::target_count.load(std::memory_order_relaxed) != 0 && detail::find_targets();
}

/// Returns the active targets. A call of an operator shares ownership of them, so that its tensors are written even
/// when the dump ends before its tasks run.
std::vector<DumpTargetPtr> dump_targets();

void add_dump_target(DumpTargetPtr target);
void remove_dump_target(const DumpTargetPtr& target);

/// The type of the host tasks that read an operator's tensors. Models do not report them as tasks of the program.
constexpr const char* kDumpTaskType = "OPERATOR_RECORD";

/// Returns the next number of a call, counted from 1 in the whole process.
std::uint64_t next_call_number();

}  // namespace aclvk::runtime
