#pragma once

#include "harness/report.hpp"

namespace bench {

/// The report as text on standard output.
void print(const Report& report);

}  // namespace bench
