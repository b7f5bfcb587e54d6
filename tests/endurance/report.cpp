#include "endurance/report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace endurance {
namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

bool grown(const Report& report, std::size_t measure) {
  return judged(report, measure) && trend_of(report.footprints, measure).growth > kMeasured[measure].allowed;
}

const char* verdict(const Report& report, std::size_t measure) {
  if (!judged(report, measure)) return "not judged";
  return grown(report, measure) ? "GROWS" : "flat";
}

double rate(const Report& report) { return static_cast<double>(report.repetitions) / report.seconds; }

}  // namespace

// Sanitizers keep what has been freed, and more; they find leaks by themselves.
bool judged(const Report& report, std::size_t measure) {
  const bool host_memory = measure == kResident || measure == kHeap || measure == kMaps;
  if (kSanitized && host_memory) return false;
  return measure != kObjects || !report.chapter->makes_objects;
}

bool flat(const Report& report) {
  for (std::size_t measure = 0; measure < kMeasures; ++measure) {
    if (grown(report, measure)) return false;
  }
  return true;
}

void print(const Report& report) {
  fmt::print("{}: {} {} in {:.1f} s ({:.0f} a second), {}\n", report.chapter->name, report.repetitions,
             report.chapter->what, report.seconds, rate(report), report.device);
  fmt::print("  {:<22}{:>16}{:>16}{:>14}{:>12}\n", "", "after a tenth", "at the end", "growth", "allowed");
  for (std::size_t measure = 0; measure < kMeasures; ++measure) {
    const Trend trend = trend_of(report.footprints, measure);
    fmt::print("  {:<22}{:>16.0f}{:>16.0f}{:>14.1f}{:>12.0f}  {}\n", kMeasured[measure].name, trend.first,
               trend.first + trend.growth, trend.growth, kMeasured[measure].allowed, verdict(report, measure));
  }
}

void write_json(const Report& report, const std::string& path) {
  nlohmann::ordered_json json{{"story", report.chapter->name},     {"what", report.chapter->what},
                              {"repetitions", report.repetitions}, {"seconds", report.seconds},
                              {"device", report.device},           {"flat", flat(report)}};
  for (std::size_t measure = 0; measure < kMeasures; ++measure) {
    const Trend trend = trend_of(report.footprints, measure);
    nlohmann::ordered_json one{{"name", kMeasured[measure].name},
                               {"unit", kMeasured[measure].unit},
                               {"first", trend.first},
                               {"growth", trend.growth},
                               {"allowed", kMeasured[measure].allowed},
                               {"verdict", verdict(report, measure)}};
    for (const Footprint& footprint : report.footprints) {
      one["samples"].push_back({footprint.repetitions, footprint.values[measure]});
    }
    json["measures"].push_back(std::move(one));
  }
  std::ofstream file(path);
  file << json.dump(2) << "\n";
  if (!file) throw std::runtime_error("The report cannot be written to " + path + ".");
}

}  // namespace endurance
