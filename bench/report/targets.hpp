#pragma once

#include <vector>

#include "harness/report.hpp"

namespace bench {

/// Returns the table of targets (docs/performance.md), without targets whose workloads were not measured.
std::vector<Target> targets_of(const Report& report);

}  // namespace bench
