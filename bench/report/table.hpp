#pragma once

#include "harness/report.hpp"

namespace bench {

/// Prints the report as text to standard output.
void print(const Report& report);

}  // namespace bench
