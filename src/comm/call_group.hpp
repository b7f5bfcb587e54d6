#pragma once

#include <functional>

namespace aclvk::comm {

// HcclGroupStart and HcclGroupEnd, like ncclGroupStart and ncclGroupEnd: calls of a thread between the two are checked
// at once and issued together at the outermost end. A group contains calls of one kind. Groups are thread-local.

enum class CallKind { kCommunicator, kCollective, kPointToPoint };

/// Opens a group; groups nest.
void start_group();
/// Closes a group. At the end of the outermost group, issues its calls; throws the first failure after all calls have
/// been issued. Throws HCCL_E_PARA when no group is open.
void end_group();
/// Returns whether the calling thread has an open group.
bool in_group();

/// Runs `work` now, or at the end of the thread's group. Throws HCCL_E_PARA in a group of calls of another kind.
void issue(CallKind kind, std::function<void()> work);
/// Throws HCCL_E_NOT_SUPPORT when the calling thread has an open group.
void check_no_group(const char* function);

}  // namespace aclvk::comm
