#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/event/event.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

// IPC events (runtime-semantics 5.3.9), and notifies that several processes share (6).

/// Returns the key of an IPC event, the same at each call. Throws kParamInvalid for events without the flag.
std::string export_event(const EventPtr& event);
/// Returns a handle for the event of another process.
void* open_event(const std::string& key);
/// Withdraws the key of an event, which is going to be destroyed.
void withdraw_event(const Event& event);

/// Returns a key of a notify. Moves its state to a page that all processes share which use it.
std::string export_notify(Notify& notify, bool to_all);
void* open_notify(const std::string& key);
/// Throws kParamInvalid for a notify that this process has not exported.
void allow_notify(Notify& notify, const std::vector<pid_t>& processes);
void withdraw_notify(Notify& notify);

}  // namespace aclvk::runtime
