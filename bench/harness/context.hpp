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
  std::vector<std::string> only;  ///< workloads; empty: all
  std::size_t rounds = 101;
  double seconds = 2;       ///< for a group
  double pass_seconds = 2;  ///< a pass that would take longer is left out
  std::string json;
  std::string html;
  std::string start;  ///< the side that a child process of the start-up measurement runs, see run_startup
};

/// What all workloads work with.
struct Context {
  const Options& options;
  acl::Session& session;
  raw::Device& device;
  raw::Device& twin;  ///< another of the same: how far apart two equal programs are is the noise of a ratio
  Report& report;
  const Competitors& competitors;  ///< take part in the chains; none in aclvk-bench

  Effort effort() const { return {options.rounds, options.quick ? 3U : 5U, options.seconds}; }
  bool wants(const std::string& workload) const;
  /// Tells on standard error what is measured now.
  void announce(const std::string& what) const;
  std::function<std::uint64_t()> acl_submissions() const;
  std::function<std::uint64_t()> raw_submissions() const;
};

/// How long one replay of a chain will take, about. A pass that takes for ever is found out before many are made: CPU
/// drivers need seconds for what a GPU does at once.
double seconds_of_pass(const Context& context, std::size_t tasks, std::size_t elements);

// The workloads; each adds to the report.

void measure_chains(const Context& context);      ///< eager and replay against the floor
void measure_host_calls(const Context& context);  ///< what single calls cost the calling thread
void measure_lists(const Context& context);       ///< many small tensors as lists against one by one
void measure_capture(const Context& context);     ///< making and destroying models, and their memory
void measure_startup(const Context& context);     ///< from nothing to the first operator
void measure_bandwidth(const Context& context);   ///< memory-bound operators against the best raw kernel
void measure_rows(const Context& context);        ///< operators along the last axis against a copy
void measure_matmul(const Context& context);      ///< products of matrices against the best raw kernel
void measure_matvec(const Context& context);      ///< matrix times vector against a copy
void measure_attention(const Context& context);   ///< attention of one query against a copy
void measure_linalg(const Context& context);      ///< decompositions of matrices against LAPACK
/// The child process of measure_startup: prints microseconds. "acl", or "raw" and the device: "raw UUID VERSION NAME".
int run_startup(const std::string& side);

}  // namespace bench
