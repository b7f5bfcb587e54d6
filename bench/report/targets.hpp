#pragma once

#include <vector>

#include "harness/report.hpp"

namespace bench {

/// The table of targets (docs/performance.md), as far as the report has what a line needs.
std::vector<Target> targets_of(const Report& report);

}  // namespace bench
