#include "report/html.hpp"

#include <stdexcept>
#include <string_view>

namespace bench {
namespace {

// page.html as several string literals, because compilers limit the length of one.
constexpr std::string_view kPage[] = {
#include "page.inc"
};

constexpr std::string_view kPlace = "@REPORT@";

std::string page() {
  std::string text;
  for (const std::string_view literal : kPage) text += literal;
  return text;
}

// In JSON "<" occurs only inside strings, where \u003c means the same. So no string can end the script element or start
// a comment in it. All characters beyond ASCII are escaped, and invalid UTF-8, for instance in a driver's name, becomes
// U+FFFD.
std::string for_script(const nlohmann::ordered_json& report) {
  std::string text;
  for (const char c : report.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string to_html(const nlohmann::ordered_json& report) {
  std::string text = page();
  const std::size_t position = text.find(kPlace);
  if (position == std::string::npos) throw std::logic_error("page.html has no place for the report.");
  return text.replace(position, kPlace.size(), for_script(report));
}

}  // namespace bench
