#include "report/html.hpp"

namespace bench {
std::string to_html(const nlohmann::ordered_json& report) { return report.dump(); }
}  // namespace bench
