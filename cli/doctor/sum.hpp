#pragma once

#include "library.hpp"

namespace cli {

/// Adds on the device, as a program would, directly and in a captured model. Throws std::runtime_error when a call
/// fails or the sum is wrong.
void sum_on_device(const Library& library, int device);

}  // namespace cli
