#pragma once

#include <nlohmann/json.hpp>

#include "harness/report.hpp"

namespace bench {

/// Returns the report as JSON, with times in microseconds. "targets" is the last member, so that scripts find it at the
/// end of the file.
nlohmann::ordered_json to_json(const Report& report);

}  // namespace bench
