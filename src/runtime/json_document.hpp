#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace aclvk::runtime {

/// A parsed JSON configuration that survives a lack of memory. The destructor of nlohmann::json allocates a list of the
/// elements of an object or array, and terminates the process when that fails. An empty one allocates nothing: this
/// class empties all objects and arrays before they are destroyed, also when parsing fails.
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
