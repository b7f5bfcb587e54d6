#pragma once

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace aclvk::runtime {

/// A JSON value that is parsed, looked at and dropped. The destructor of nlohmann's objects and arrays makes a list of
/// what is in them, and ends the process when there is no memory for it; empty ones need none, so this takes them
/// apart.
class JsonDocument {
 public:
  explicit JsonDocument(nlohmann::json root) : root_(std::move(root)) {}
  ~JsonDocument() { take_apart(root_); }
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  const nlohmann::json& root() const { return root_; }

 private:
  // As deep as the document, whose depth is limited where it is parsed.
  static void take_apart(nlohmann::json& value) {
    while (value.is_structured() && !value.empty()) {
      const auto last = std::prev(value.end());
      take_apart(*last);
      value.erase(last);
    }
  }

  nlohmann::json root_;
};

}  // namespace aclvk::runtime
