#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace endurance {

/// Something that a process has more or less of.
struct Measure {
  const char* name;
  const char* unit;
  double allowed;      ///< it may grow by so much while a story repeats itself
  const char* reason;  ///< for not being 0
};

enum MeasureIndex : std::size_t { kResident, kHeap, kMaps, kThreads, kFiles, kDeviceMemory, kObjects, kMeasures };

extern const std::array<Measure, kMeasures> kMeasured;

/// What the process holds at a moment.
struct Footprint {
  std::int64_t repetitions = 0;  ///< so far
  std::array<double, kMeasures> values{};
};

/// What it holds now. Memory that is free, but not the system's again, is given back before.
Footprint take_footprint(std::int64_t repetitions);

/// The growth of a measure, by the line that is nearest to all footprints: a single one may be taken at an odd moment.
struct Trend {
  double first = 0;
  double growth = 0;  ///< from the first footprint to the last
};

Trend trend_of(const std::vector<Footprint>& footprints, std::size_t measure);

}  // namespace endurance
