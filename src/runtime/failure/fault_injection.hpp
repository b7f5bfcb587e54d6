#pragma once

#include "runtime/task/task.hpp"

namespace aclvk::runtime {

// ACLVK_FAIL_KERNEL makes kernels fail on purpose, so that a program's error handling can be tested on devices that do
// not fail.

/// Returns true when the variable is set.
bool injects_faults();
/// Returns true for a kernel whose name contains the variable's text.
bool fails_on_purpose(const Task& task);
/// Throws kAicoreException for such a kernel.
void inject_fault(const Task& task);

}  // namespace aclvk::runtime
