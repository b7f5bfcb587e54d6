// Creation and destruction of models: time and host memory.
#include <malloc.h>

#include <memory>

#include "harness/context.hpp"
#include "program/chain.hpp"

namespace bench {
namespace {

constexpr std::size_t kElements = 64;
constexpr std::size_t kTasks = 1000;

void measure_times(const Context& context) {
  const acl::Chain chain(kTasks, 1, kElements);
  std::vector<double> captures;
  std::vector<double> destructions;
  std::vector<double> first_runs;
  std::vector<double> later_runs;
  const auto run = [&](const acl::Model& model) {
    const auto start = Clock::now();
    model.run(chain.stream());
    chain.wait();
    return microseconds_since(start);
  };
  for (std::size_t round = 0; round < context.options.rounds; ++round) {
    auto start = Clock::now();
    auto model = std::make_unique<acl::Model>(chain.capture());
    captures.push_back(microseconds_since(start));
    first_runs.push_back(run(*model));
    later_runs.push_back(run(*model));
    start = Clock::now();
    model.reset();
    destructions.push_back(microseconds_since(start));
  }
  auto& figures = context.report.figures;
  figures.push_back({"aclmdlRICaptureBegin ... End, 1000 tasks", "us", captures.size(), spread_of(captures)});
  figures.push_back({"aclmdlRIDestroy, 1000 tasks", "us", destructions.size(), spread_of(destructions)});
  figures.push_back({"first replay, 1000 tasks", "us", first_runs.size(), spread_of(first_runs)});
  figures.push_back({"second replay, 1000 tasks", "us", later_runs.size(), spread_of(later_runs)});
}

std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// All memory of malloc: the library's share and that of a driver in this process. A GPU driver may allocate more
// elsewhere.
void measure_memory(const Context& context) {
  constexpr std::size_t kMany = 10000;
  const acl::Chain chain(kMany, 1, kElements);
  std::vector<double> samples;
  std::vector<acl::Model> models;
  for (int i = 0; i < 5; ++i) {
    const std::size_t before = heap_bytes();
    models.push_back(chain.capture());
    // The first capture also compiles the pipeline, and fills pools that later ones share.
    if (i > 0) samples.push_back(static_cast<double>(heap_bytes() - before) / kMany);
  }
  context.report.figures.push_back({"memory of a captured task", "bytes", samples.size(), spread_of(samples)});
}

}  // namespace

void measure_capture(const Context& context) {
  if (!context.wants("capture")) return;
  context.announce("capture and destroy");
  measure_times(context);
  measure_memory(context);
}

}  // namespace bench
