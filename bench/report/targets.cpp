#include "report/targets.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace bench {
namespace {

const Row* find_row(const Report& report, const std::string& workload, std::size_t tasks, const std::string& name) {
  for (const Group& group : report.groups) {
    if (group.workload != workload || group.tasks != tasks || group.width != 1) continue;
    // Chains have groups of several operand sizes; their targets are those of the tiny ones.
    if (!group.operands.empty() && group.operands != "tiny" && workload != "bandwidth" && workload != "rows") continue;
    for (const Row& row : group.rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

const Figure* find_figure(const Report& report, const std::string& name) {
  const auto found =
      std::find_if(report.figures.begin(), report.figures.end(), [&](const Figure& f) { return f.name == name; });
  return found == report.figures.end() ? nullptr : &*found;
}

class Table {
 public:
  explicit Table(const Report& report) : report_(report) {}

  std::vector<Target> take() { return std::move(targets_); }

  void ratio(const char* title, const char* workload, std::size_t tasks, const char* name, double limit,
             bool at_least = false) {
    const Row* row = find_row(report_, workload, tasks, name);
    if (row && row->ratio) targets_.push_back({title, row->ratio->median, limit, at_least, "ratio", row->samples});
  }

  void host(const std::string& title, const char* workload, std::size_t tasks, const std::string& name, double limit) {
    const Row* row = find_row(report_, workload, tasks, name);
    if (row) targets_.push_back({title, row->host.median, limit, false, "us", row->samples});
  }

  void figure(const char* name, double limit) {
    const Figure* figure = find_figure(report_, name);
    if (figure) targets_.push_back({name, figure->value.median, limit, false, figure->unit, figure->samples});
  }

  /// The host time of a replay must hardly depend on the number of tasks: it is one vkQueueSubmit2.
  void growth(double limit) {
    const Row* few = find_row(report_, "execute", 0, "aclmdlRIExecuteAsync, 10 tasks");
    const Row* many = find_row(report_, "execute", 0, "aclmdlRIExecuteAsync, 10000 tasks");
    if (!few || !many) return;
    targets_.push_back({"aclmdlRIExecuteAsync, 10000 tasks over 10 tasks", many->host.median / few->host.median, limit,
                        false, "ratio", many->samples});
  }

  /// The computing rate of a thread, on lavapipe only: other devices report no number of threads.
  void operations(const char* workload, const char* best_operands, double best, double others) {
    if (report_.environment.device.find("llvmpipe") == std::string::npos) return;
    for (const Group& group : report_.groups) {
      if (group.workload != workload) continue;
      for (const Row& row : group.rows) {
        if (row.name.rfind("raw", 0) == 0 || row.name.find("float32") == std::string::npos) continue;
        const double speed = static_cast<double>(group.operations * group.tasks) * 1e-3 / row.total.median / threads();
        targets_.push_back({row.name + " at " + group.operands + ", of a thread", speed,
                            group.operands == best_operands ? best : others, true, "GFLOP/s", row.samples});
      }
    }
  }

  /// A ratio of speeds: the time of the fastest floor divided by the library's time.
  void bandwidth(const char* workload, double limit) {
    for (const Group& group : report_.groups) {
      if (group.workload != workload) continue;
      const Row* library = nullptr;
      const Row* best = nullptr;
      for (const Row& row : group.rows) {
        if (row.name.rfind("raw", 0) != 0) {
          library = &row;
        } else if (!best || row.total.median < best->total.median) {
          best = &row;
        }
      }
      if (!library || !best) continue;
      targets_.push_back(
          {library->name + " at " + group.operands + ", speed over the best raw kernel (" + best->name + ")",
           best->total.median / library->total.median, limit, true, "ratio", library->samples});
    }
  }

 private:
  /// The threads that compute on lavapipe; without workers (LP_NUM_THREADS=0) the submitting thread does.
  double threads() const {
    const std::string& text = report_.environment.lavapipe_threads;
    const int workers = std::atoi(text.c_str());
    return text == "default" ? std::max(report_.environment.cores, 1U) : std::max(workers, 1);
  }

  const Report& report_;
  std::vector<Target> targets_;
};

}  // namespace

// The limits are those of docs/performance.md.
std::vector<Target> targets_of(const Report& report) {
  Table table(report);
  table.ratio("replay over raw replay, end to end, 10 tasks", "chain", 10, "replay", 1.15);
  table.ratio("replay over raw replay, end to end, 100 tasks", "chain", 100, "replay", 1.05);
  table.ratio("replay over raw replay, end to end, 1000 tasks", "chain", 1000, "replay", 1.03);
  for (const char* tasks : {"10", "100", "1000", "10000"}) {
    const std::string name = std::string("aclmdlRIExecuteAsync, ") + tasks + " tasks";
    table.host(name + ", host time", "execute", 0, name, 5);
  }
  table.growth(1.5);
  table.ratio("eager over raw record + submit, end to end, 1000 tasks", "chain", 1000, "eager", 1.3);
  table.figure("aclnnAddGetWorkspaceSize + aclnnAdd", 2.5);
  table.ratio("eager + synchronize over raw record + submit + wait, end to end, 1000 tasks", "chain", 1000,
              "eager + synchronize", 1.25);
  table.host("20 group updates + execute, host time", "update", 20, "20 group updates + execute", 100);
  table.ratio("20 group updates + execute over 20 eager launches, host time", "update", 20,
              "20 group updates + execute", 1.3);
  table.ratio("one operator on lists of 1000 tensors over 1000 operators, end to end", "lists", 1000,
              "aclnnForeachMulListInplace", 1);
  table.ratio("one operator on lists of 1000 tensors over 1000 operators, host time", "lists", 1000,
              "aclnnForeachMulListInplace, host time", 0.5);
  table.figure("aclmdlRICaptureBegin ... End, 1000 tasks", 3000);
  table.figure("aclmdlRIDestroy, 1000 tasks", 1000);
  table.figure("memory of a captured task", 2048);
  table.figure("aclmdlRICaptureGetInfo", 100);
  table.ratio("aclInit ... first operator over raw vkCreateInstance ... first dispatch", "startup", 1,
              "aclInit ... first operator", 1.3);
  table.bandwidth("bandwidth", 0.9);
  table.bandwidth("rows", 0.7);
  table.operations("matmul", "512 x 512 x 512", 15, 12);
  table.bandwidth("matmul", 0.9);
  table.bandwidth("matvec", 0.7);
  table.bandwidth("attention", 0.6);
  return table.take();
}

}  // namespace bench
