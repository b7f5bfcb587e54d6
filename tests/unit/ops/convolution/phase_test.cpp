// Output positions of a transposed convolution that see the same taps of its window.
#include "ops/convolution/phase.hpp"

#include <gtest/gtest.h>

namespace aclvk::ops {
namespace {

/// Counted one by one: the taps from which a multiple of the stride leads to the remainder.
struct Counted {
  std::int64_t taps = 0;
  std::int64_t last = -1;
};

Counted count(const Window& window, std::int64_t remainder) {
  Counted counted;
  for (std::int64_t tap = 0; tap < window.size; ++tap) {
    if ((remainder + window.before - tap * window.dilation) % window.step != 0) continue;
    ++counted.taps;
    counted.last = tap;
  }
  return counted;
}

TEST(Phases, HaveThePlacesOfTheWindowThatAreWholeStepsAway) {
  for (const std::int64_t step : {1, 2, 3, 4, 6, 7, 12}) {
    for (const std::int64_t dilation : {1, 2, 3, 4, 8, 9}) {
      for (const std::int64_t size : {1, 2, 5, 13}) {
        const Window window{size, step, 5, 0, dilation};
        for (std::int64_t remainder = 0; remainder < step; ++remainder) {
          SCOPED_TRACE(testing::Message() << "step " << step << ", dilation " << dilation << ", size " << size
                                          << ", remainder " << remainder);
          const Counted counted = count(window, remainder);
          const Phase phase = phase_of(window, remainder, 40);
          ASSERT_EQ(phase.window.size, counted.taps);
          if (counted.taps == 0) continue;
          EXPECT_EQ(phase.last_tap, counted.last);
          EXPECT_EQ(phase.first * step, remainder + window.before - counted.last * dilation);
        }
      }
    }
  }
}

TEST(Phases, OfAHugeStepAreFoundWithoutCounting) {
  constexpr std::int64_t kHuge = (std::int64_t{1} << 30) - 1;
  const Phase phase = phase_of({kHuge, kHuge, 0, 0, 1}, kHuge - 1, kHuge);
  EXPECT_EQ(phase.window.size, 1);
  EXPECT_EQ(phase.last_tap, kHuge - 1);
}

}  // namespace
}  // namespace aclvk::ops
