#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace aclvk::runtime {

// JSON output, composed as text: destructors of nlohmann's objects and arrays allocate memory, and terminate the
// process when that fails. Its numbers and strings do not, and are used to format those.

/// Returns a JSON string in ASCII. Replaces bytes that are not UTF-8.
std::string json_text(std::string_view text);
inline std::string json_text(const char* text) { return json_text(std::string_view(text)); }
inline std::string json_text(const std::string& text) { return json_text(std::string_view(text)); }
/// Returns null for NaN and infinities, which JSON does not have.
std::string json_text(double value);
template <typename Number, typename = std::enable_if_t<std::is_integral_v<Number>>>
std::string json_text(Number value) {
  return fmt::format("{}", value);
}

/// Returns an array of elements that are JSON already.
std::string json_array_of(const std::vector<std::string>& elements);

/// Returns an array of numbers or texts.
template <typename Range>
std::string json_array(const Range& values) {
  std::vector<std::string> elements;
  for (const auto& value : values) elements.push_back(json_text(value));
  return json_array_of(elements);
}

/// The members of an object, in the order in which they are added.
class JsonObject {
 public:
  template <typename Value>
  JsonObject& add(std::string_view name, const Value& value) {
    return add_json(name, json_text(value));
  }
  /// Adds a member whose value is JSON already.
  JsonObject& add_json(std::string_view name, std::string_view json);
  /// Adds the members of another object.
  JsonObject& add_all(const JsonObject& other);

  std::string text() const { return "{" + members_ + "}"; }
  /// Returns the members without braces.
  const std::string& members() const { return members_; }

 private:
  std::string members_;
};

}  // namespace aclvk::runtime
