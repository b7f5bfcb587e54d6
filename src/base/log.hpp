#pragma once

#include <spdlog/spdlog.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace aclvk {

/// The library's logger. Level and destination follow the variables of CANN (see config.def). Use through spdlog's own
/// calls: `log().warn("stream {} ...", id)`. What is less than an error is written by a thread of its own; an error is
/// written, with all that came before it, when the call returns.
spdlog::logger& log();

/// The same for what programs record as running information and not for debugging (RUN_LOG_MASK of acllogRecord).
spdlog::logger& run_log();

/// Applies the level and destination of `config()` again after reload_config().
void reload_log();

/// Returns when all that has been logged so far is written.
void flush_log();

/// A function that gets each line that is written, with its line end. `run` tells which of the two loggers has it. Runs
/// on the thread that writes, on several at once when they do; what it logs itself is written at once, and not given to
/// listeners.
using LogListener = std::function<void(bool run, const char* line, std::size_t bytes)>;

/// Returns a number for remove_log_listener, never 0.
std::uint64_t add_log_listener(LogListener listener);
/// False for an unknown number. Otherwise the listener is not running, except below the caller, and will not be called.
bool remove_log_listener(std::uint64_t number);

}  // namespace aclvk
