#include "endurance/footprint.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "acl/acl.h"
#include "aclvk/aclvk.h"
#include "program/objects.hpp"

namespace endurance {
namespace {

double entries_of(const char* folder) {
  return static_cast<double>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

double resident_bytes() {
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;
  return static_cast<double>(resident_pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Large blocks are mapped one by one and not part of an arena.
double heap_bytes() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

double maps() {
  std::ifstream file("/proc/self/maps");
  return static_cast<double>(std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
}

double device_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  ACL_CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  return static_cast<double>(total) - static_cast<double>(free);
}

double objects_created() {
  aclvkStatistics statistics{};
  ACL_CHECK(aclvkGetStatistics(0, &statistics));
  return static_cast<double>(statistics.objectsCreated);
}

}  // namespace

// Bounds that do not grow with the repetitions: a leak of one small block for each shows with some ten thousand.
const std::array<Measure, kMeasures> kMeasured{{
    {"resident memory", "bytes", 8 << 20,
     "arenas of malloc fall into pieces, and pages come with the block they lie in"},
    {"heap in use", "bytes", 1 << 20, "pools and tables keep the size that they have had once"},
    {"memory maps", "lines", 24, "arenas of malloc grow in several maps"},
    {"threads", "", 1.5, "one more for each host function that has ever run beside all others"},
    {"open files", "", 0.5, ""},
    {"device memory", "bytes", 0.5, ""},
    {"Vulkan objects made", "", 160, "pools for each submission that has ever been under way beside all others"},
}};

Footprint take_footprint(std::int64_t repetitions) {
  malloc_trim(0);
  return {repetitions,
          {resident_bytes(), heap_bytes(), maps(), entries_of("/proc/self/task"), entries_of("/proc/self/fd"),
           device_bytes(), objects_created()}};
}

Trend trend_of(const std::vector<Footprint>& footprints, std::size_t measure) {
  const auto count = static_cast<double>(footprints.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const Footprint& footprint : footprints) {
    mean_x += static_cast<double>(footprint.repetitions) / count;
    mean_y += footprint.values[measure] / count;
  }
  double covariance = 0;
  double variance = 0;
  for (const Footprint& footprint : footprints) {
    const double x = static_cast<double>(footprint.repetitions) - mean_x;
    covariance += x * (footprint.values[measure] - mean_y);
    variance += x * x;
  }
  const double slope = variance > 0 ? covariance / variance : 0;
  const auto first = static_cast<double>(footprints.front().repetitions);
  const auto last = static_cast<double>(footprints.back().repetitions);
  return {mean_y - slope * (mean_x - first), slope * (last - first)};
}

}  // namespace endurance
