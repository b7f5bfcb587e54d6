#pragma once

#include "library.hpp"

namespace cli {

/// Adds numbers on the device, eagerly and in a captured model. Throws std::runtime_error when a call fails or the sum
/// is wrong.
void sum_on_device(const Library& library, int device);

}  // namespace cli
