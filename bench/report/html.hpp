#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// Returns the report as a self-contained HTML page, which draws its plots from the embedded JSON.
std::string to_html(const nlohmann::ordered_json& report);

}  // namespace bench
