#pragma once

#include <nlohmann/json.hpp>

#include "harness/report.hpp"

namespace bench {

/// Times in microseconds. "targets" comes last, so that a script finds it at the end of the file.
nlohmann::ordered_json to_json(const Report& report);

}  // namespace bench
