// From process start to the first operator, each time in a new process, with warm caches.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "harness/context.hpp"
#include "program/chain.hpp"
#include "raw/chain.hpp"

namespace bench {
namespace {

constexpr std::size_t kElements = 64;

// The raw side must not query the device through the library, which would load the driver before the clock starts.
std::string raw_side(const aclvkDeviceInfo& device) {
  std::string uuid;
  for (const std::uint8_t byte : device.uuid) uuid += fmt::format("{:02x}", byte);
  return fmt::format("raw {} {} {}", uuid, device.vulkanVersion, device.name);
}

aclvkDeviceInfo device_of(const std::string& side) {
  aclvkDeviceInfo info{};
  std::istringstream words(side);
  std::string raw;
  std::string uuid;
  words >> raw >> uuid >> info.vulkanVersion >> std::ws;
  words.getline(info.name, sizeof(info.name));
  if (raw != "raw" || uuid.size() != 2 * sizeof(info.uuid)) throw std::runtime_error("--start takes acl or raw ...");
  for (std::size_t i = 0; i < sizeof(info.uuid); ++i) {
    info.uuid[i] = static_cast<std::uint8_t>(std::stoul(uuid.substr(2 * i, 2), nullptr, 16));
  }
  return info;
}

double run_child(const std::string& side) {
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) < 0) throw std::runtime_error("/proc/self/exe");
  const std::string command = fmt::format("'{}' --start '{}'", path.data(), side);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  double microseconds = 0;
  if (!pipe || std::fscanf(pipe.get(), "%lf", &microseconds) != 1) {
    throw std::runtime_error("The child process of the start-up measurement did not answer.");
  }
  return microseconds;
}

Pass child_pass(const std::string& side) { return {run_child(side), 0}; }

// Nothing is cleaned up: the time ends with the first operator.
[[noreturn]] void finish(Clock::time_point start) {
  std::printf("%f\n", microseconds_since(start));
  std::fflush(stdout);
  _exit(0);
}

}  // namespace

int run_startup(const std::string& side) {
  if (side == "acl") {
    const auto start = Clock::now();
    const acl::Session session;
    const acl::Chain chain(1, 1, kElements);
    chain.launch(0);
    chain.wait();
    finish(start);
  }
  const aclvkDeviceInfo info = device_of(side);
  const auto start = Clock::now();
  raw::Device device(info);
  raw::Chain chain(device, 1, 1, kElements);
  chain.replay();
  chain.wait();
  finish(start);
}

void measure_startup(const Context& context) {
  if (!context.wants("startup")) return;
  context.announce("start-up");
  const std::vector<Contender> contenders{
      {"raw: vkCreateInstance ... first dispatch", "",
       [raw = raw_side(context.session.device())] { return child_pass(raw); }, Compared::kHost},
      {"aclInit ... first operator", "raw: vkCreateInstance ... first dispatch", [] { return child_pass("acl"); },
       Compared::kHost}};
  Group group{"startup", "tiny", kElements * sizeof(float), 1, 1, 0, {}};
  Effort effort = context.effort();
  effort.rounds = std::min<std::size_t>(effort.rounds, 15);  // a pass is a process, which loads the driver
  group.rows = compare(contenders, effort);
  context.report.groups.push_back(std::move(group));
}

}  // namespace bench
