// aclvk-bench: replays of captured models against eager launches, and both against plain Vulkan.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "harness/context.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/table.hpp"
#include "report/targets.hpp"

namespace {

using bench::Options;
using bench::Report;

void add_options(CLI::App& app, Options& options) {
  app.add_flag("--quick", options.quick, "Less than a minute: tiny operands, few rounds");
  app.add_flag("--quiet", options.quiet, "No progress on standard error");
  app.add_option("--json", options.json, "Write the report as JSON")->type_name("FILE");
  app.add_option("--html", options.html, "Write the report as one HTML page")->type_name("FILE");
  app.add_option("--tasks", options.tasks, "Tasks of a pass")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--widths", options.widths, "Branches of a fork")->delimiter(',')->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.rounds, "Passes of each contender, at most")->check(CLI::PositiveNumber);
  app.add_option("--seconds", options.seconds, "Time for a group of contenders, about")->check(CLI::PositiveNumber);
  app.add_option("--pass-seconds", options.pass_seconds, "Leave out what takes longer for one pass")
      ->check(CLI::PositiveNumber);
  app.add_option("--only", options.only,
                 "Some workloads: chain, fork, calls, lists, capture, startup, bandwidth, rows, "
                 "matmul, matvec, attention, linalg")
      ->delimiter(',')
      ->check(CLI::IsMember({"chain", "fork", "calls", "lists", "capture", "startup", "bandwidth", "rows", "matmul",
                             "matvec", "attention", "linalg"}));
  app.add_option("--start", options.start)->group("");  // internal, for the start-up measurement
}

void complete(Options& options) {
  if (options.tasks.empty()) options.tasks = {10, 100, 1000, 10000};
  if (options.widths.empty()) options.widths = {1, 4, 16};
  if (!options.quick) return;
  options.rounds = std::min<std::size_t>(options.rounds, 51);
  options.seconds = std::min(options.seconds, 1.0);
  options.pass_seconds = std::min(options.pass_seconds, 0.5);
}

bench::Environment describe(const Options& options, const aclvkDeviceInfo& device) {
  const char* threads = std::getenv("LP_NUM_THREADS");
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  const auto version = device.vulkanVersion;
  return {device.name,
          device.driver,
          std::to_string(version >> 22) + "." + std::to_string(version >> 12 & 0x3FF) + "." +
              std::to_string(version & 0xFFF),
          threads ? threads : "default",
          ACLVK_BENCH_BUILD,
          date,
          options.quick ? "quick" : "full",
          std::thread::hardware_concurrency()};
}

void write(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("Cannot write " + path + ".");
}

void measure(const Options& options, Report& report) {
  const auto start = bench::Clock::now();
  acl::Session session;
  report.environment = describe(options, session.device());
  raw::Device device(session.device());
  raw::Device twin(session.device());
  const bench::Competitors competitors = bench::find_competitors(session.device());
  for (const auto& competitor : competitors) report.environment.competitors += competitor->description();
  const bench::Context context{options, session, device, twin, report, competitors};
  bench::measure_chains(context);
  bench::measure_host_calls(context);
  bench::measure_lists(context);
  bench::measure_capture(context);
  bench::measure_startup(context);
  bench::measure_bandwidth(context);
  bench::measure_rows(context);
  bench::measure_matmul(context);
  bench::measure_matvec(context);
  bench::measure_attention(context);
  bench::measure_linalg(context);
  report.targets = bench::targets_of(report);
  report.seconds = bench::microseconds_since(start) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) try {
  Options options;
  CLI::App app("Compares replaying captured models with dispatching their tasks again, and both with plain Vulkan.");
  add_options(app, options);
  CLI11_PARSE(app, argc, argv);
  if (!options.start.empty()) return bench::run_startup(options.start);
  complete(options);
  Report report;
  measure(options, report);
  if (!options.quiet) std::fputs("\r", stderr);
  bench::print(report);
  const auto json = bench::to_json(report);
  write(options.json, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  write(options.html, bench::to_html(json));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "\naclvk-bench: %s\n", error.what());
  return 1;
}
