#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// An own harness, because Google Benchmark times one function after the other: on a noisy machine only a ratio between
// passes that follow each other at once can be trusted, and that takes rounds in which all contenders have their turn.
namespace bench {

using Clock = std::chrono::steady_clock;

inline double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// What one pass took, in microseconds.
struct Pass {
  double host = 0;   ///< of the calling thread, for a call
  double total = 0;  ///< from the first call until the device is done, for a task; 0 where that means nothing
};

enum class Compared { kTotal, kHost };

/// One way to do a workload.
struct Contender {
  std::string name;
  std::string baseline;  ///< the contender that it is compared with; empty for those that are only compared with
  std::function<Pass()> pass;
  Compared compared = Compared::kTotal;
  std::function<std::uint64_t()> submissions{};  ///< how many there have been so far; none: not counted
};

/// The median, and the quartiles around it.
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};
Spread spread_of(std::vector<double> samples);

/// What is known about a contender when the rounds are over.
struct Row {
  std::string name;
  std::string baseline;
  Compared compared = Compared::kTotal;
  std::size_t samples = 0;
  Spread host;
  Spread total;
  std::optional<Spread> ratio;        ///< of each pass to the baseline's in the same round
  std::optional<double> submissions;  ///< for a pass
};

/// How long to measure.
struct Effort {
  std::size_t rounds = 101;    ///< at most
  std::size_t min_rounds = 5;  ///< also when the time is over
  double seconds = 2;          ///< for a group of contenders
};

/// Rounds in which each contender makes one pass; who begins changes from round to round. One more round comes first
/// and does not count.
std::vector<Row> compare(const std::vector<Contender>& contenders, const Effort& effort);

}  // namespace bench
