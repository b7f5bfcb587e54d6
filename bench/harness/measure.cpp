#include "harness/measure.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {
namespace {

struct Samples {
  std::vector<double> host;
  std::vector<double> total;
  std::uint64_t submissions = 0;
};

// Interpolates linearly between order statistics: type 7 of Hyndman and Fan (1996), as NumPy and R do by default.
double quantile(const std::vector<double>& sorted, double fraction) {
  const double index = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(index);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (index - static_cast<double>(below));
}

void make_pass(const Contender& contender, Samples& samples) {
  const std::uint64_t before = contender.submissions ? contender.submissions() : 0;
  const Pass pass = contender.pass();
  if (contender.submissions) samples.submissions += contender.submissions() - before;
  samples.host.push_back(pass.host);
  samples.total.push_back(pass.total);
}

std::size_t index_of(const std::vector<Contender>& contenders, const std::string& name) {
  const auto found = std::find_if(contenders.begin(), contenders.end(), [&](const auto& c) { return c.name == name; });
  if (found == contenders.end()) throw std::logic_error("There is no contender \"" + name + "\".");
  return static_cast<std::size_t>(found - contenders.begin());
}

const std::vector<double>& compared(const Samples& samples, Compared what) {
  return what == Compared::kTotal ? samples.total : samples.host;
}

// Divides round by round: a disturbance that slows a whole round down hardly moves the median.
Spread ratio_of(const std::vector<double>& values, const std::vector<double>& baseline) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < values.size(); ++i) ratios.push_back(values[i] / baseline[i]);
  return spread_of(std::move(ratios));
}

}  // namespace

Spread spread_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.25), quantile(samples, 0.5), quantile(samples, 0.75)};
}

std::vector<Row> compare(const std::vector<Contender>& contenders, const Effort& effort) {
  for (const Contender& contender : contenders) contender.pass();  // the first pass compiles kernels and fills caches
  std::vector<Samples> samples(contenders.size());
  const auto start = Clock::now();
  for (std::size_t round = 0; round < effort.rounds; ++round) {
    if (round >= effort.min_rounds && microseconds_since(start) > effort.seconds * 1e6) break;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const std::size_t next = (round + i) % contenders.size();
      make_pass(contenders[next], samples[next]);
    }
  }
  std::vector<Row> rows;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const Contender& contender = contenders[i];
    Row row{contender.name,
            contender.baseline,
            contender.compared,
            samples[i].host.size(),
            spread_of(samples[i].host),
            spread_of(samples[i].total),
            {},
            {}};
    if (!contender.baseline.empty()) {
      const Samples& baseline = samples[index_of(contenders, contender.baseline)];
      row.ratio = ratio_of(compared(samples[i], row.compared), compared(baseline, row.compared));
    }
    if (contender.submissions) {
      row.submissions = static_cast<double>(samples[i].submissions) / static_cast<double>(row.samples);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace bench
