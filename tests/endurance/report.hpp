#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "endurance/footprint.hpp"
#include "endurance/story.hpp"

namespace endurance {

/// How a story went.
struct Report {
  const Chapter* chapter = nullptr;
  std::int64_t repetitions = 0;
  double seconds = 0;
  std::string device;
  std::vector<Footprint> footprints;  ///< from the end of the first tenth, which warms up
};

/// Whether the growth of a measure says something about the story.
bool judged(const Report& report, std::size_t measure);
/// Nothing that is judged has grown by more than it may.
bool flat(const Report& report);

void print(const Report& report);
void write_json(const Report& report, const std::string& path);

}  // namespace endurance
