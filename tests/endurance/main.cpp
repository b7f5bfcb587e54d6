// aclvk_endurance: one story again and again, and whether the process holds more of anything in the end than after a
// tenth of it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include "endurance/report.hpp"
#include "program/objects.hpp"

namespace endurance {
namespace {

constexpr std::int64_t kFootprints = 40;
constexpr std::int64_t kWarmUp = kFootprints / 10;

struct Options {
  std::string story;
  double scale = 1;
  std::string json;
};

const Chapter& find_chapter(const std::string& name) {
  return *std::find_if(chapters().begin(), chapters().end(), [&](const Chapter& one) { return one.name == name; });
}

// Objects that completed work has used are released at the latest when memory is allocated; else a thread of the
// library may still be about to let go of it, and how much that is depends on how busy the machine is. Lavapipe puts
// the end of pipelines off until something else has been submitted, and a submission more shows that it has come to
// that.
void let_go_of_completed_work() {
  void* memory = nullptr;
  ACL_CHECK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
  for (int i = 0; i < 2; ++i) {
    ACL_CHECK(aclrtMemsetAsync(memory, 64, i, 64, nullptr));
    ACL_CHECK(aclrtSynchronizeStream(nullptr));
  }
  ACL_CHECK(aclrtFree(memory));
}

Report run_chapter(const Chapter& chapter, double scale) {
  const acl::Session session;
  Report report{&chapter, 0, 0, session.device().name, {}};
  const auto each = static_cast<std::int64_t>(static_cast<double>(chapter.repetitions) * scale / kFootprints);
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<Story> story = chapter.begin();
  for (std::int64_t number = 1; number <= kFootprints; ++number) {
    for (std::int64_t i = 0; i < std::max<std::int64_t>(each, 1); ++i, ++report.repetitions) story->repeat();
    story->settle();
    let_go_of_completed_work();
    if (number >= kWarmUp) report.footprints.push_back(take_footprint(report.repetitions));
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

int run(const Options& options) {
  const Report report = run_chapter(find_chapter(options.story), options.scale);
  print(report);
  if (!options.json.empty()) write_json(report, options.json);
  return flat(report) ? 0 : 1;
}

int run_command(int argc, char** argv) {
  Options options;
  std::vector<std::string> names;
  for (const Chapter& chapter : chapters()) names.push_back(chapter.name);
  CLI::App app("Repeats one thing for long, and ends with 1 when the process then holds more than before.");
  app.add_option("story", options.story, "What is repeated; without it the names of all stories are printed")
      ->check(CLI::IsMember(names));
  app.add_option("--scale", options.scale, "Part of the full number of repetitions")->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "Write the report with all samples as JSON")->type_name("FILE");
  CLI11_PARSE(app, argc, argv);
  if (!options.story.empty()) return run(options);
  for (const std::string& name : names) std::printf("%s\n", name.c_str());
  return 0;
}

}  // namespace
}  // namespace endurance

int main(int argc, char** argv) try {
  return endurance::run_command(argc, argv);
} catch (const std::exception& exception) {
  std::fprintf(stderr, "%s\n", exception.what());
  return 2;
}
