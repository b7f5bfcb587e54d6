#pragma once

namespace aclvk::runtime {

// The process that the devices belong to. It cannot use them any more once it exits, and forked children never can,
// because the threads of devices exist only in the process that has opened them.

/// Makes the calling process the owner of the devices, unless there is one.
void own_devices();
/// Returns false in a forked child of the owner.
bool owns_devices();

/// Makes the devices unusable: drivers must not be called any more.
void end_use_of_devices();
/// Returns true after end_use_of_devices(), which the exit handler calls (runtime/device/device_services.hpp).
bool process_exiting();
/// Throws kContextRelease when the process is exiting, and in a forked child of the owner.
void check_process_has_devices();

}  // namespace aclvk::runtime
