#pragma once

#include <functional>

namespace aclvk::comm {

// HcclGroupStart and HcclGroupEnd: calls of a thread between the two are checked at once and issued together at the
// outermost end. A group is of one kind of calls.

enum class CallKind { kCommunicator, kCollective, kPointToPoint };

void start_group();
/// Issues the calls when this is the end of the outermost group; the first failure is thrown after all have been
/// issued. Throws HCCL_E_PARA without a start.
void end_group();
bool in_group();

/// Runs the work now, or at the end of the thread's group. Throws HCCL_E_PARA in a group of another kind of calls.
void issue(CallKind kind, std::function<void()> work);
/// Throws HCCL_E_NOT_SUPPORT in a group.
void check_no_group(const char* function);

}  // namespace aclvk::comm
