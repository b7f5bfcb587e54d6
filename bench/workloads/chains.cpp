// Chains of dependent kernels and forks of independent ones: every way to run them, against plain Vulkan.
#include <algorithm>
#include <memory>

#include "harness/context.hpp"
#include "harness/one_core.hpp"
#include "program/chain.hpp"
#include "raw/chain.hpp"

namespace bench {
namespace {

struct Operands {
  const char* name;
  std::size_t elements;
};
constexpr Operands kTiny{"tiny", 64};
constexpr Operands kOperands[] = {kTiny, {"64 KiB", 16 * 1024}, {"16 MiB", 4 * 1024 * 1024}};
constexpr std::size_t kMostUpdates = 1000;

/// The contenders of one workload.
struct Sides {
  Sides(const Context& context, std::size_t tasks, std::size_t width, std::size_t elements)
      : acl(tasks, width, elements),
        raw(context.device, tasks, width, elements),
        twin(context.twin, tasks, width, elements),
        model(acl.capture()) {
    for (const auto& competitor : context.competitors) {
      others.push_back({competitor->name(), competitor->create_chain(tasks, width, elements)});
    }
  }

  struct Other {
    std::string name;
    std::unique_ptr<CompetitorChain> chain;
  };

  acl::Chain acl;
  raw::Chain raw;
  raw::Chain twin;
  acl::Model model;
  std::vector<Other> others;
};

/// Measures the host time of `call`, divided by `calls`, and the total time until `wait` returns.
template <typename Call, typename Wait>
Pass timed(std::size_t tasks, std::size_t calls, Call&& call, Wait&& wait) {
  const auto start = Clock::now();
  call();
  const double host = microseconds_since(start);
  wait();
  return {host / static_cast<double>(calls), microseconds_since(start) / static_cast<double>(tasks)};
}

class Contenders {
 public:
  Contenders(const Context& context, Sides& sides) : context_(context), sides_(sides), tasks_(sides.acl.tasks()) {}

  std::vector<Contender> take() { return std::move(list_); }

  template <typename Call>
  void add_raw(const char* name, std::size_t calls, Call call) {
    const auto pass = [&chain = sides_.raw, calls, call] {
      return timed(chain.tasks(), calls, call, [&] { chain.wait(); });
    };
    list_.push_back({name, "", pass, Compared::kTotal, context_.raw_submissions()});
  }

  template <typename Call>
  void add_acl(const std::string& name, const char* baseline, std::size_t calls, Call call) {
    const auto pass = [&chain = sides_.acl, calls, call] {
      return timed(chain.tasks(), calls, call, [&] { chain.wait(); });
    };
    list_.push_back({name, baseline, pass, Compared::kTotal, context_.acl_submissions()});
  }

  /// Measures the same for each competitor; `call` gets its chain.
  template <typename Call>
  void add_others(const std::string& name, const char* baseline, std::size_t calls, Call call) {
    for (const Sides::Other& other : sides_.others) {
      const auto pass = [&chain = *other.chain, tasks = tasks_, calls, call] {
        return timed(
            tasks, calls, [&] { call(chain); }, [&] { chain.wait(); });
      };
      list_.push_back({other.name + " " + name, baseline, pass});
    }
  }

  void add_replays() {
    add_raw("raw replay", 1, [&s = sides_] { s.raw.replay(); });
    add_twin();
    add_acl("replay", "raw replay", 1, [&s = sides_] { s.model.run(s.acl.stream()); });
    add_others("graph launch", "raw replay", 1, [](CompetitorChain& chain) { chain.replay(); });
  }

  void add_twin() {
    const auto pass = [&chain = sides_.twin] {
      return timed(
          chain.tasks(), 1, [&] { chain.replay(); }, [&] { chain.wait(); });
    };
    list_.push_back({"raw replay, its twin", "raw replay", pass});
  }

  void add_eager() {
    add_raw("raw record + submit", tasks_, [&s = sides_] { s.raw.record_and_submit(); });
    add_acl("eager", "raw record + submit", tasks_, [&s = sides_] { s.acl.launch_all(); });
    add_others("stream launches", "raw record + submit", tasks_, [](CompetitorChain& chain) { chain.launch_all(); });
  }

  void add_eager_in_step() {
    add_raw("raw record + submit + wait", tasks_, [&s = sides_] {
      for (std::size_t task = 0; task < s.raw.tasks(); ++task) {
        s.raw.record_and_submit(task);
        s.raw.wait();
      }
    });
    add_acl("eager + synchronize", "raw record + submit + wait", tasks_, [&s = sides_] {
      for (std::size_t task = 0; task < s.acl.tasks(); ++task) {
        s.acl.launch(task);
        s.acl.wait();
      }
    });
    add_others("launch + synchronize", "raw record + submit + wait", tasks_, [tasks = tasks_](CompetitorChain& chain) {
      for (std::size_t task = 0; task < tasks; ++task) {
        chain.launch(task);
        chain.wait();
      }
    });
  }

  // The floor of a replay with few updates is a replay; the floor of one with all tasks updated is recording them
  // again.
  void add_updates(std::size_t count) {
    if (count > std::min(tasks_, kMostUpdates)) return;
    auto groups = std::make_shared<std::vector<aclrtTaskGrp>>();
    auto model = std::make_shared<acl::Model>(sides_.acl.capture_with_groups(count, *groups));
    const bool all = count == tasks_;
    const std::string updated = ", " + (all ? std::string("all") : std::to_string(count)) + " updated";
    const char* baseline = all ? "raw record + submit" : "raw replay";
    add_acl("replay" + updated, baseline, 1, [&s = sides_, groups, model] {
      s.acl.update(*groups);
      model->run(s.acl.stream());
    });
    add_others("graph" + updated, baseline, 1, [count](CompetitorChain& chain) {
      chain.update(count);
      chain.replay();
    });
  }

 private:
  const Context& context_;
  Sides& sides_;
  std::size_t tasks_;
  std::vector<Contender> list_;
};

// With eager launches, a CPU driver's thread and the calling thread alternate, and a wake-up on another core can cost
// more than the work itself: the same program takes 17 or 60 us a step, depending on where the system has placed the
// two threads. So both run on one core.
void measure_in_step(const Context& context, Group& group, Sides& sides) {
  const OneCore one_core(context.device.is_cpu());
  Contenders contenders(context, sides);
  contenders.add_eager_in_step();
  for (Row& row : compare(contenders.take(), context.effort())) group.rows.push_back(std::move(row));
}

void measure_chain(const Context& context, Group& group, Sides& sides) {
  Contenders contenders(context, sides);
  contenders.add_replays();
  contenders.add_eager();
  if (group.tasks > 1) contenders.add_updates(1);
  if (group.tasks > 20) contenders.add_updates(20);
  contenders.add_updates(group.tasks);
  group.rows = compare(contenders.take(), context.effort());
  measure_in_step(context, group, sides);
}

void measure_fork(const Context& context, Group& group, Sides& sides) {
  Contenders contenders(context, sides);
  contenders.add_replays();
  contenders.add_eager();
  group.rows = compare(contenders.take(), context.effort());
}

using Measurement = void (*)(const Context&, Group&, Sides&);

void measure(const Context& context, const char* workload, const Operands& operands, std::size_t tasks,
             std::size_t width, Measurement measurement) {
  Group group{workload, operands.name, operands.elements * sizeof(float), tasks, width, 0, {}};
  context.announce(group.workload + ", " + std::to_string(tasks) + " tasks, " + operands.name +
                   (width > 1 ? ", width " + std::to_string(width) : ""));
  const double seconds = seconds_of_pass(context, tasks, operands.elements);
  if (seconds > context.options.pass_seconds) {
    group.skip_reason = "A pass would take about " + std::to_string(static_cast<int>(seconds + 0.5)) + " s.";
  } else {
    Sides sides(context, tasks, width, operands.elements);
    measurement(context, group, sides);
  }
  context.report.groups.push_back(std::move(group));
}

}  // namespace

// The first replay compiles the kernel; the second one is timed.
double seconds_of_pass(const Context& context, std::size_t tasks, std::size_t elements) {
  constexpr std::size_t kProbe = 4;
  raw::Chain probe(context.device, kProbe, 1, elements);
  probe.replay();
  probe.wait();
  const auto start = Clock::now();
  probe.replay();
  probe.wait();
  return microseconds_since(start) * 1e-6 / kProbe * static_cast<double>(tasks);
}

void measure_chains(const Context& context) {
  for (const Operands& operands : kOperands) {
    if (context.options.quick && operands.elements > kTiny.elements) break;  // kOperands begins with the smallest
    if (context.wants("chain")) {
      for (const std::size_t tasks : context.options.tasks) {
        measure(context, "chain", operands, tasks, 1, measure_chain);
      }
    }
    if (context.wants("fork")) {
      const std::size_t tasks = std::min<std::size_t>(1000, context.options.tasks.back());
      for (const std::size_t width : context.options.widths) {
        measure(context, "fork", operands, tasks, width, measure_fork);
      }
    }
  }
}

}  // namespace bench
