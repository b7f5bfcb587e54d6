#include "runtime/json_document.hpp"

#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

using Json = nlohmann::json;

// For objects and for arrays separately (runtime-semantics 1.3).
constexpr int kMaxNesting = 10;

// Recurses as deep as the document, kMaxNesting objects and arrays.
void clear_recursively(Json& value) {
  while (value.is_structured() && !value.empty()) {
    const auto last = std::prev(value.end());
    clear_recursively(*last);
    value.erase(last);
  }
}

/// The SAX handler that builds the document; nlohmann::json prescribes its interface. Limits the nesting, because a
/// hostile file could exhaust the stack.
class Builder {
 public:
  explicit Builder(Json& root) : root_(root) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // not in texts

  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }

  bool start_object(std::size_t) { return open(Json::value_t::object, objects_); }
  bool start_array(std::size_t) { return open(Json::value_t::array, arrays_); }
  bool end_object() { return close(objects_); }
  bool end_array() { return close(arrays_); }

  bool parse_error(std::size_t, const std::string&, const Json::exception& exception) {
    fail(Code::kParseFile, "The configuration is not JSON: {}", exception.what());
  }

 private:
  template <typename Value>
  bool add(Value&& value) {
    slot() = std::forward<Value>(value);
    return true;
  }

  // Returns the position of the next value.
  Json& slot() {
    if (open_.empty()) return root_;
    Json& parent = *open_.back();
    if (parent.is_array()) return parent.emplace_back();
    Json& member = parent[key_];
    clear_recursively(member);  // the earlier value of a duplicate name
    return member;
  }

  bool open(Json::value_t kind, int& nested) {
    check(++nested <= kMaxNesting, Code::kParseFile, "The configuration nests objects or arrays deeper than {}.",
          kMaxNesting);
    Json& value = slot();
    value = Json(kind);
    open_.push_back(&value);
    return true;
  }

  bool close(int& nested) {
    --nested;
    open_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Json*> open_;  // a parent does not grow while its member is open
  std::string key_;
  int objects_ = 0;
  int arrays_ = 0;
};

}  // namespace

JsonDocument::Root::~Root() { clear_recursively(value); }

JsonDocument::JsonDocument(const std::string& text) {
  check(text.find('\0') == std::string::npos, Code::kParseFile,
        "The configuration has a zero byte; text after it would not be read.");
  Builder builder(root_.value);
  Json::sax_parse(text, &builder);
}

}  // namespace aclvk::runtime
