#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// Google Benchmark times one function after the other. On a noisy machine only ratios of passes that follow each other
// at once are reliable, so this harness runs rounds in which each contender makes one pass.
namespace bench {

using Clock = std::chrono::steady_clock;

inline double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// The times of one pass in microseconds.
struct Pass {
  double host = 0;   ///< of the calling thread, per call
  double total = 0;  ///< from the first call until the device has finished, per task; 0 if not measured
};

enum class Compared { kTotal, kHost };

/// One implementation of a workload.
struct Contender {
  std::string name;
  std::string baseline;  ///< name of the contender to compare with; empty for a baseline
  std::function<Pass()> pass;
  Compared compared = Compared::kTotal;
  std::function<std::uint64_t()> submissions{};  ///< returns the number of submissions so far; empty: not counted
};

/// Median and quartiles.
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};
Spread spread_of(std::vector<double> samples);

/// The results of a contender.
struct Row {
  std::string name;
  std::string baseline;
  Compared compared = Compared::kTotal;
  std::size_t samples = 0;
  Spread host;
  Spread total;
  std::optional<Spread> ratio;        ///< ratio of each pass to the baseline's pass in the same round
  std::optional<double> submissions;  ///< per pass
};

/// The limits of a measurement.
struct Effort {
  std::size_t rounds = 101;    ///< at most
  std::size_t min_rounds = 5;  ///< also beyond the time limit
  double seconds = 2;          ///< time limit of a group of contenders
};

/// Runs rounds in which each contender makes one pass; the first contender rotates. A warm-up round precedes them.
std::vector<Row> compare(const std::vector<Contender>& contenders, const Effort& effort);

}  // namespace bench
