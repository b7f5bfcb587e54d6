#include "report/html.hpp"

#include <stdexcept>
#include <string_view>

namespace bench {
namespace {

// page.html in pieces, because compilers bound the length of one literal.
constexpr std::string_view kPage[] = {
#include "page.inc"
};

constexpr std::string_view kPlace = "@REPORT@";

std::string page() {
  std::string text;
  for (const std::string_view literal : kPage) text += literal;
  return text;
}

// In JSON "<" stands only inside strings, where \u003c means the same; so no string can end the script element or open
// a comment in it. Everything beyond ASCII is escaped too, and bytes that are no UTF-8, say of a driver's name, become
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
