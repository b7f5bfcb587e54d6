#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace aclvk::fuzz {

using Input = std::vector<std::uint8_t>;

/// The input with one to eight changes: bits, bytes and numbers at the edges of their types, parts left out, repeated,
/// moved or taken from `other`. Equal generators give equal results.
Input mutated(Input input, const Input& other, std::mt19937_64& random);

}  // namespace aclvk::fuzz
