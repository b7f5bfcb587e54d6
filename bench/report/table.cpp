#include "report/table.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace bench {
namespace {

template <typename... Values>
void line(fmt::format_string<Values...> format, Values&&... values) {
  std::fputs((fmt::format(format, std::forward<Values>(values)...) + "\n").c_str(), stdout);
}

void print(const Environment& environment) {
  line("{}, {}, Vulkan {}", environment.device, environment.driver, environment.vulkan);
  line("LP_NUM_THREADS={}, {} cores, {} build, {} run, {}", environment.lavapipe_threads, environment.cores,
       environment.build, environment.mode, environment.date);
  if (!environment.competitors.empty()) line("Beside it: {}", environment.competitors);
  line("Times are medians in microseconds; a ratio is the median over the rounds, in which the two take turns.");
}

std::string title_of(const Group& group) {
  std::string title = group.workload;
  if (group.tasks > 0) title += fmt::format(", {} task{}", group.tasks, group.tasks == 1 ? "" : "s");
  if (!group.operands.empty()) title += fmt::format(", {} operands ({} bytes)", group.operands, group.bytes);
  if (group.width > 1) title += fmt::format(", {} branches", group.width);
  return title;
}

/// Returns the rate of a task. Bytes or operations per microsecond, divided by 1000, are 10^9 per second.
std::string speed_of(const Group& group, const Row& row) {
  if (group.operations > 0)
    return fmt::format("{:.2f} GFLOP/s  ", group.operations * group.tasks * 1e-3 / row.total.median);
  return group.bytes_moved > 0 ? fmt::format("{:.2f} GB/s  ", group.bytes_moved * 1e-3 / row.total.median) : "";
}

void print(const Row& row, const std::string& speed) {
  const std::string task = row.total.median > 0 ? fmt::format("{:.3f}", row.total.median) : "";
  const std::string submissions = row.submissions ? fmt::format("{:g}", *row.submissions) : "";
  const std::string ratio = row.ratio ? fmt::format("{:.3f} of {}", row.ratio->median, row.baseline) : "";
  line("  {:<42} {:>11.3f} {:>12} {:>8} {:>8}  {}", row.name, row.host.median, task, submissions, row.samples,
       speed + ratio);
}

void print(const Group& group) {
  line("\n{}", title_of(group));
  if (!group.skip_reason.empty()) return line("  left out: {}", group.skip_reason);
  line("  {:<42} {:>11} {:>12} {:>8} {:>8}  {}", "", "host, call", "device, task", "submits", "samples", "ratio");
  for (const Row& row : group.rows) print(row, speed_of(group, row));
}

void print(const Target& target) {
  line("  {:<4} {:>10.3f} {} {:<6g} {:<6} {}", target.met() ? "met" : "MISS", target.value,
       target.at_least ? ">=" : "<=", target.limit, target.unit, target.name);
}

}  // namespace

void print(const Report& report) {
  print(report.environment);
  for (const Group& group : report.groups) print(group);
  line("\nfigures");
  for (const Figure& figure : report.figures) {
    line("  {:<42} {:>11.3f} {:<6} ({:.3f} .. {:.3f}, {} samples)", figure.name, figure.value.median, figure.unit,
         figure.value.low, figure.value.high, figure.samples);
  }
  line("\ntargets");
  for (const Target& target : report.targets) print(target);
  line("\n{:.0f} s", report.seconds);
}

}  // namespace bench
