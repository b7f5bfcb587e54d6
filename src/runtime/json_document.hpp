#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace aclvk::runtime {

/// A configuration in JSON that is parsed, looked at and dropped. The destructor of nlohmann's objects and arrays makes
/// a list of what is in them, and ends the process when there is no memory for it; empty ones need none, so this takes
/// them apart, also where parsing does not come to its end.
class JsonDocument {
 public:
  /// Throws kParseFile when the text is no JSON, has a zero byte, or nests more than 10 objects or 10 arrays.
  explicit JsonDocument(const std::string& text);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  const nlohmann::json& root() const { return root_.value; }

 private:
  struct Root {
    Root() = default;
    ~Root();  // also when the constructor of the document throws
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;
    nlohmann::json value;
  };

  Root root_;
};

}  // namespace aclvk::runtime
