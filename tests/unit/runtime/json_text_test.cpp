#include "runtime/json_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace aclvk::runtime {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, OfScalars) {
  EXPECT_EQ(json_text(true), "true");
  EXPECT_EQ(json_text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(json_text(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(json_text(0.1), "0.1");
  EXPECT_EQ(json_text(2.0), "2.0");
  EXPECT_EQ(json_text(NAN), "null");
}

TEST(JsonText, OfTextsIsAsciiAndMeansTheSame) {
  EXPECT_EQ(json_text("plain"), R"("plain")");
  EXPECT_EQ(json_text("\xc3\xa9"), "\"\\u00e9\"");
  for (const std::string text : {"", "a \"quoted\" \\ line\n", "\x01\x7f", "\xe2\x82\xac 5"}) {
    EXPECT_EQ(Json::parse(json_text(text)), Json(text));
  }
}

TEST(JsonText, ReplacesBytesThatAreNoUtf8) { EXPECT_EQ(Json::parse(json_text("a\xff")), Json("a\xef\xbf\xbd")); }

TEST(JsonText, OfListsAndObjects) {
  JsonObject inner;
  inner.add("x\"", 1).add("y", 2.5);
  JsonObject outer;
  outer.add_all(JsonObject()).add_all(inner).add_json("list", json_array(std::vector<std::string>{"a", "b"}));
  outer.add_all(JsonObject()).add_json("empty", JsonObject().text()).add_json("none", json_array(std::vector<int>()));
  EXPECT_EQ(outer.text(), R"({"x\"":1,"y":2.5,"list":["a","b"],"empty":{},"none":[]})");
}

}  // namespace
}  // namespace aclvk::runtime
