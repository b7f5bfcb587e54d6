#pragma once

#include "runtime/task.hpp"

namespace aclvk::runtime {

// ACLVK_FAIL_KERNEL: kernels that fail on purpose, so that a program's treatment of device errors can be tested where
// no device fails.

bool injects_faults();
/// Throws kAicoreException for a kernel whose name holds the configured text.
void inject_fault(const Task& task);

}  // namespace aclvk::runtime
