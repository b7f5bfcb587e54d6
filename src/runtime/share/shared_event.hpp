#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/event/event.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

// IPC events (runtime-semantics 5.3.9), and notifies that several processes use (6).

/// The key of an IPC event, always the same; kParamInvalid for others. Without an end.
std::string export_event(const EventPtr& event);
/// A handle for the event of another process.
void* open_event(const std::string& key);
/// Nobody can open a destroyed event.
void withdraw_event(const Event& event);

/// The key of a notify. From now on its state lies in memory of all processes that use it.
std::string export_notify(Notify& notify, bool to_all);
void* open_notify(const std::string& key);
/// Throws kParamInvalid for a notify that this process has not exported.
void allow_notify(Notify& notify, const std::vector<pid_t>& processes);
void withdraw_notify(Notify& notify);

}  // namespace aclvk::runtime
