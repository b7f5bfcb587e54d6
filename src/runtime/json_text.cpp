#include "runtime/json_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace aclvk::runtime {
namespace {

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; });
}

}  // namespace

// Most texts are plain ASCII, which needs no JSON library. Other texts are escaped to ASCII, and invalid UTF-8 in them
// is replaced.
std::string json_text(std::string_view text) {
  if (is_plain(text)) return fmt::format("\"{}\"", text);
  using Json = nlohmann::json;
  return Json(std::string(text)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string json_text(double value) { return nlohmann::json(value).dump(); }

std::string json_array_of(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ","));
}

JsonObject& JsonObject::add_json(std::string_view name, std::string_view json) {
  members_ += fmt::format("{}{}:{}", members_.empty() ? "" : ",", json_text(name), json);
  return *this;
}

JsonObject& JsonObject::add_all(const JsonObject& other) {
  if (!members_.empty() && !other.members_.empty()) members_ += ',';
  members_ += other.members_;
  return *this;
}

}  // namespace aclvk::runtime
