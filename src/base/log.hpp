#pragma once

#include <spdlog/spdlog.h>

namespace aclvk {

/// The library's logger. Level and destination follow the variables of CANN (see config.def). Use through spdlog's own
/// calls: `log().warn("stream {} ...", id)`.
spdlog::logger& log();

/// Applies the level and destination of `config()` again after reload_config().
void reload_log();

}  // namespace aclvk
