#pragma once

#include <spdlog/spdlog.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace aclvk {

/// Returns the library's logger. CANN's variables set its level and destination (config.def). A background thread
/// writes messages below the level error; a call that logs an error returns after the error and all earlier messages
/// are written. Thread safe.
spdlog::logger& log();

/// Returns the logger of running information, as opposed to debugging (RUN_LOG_MASK of acllogRecord).
spdlog::logger& run_log();

/// Applies the level and destination of config() after reload_config().
void reload_log();

/// Returns after all earlier messages have been written.
void flush_log();

/// A function that receives each written line, including its newline. `run` is true for lines of run_log(). Called on
/// the thread that writes, concurrently if several do; a line that the function logs itself is written at once and
/// passed to no listener.
using LogListener = std::function<void(bool run, const char* line, std::size_t bytes)>;

/// Returns a number for remove_log_listener(), never 0.
std::uint64_t add_log_listener(LogListener listener);
/// Returns false for an unknown number. Otherwise waits for calls in progress on other threads; the listener is not
/// called afterwards. Of two listeners that remove each other at the same time, the second does not wait.
bool remove_log_listener(std::uint64_t number);
/// Removes all listeners, for the end of a Process. Precondition: none is being called.
void remove_log_listeners();

}  // namespace aclvk
