#pragma once

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

// ACLVK_FAIL_KERNEL: kernels that fail on purpose, so that a program's treatment of device errors can be tested where
// no device fails.

bool injects_faults();
/// The task is a kernel whose name holds the configured text.
bool fails_on_purpose(const Task& task);
/// Throws kAicoreException for such a kernel.
void inject_fault(const Task& task);

}  // namespace aclvk::runtime
