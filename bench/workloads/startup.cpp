// From nothing to the first operator, each time in a process of its own, caches warm.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "harness/context.hpp"
#include "program/chain.hpp"
#include "raw/chain.hpp"

namespace bench {
namespace {

constexpr std::size_t kElements = 64;

double run_child(const std::string& side) {
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) < 0) throw std::runtime_error("/proc/self/exe");
  const std::string command = std::string("'") + path.data() + "' --start " + side;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  double microseconds = 0;
  if (!pipe || std::fscanf(pipe.get(), "%lf", &microseconds) != 1) {
    throw std::runtime_error("The child process of the start-up measurement did not answer.");
  }
  return microseconds;
}

Pass child_pass(const std::string& side) { return {run_child(side), 0}; }

}  // namespace

int run_startup(const std::string& side) {
  if (side == "acl") {
    const auto start = Clock::now();
    const acl::Session session;
    const acl::Chain chain(1, 1, kElements);
    chain.launch(0);
    chain.wait();
    std::printf("%f\n", microseconds_since(start));
    std::fflush(stdout);
    _exit(0);  // what comes after the first operator is not measured
  }
  // The device is named by environment only, as for the library; the first one that it would take is asked for before.
  aclvkDeviceInfo info;
  ACL_CHECK(aclvkGetDeviceInfo(0, &info));
  const auto start = Clock::now();
  raw::Device device(info);
  raw::Chain chain(device, 1, 1, kElements);
  chain.replay();
  chain.wait();
  std::printf("%f\n", microseconds_since(start));
  std::fflush(stdout);
  _exit(0);
}

void measure_startup(const Context& context) {
  if (!context.wants("startup")) return;
  context.announce("start-up");
  const std::vector<Contender> contenders{
      {"raw: vkCreateInstance ... first dispatch", "", [] { return child_pass("raw"); }, Compared::kHost},
      {"aclInit ... first operator", "raw: vkCreateInstance ... first dispatch", [] { return child_pass("acl"); },
       Compared::kHost}};
  Group group{"startup", "tiny", kElements * sizeof(float), 1, 1, {}};
  Effort effort = context.effort();
  effort.rounds = std::min<std::size_t>(effort.rounds, 15);
  group.rows = compare(contenders, effort);
  context.report.groups.push_back(std::move(group));
}

}  // namespace bench
