#include "endurance/story.hpp"

namespace endurance {

const std::vector<Chapter>& chapters() {
  static const std::vector<Chapter> chapters{
      {"eager_tasks", "tasks", 10'000'000, false, eager_tasks},
      {"unwaited_tasks", "tasks", 1'000'000, false, unwaited_tasks},
      {"host_functions", "calls", 1'000'000, false, host_functions},
      {"replays", "replays with an update", 1'000'000, false, replays},
      {"captures", "models, each replayed", 100'000, false, captures},
      {"allocations", "allocations", 100'000, true, allocations},
      {"pool_allocations", "allocations", 100'000, true, pool_allocations},
      {"objects", "sets of objects", 100'000, true, objects},
      {"operators", "executors", 1'000'000, false, operators},
      {"kernels", "modules", 20'000, true, kernels},
  };
  return chapters;
}

}  // namespace endurance
