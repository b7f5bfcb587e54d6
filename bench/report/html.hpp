#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// The report as one page that needs nothing else: its plots are drawn from the JSON inside it.
std::string to_html(const nlohmann::ordered_json& report);

}  // namespace bench
