#pragma once

namespace aclvk::runtime {

// The process that the devices belong to. It cannot use them any more once it exits, and forked children never can,
// because the threads of devices exist only in the process that has opened them.

/// Makes the calling process the owner of the devices, unless there is one.
void own_devices();
/// Returns false in a forked child of the owner.
bool owns_devices();

/// Registers an exit handler that waits until the devices are idle. Exit handlers run in reverse order of registration,
/// so that it precedes those which drivers and layers have registered by now. They register some at their first
/// submission: the library calls this when a device is opened, and again after the first submission. Defined in
/// runtime/process/exit.cpp.
void quiesce_before_exit();
/// Makes the devices unusable: drivers must not be called any more.
void end_use_of_devices();
/// Returns true after end_use_of_devices(), which the exit handler calls.
bool process_exiting();
/// Throws kContextRelease when the process is exiting, and in a forked child of the owner.
void check_process_has_devices();

}  // namespace aclvk::runtime
