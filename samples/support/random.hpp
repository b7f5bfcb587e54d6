#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

/// A linear congruential generator of numbers from -1 to 1, the same on every machine and in tools/golden_random.py.
class Random {
 public:
  explicit Random(std::uint32_t seed = 2026) : state_(seed) {}

  float next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<float>(state_ >> 8) / 8388608.0F - 1.0F;
  }
  std::vector<float> values(std::int64_t count, float scale, float mean = 0) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = mean + scale * next();
    return values;
  }

 private:
  std::uint32_t state_;
};
