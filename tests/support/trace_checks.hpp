#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace aclvk::test {

// Checks that trace viewers can open a file. "Format" is Google's document "Trace Event Format", which chrome://tracing
// and Perfetto read; other rules are named with the program that has them.

using Json = nlohmann::json;

/// Parses text by RFC 8259: UTF-8, no comments, nothing after the value; and no name twice in an object, which the RFC
/// only recommends. Perfetto's parser refuses files that chrome://tracing accepts.
inline Json strict_parse(const std::string& text) {
  std::vector<std::set<std::string>> open;
  return Json::parse(text, [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      EXPECT_TRUE(open.back().insert(value.get<std::string>()).second) << value << " stands twice in an object";
    }
    return true;
  });
}

inline Json strict_parse_file(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  return strict_parse({std::istreambuf_iterator<char>(file), {}});
}

inline bool is_time(const Json& value) { return value.is_number() && std::isfinite(value.get<double>()) && value >= 0; }

/// An event of a trace: a slice, an instant or the name of a track.
struct TraceEvent {
  const Json& json;

  std::string name() const { return json.at("name"); }
  std::string phase() const { return json.at("ph"); }
  std::string category() const { return json.value("cat", ""); }
  double begin() const { return json.at("ts"); }
  double end() const { return begin() + json.value("dur", 0.0); }
  Json line() const { return Json::array({json.at("pid"), json.at("tid")}); }
};

/// Format, "Complete Events": those of a thread nest. Perfetto drops one that overlaps another in part.
inline void expect_slices_nest(const Json& events) {
  std::map<Json, std::vector<TraceEvent>> lines;
  for (const Json& event : events) {
    if (event.at("ph") == "X") lines[TraceEvent{event}.line()].push_back({event});
  }
  constexpr double kRounding = 0.0005;  // times have three decimals
  for (const auto& [line, slices] : lines) {
    for (const TraceEvent& a : slices) {
      for (const TraceEvent& b : slices) {
        const bool disjoint = a.end() <= b.begin() + kRounding || b.end() <= a.begin() + kRounding;
        const bool inside = (a.begin() <= b.begin() + kRounding && b.end() <= a.end() + kRounding) ||
                            (b.begin() <= a.begin() + kRounding && a.end() <= b.end() + kRounding);
        EXPECT_TRUE(disjoint || inside) << a.json << "\n" << b.json;
      }
    }
  }
}

/// Format, "Event Descriptions": what each kind of event that we write must have.
inline void expect_events_are_complete(const Json& events) {
  for (const Json& event : events) {
    EXPECT_TRUE(event.at("name").is_string() && event.at("name") != "") << event;
    EXPECT_TRUE(event.at("pid").is_number_integer() && event.at("tid").is_number_integer()) << event;
    const std::string phase = event.at("ph");
    EXPECT_NE(std::string("XisfbeM").find(phase), std::string::npos) << event;
    if (phase == "M") {
      EXPECT_TRUE(event.at("args").is_object()) << event;
      continue;
    }
    EXPECT_TRUE(is_time(event.at("ts"))) << event;
    EXPECT_TRUE(event.at("cat").is_string()) << event;
    if (phase == "X") {
      EXPECT_TRUE(is_time(event.at("dur"))) << event;
    }
    if (phase == "i") {
      EXPECT_EQ(event.at("s"), "t") << event;
    }
    if (phase == "s" || phase == "f" || phase == "b" || phase == "e") {
      EXPECT_TRUE(event.at("id").is_number_integer()) << event;
    }
  }
}

}  // namespace aclvk::test
