#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/record/record_target.hpp"

namespace aclvk::runtime {

using RecordTargetPtr = std::shared_ptr<RecordTarget>;

namespace detail {
extern std::atomic<int> recordings;  // negative: nobody has asked yet
bool find_recordings();
}  // namespace detail

/// Whether operators are recorded at the moment: by ACLVK_RECORD, or by a dump. One load and one branch when not.
inline bool recording() { return detail::recordings.load(std::memory_order_relaxed) != 0 && detail::find_recordings(); }

/// Where to. A call keeps what it gets here: what was launched before a dump ended is still written.
std::vector<RecordTargetPtr> record_targets();

void add_record_target(RecordTargetPtr target);
void remove_record_target(const RecordTargetPtr& target);

/// The type of the host tasks that read an operator's tensors. Models do not count them among the tasks of the program.
constexpr const char* kRecordTaskType = "OPERATOR_RECORD";

/// Numbers calls through the process, from 1.
std::uint64_t next_call_number();

}  // namespace aclvk::runtime
