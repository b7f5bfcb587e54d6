#pragma once

#include <string>
#include <vector>

#include "harness/measure.hpp"

namespace bench {

/// A workload of one size, with the results of its contenders.
struct Group {
  std::string workload;         ///< "chain"
  std::string operands;         ///< "tiny", "64 KiB", ...; empty if not applicable
  std::size_t bytes = 0;        ///< of one operand
  std::size_t tasks = 0;        ///< tasks in a pass
  std::size_t width = 1;        ///< concurrent branches
  std::size_t bytes_moved = 0;  ///< memory traffic of a task, for memory-bound workloads
  std::vector<Row> rows;
  std::string skip_reason{};   ///< why there are no rows
  std::size_t operations = 0;  ///< floating-point operations of a task, for compute-bound workloads
};

/// A single measured value, without a baseline.
struct Figure {
  std::string name;
  std::string unit;
  std::size_t samples = 0;
  Spread value;
};

/// A row of the table of targets.
struct Target {
  std::string name;
  double value = 0;
  double limit = 0;
  bool at_least = false;  ///< else at most
  std::string unit;       ///< "ratio", "us", ...
  std::size_t samples = 0;

  bool met() const { return at_least ? value >= limit : value <= limit; }
};

/// The machine and the configuration of a run.
struct Environment {
  std::string device;
  std::string driver;
  std::string vulkan;
  std::string lavapipe_threads;  ///< LP_NUM_THREADS, or "default"
  std::string build;             ///< "Release"
  std::string date;
  std::string mode;  ///< "quick" or "full"
  unsigned cores = 0;
  std::string competitors{};  ///< other interfaces that take part, with versions
};

struct Report {
  Environment environment;
  std::vector<Group> groups;
  std::vector<Figure> figures;
  std::vector<Target> targets;
  double seconds = 0;
};

}  // namespace bench
