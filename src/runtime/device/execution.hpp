#pragma once

namespace aclvk::runtime {

/// True when the calling thread's device runs the threads of a kernel one after the other, on the cores of a CPU: such
/// a device wants few threads that do much each. False without a device, and where drivers are not treated differently
/// (ACLVK_DRIVER_TUNING=0).
bool threads_take_turns();

}  // namespace aclvk::runtime
