#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace aclvk::runtime {

// JSON that is written, as text from the start: the destructors of nlohmann's objects and arrays need memory, and end
// the process where there is none. Its numbers and strings need none, so those are left to it.

/// A JSON string, in ASCII. Bytes that are no UTF-8 are replaced.
std::string json_text(std::string_view text);
inline std::string json_text(const char* text) { return json_text(std::string_view(text)); }
inline std::string json_text(const std::string& text) { return json_text(std::string_view(text)); }
/// JSON has no NaN and no infinities: they are null.
std::string json_text(double value);
template <typename Number, typename = std::enable_if_t<std::is_integral_v<Number>>>
std::string json_text(Number value) {
  return fmt::format("{}", value);
}

/// An array of what is JSON already.
std::string json_array_of(const std::vector<std::string>& elements);

/// An array of numbers or texts.
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
  /// A member whose value is JSON already.
  JsonObject& add_json(std::string_view name, std::string_view json);
  /// The members of the other one.
  JsonObject& add_all(const JsonObject& other);

  std::string text() const { return "{" + members_ + "}"; }
  /// ... without braces.
  const std::string& members() const { return members_; }

 private:
  std::string members_;
};

}  // namespace aclvk::runtime
