#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/dump/dump_target.hpp"

namespace aclvk::runtime {

using DumpTargetPtr = std::shared_ptr<DumpTarget>;

namespace detail {
extern std::atomic<int> target_count;  // negative: nobody has asked yet
bool find_targets();
}  // namespace detail

/// Whether operators are recorded at the moment: by ACLVK_RECORD, or by a dump. One load and one branch when not.
inline bool dump_active() {
  return detail::target_count.load(std::memory_order_relaxed) != 0 && detail::find_targets();
}

/// Where to. A call keeps what it gets here: what was launched before a dump ended is still written.
std::vector<DumpTargetPtr> dump_targets();

void add_dump_target(DumpTargetPtr target);
void remove_dump_target(const DumpTargetPtr& target);

/// The type of the host tasks that read an operator's tensors. Models do not count them among the tasks of the program.
constexpr const char* kDumpTaskType = "OPERATOR_RECORD";

/// Numbers calls through the process, from 1.
std::uint64_t next_call_number();

}  // namespace aclvk::runtime
