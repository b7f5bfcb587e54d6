#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/competitor.hpp"
#include "harness/report.hpp"
#include "program/objects.hpp"
#include "raw/device.hpp"

namespace bench {

struct Options {
  bool quick = false;
  bool quiet = false;
  std::vector<std::size_t> tasks;
  std::vector<std::size_t> widths;
  std::vector<std::string> only;  ///< names of workloads; empty: all
  std::size_t rounds = 101;
  double seconds = 2;       ///< time limit of a group
  double pass_seconds = 2;  ///< passes that would take longer are skipped
  std::string json;
  std::string html;
  std::string start;  ///< set in child processes of the start-up measurement, see run_startup()
};

/// The objects that all workloads share.
struct Context {
  const Options& options;
  acl::Session& session;
  raw::Device& device;
  raw::Device& twin;  ///< a second raw device: the difference between two equal programs is the noise of a ratio
  Report& report;
  const Competitors& competitors;  ///< take part in the chains; empty in aclvk-bench

  Effort effort() const { return {options.rounds, options.quick ? 3U : 5U, options.seconds}; }
  bool wants(const std::string& workload) const;
  /// Prints to standard error what is measured now.
  void announce(const std::string& what) const;
  std::function<std::uint64_t()> acl_submissions() const;
  std::function<std::uint64_t()> raw_submissions() const;
};

/// Estimates the duration of one replay of a chain, so that passes that take too long are skipped: CPU drivers need
/// seconds for work that a GPU does at once.
double seconds_of_pass(const Context& context, std::size_t tasks, std::size_t elements);

// The workloads. Each adds its groups to the report.

void measure_chains(const Context& context);      ///< eager launches and replays against the floor
void measure_host_calls(const Context& context);  ///< time of single calls on the calling thread
void measure_lists(const Context& context);       ///< operators on lists of small tensors against one call per tensor
void measure_capture(const Context& context);     ///< creation and destruction of models, and their memory
void measure_startup(const Context& context);     ///< from process start to the first operator
void measure_bandwidth(const Context& context);   ///< memory-bound operators against the fastest raw kernel
void measure_rows(const Context& context);        ///< operators along the last axis against a copy
void measure_matmul(const Context& context);      ///< matrix products against the fastest raw kernel
void measure_matvec(const Context& context);      ///< matrix-vector products against a copy
void measure_attention(const Context& context);   ///< attention of one query against a copy
void measure_linalg(const Context& context);      ///< matrix decompositions against LAPACK
/// Runs as child process of measure_startup() and prints microseconds. `side` is "acl", or "raw" with the device: "raw
/// UUID VERSION NAME".
int run_startup(const std::string& side);

}  // namespace bench
