#include "workloads/memory_bound.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "raw/prerecorded_kernel.hpp"

namespace bench {
namespace {

constexpr std::size_t kMaxFloors = 2;
constexpr double kMaxSlowdown = 4;  // slower kernels are not worth the rounds

Pass pass_of(raw::Device& device, raw::PrerecordedKernel& floor) {
  const auto start = Clock::now();
  floor.submit();
  const double host = microseconds_since(start);
  device.wait();
  return {host, microseconds_since(start)};
}

Pass pass_of(const acl::Operator& measured) {
  const auto start = Clock::now();
  measured.replay();
  const double host = microseconds_since(start);
  measured.wait();
  return {host, microseconds_since(start)};
}

std::vector<Contender> all_floors(const Context& context, const Floor& floor, const raw::Operands& operands) {
  std::vector<Contender> floors;
  const auto add = [&](const std::string& name, std::shared_ptr<raw::PrerecordedKernel> kernel) {
    floors.push_back({name, "", [&device = context.device, kernel] { return pass_of(device, *kernel); },
                      Compared::kTotal, context.raw_submissions()});
  };
  for (const raw::Shader* shader : raw::shaders_for(context.device, floor.shaders)) {
    const auto elements = static_cast<std::uint32_t>(floor.elements);
    add(std::string("raw ") + shader->name,
        floor.product ? std::make_shared<raw::PrerecordedKernel>(context.device, *shader, operands, *floor.product,
                                                                 floor.products)
                      : std::make_shared<raw::PrerecordedKernel>(context.device, *shader, operands, elements));
  }
  if (floor.transfers) {
    add("raw vkCmdCopyBuffer", std::make_shared<raw::PrerecordedKernel>(context.device, operands));
  }
  return floors;
}

/// Runs each raw kernel twice (the first run compiles), and returns the fastest.
std::vector<Contender> fastest_of(const std::vector<Contender>& floors) {
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t i = 0; i < floors.size(); ++i) {
    floors[i].pass();
    times.emplace_back(floors[i].pass().total, i);
  }
  std::sort(times.begin(), times.end());
  std::vector<Contender> best;
  for (const auto& [time, index] : times) {
    if (best.size() < kMaxFloors && time <= kMaxSlowdown * times.front().first) best.push_back(floors[index]);
  }
  return best;
}

}  // namespace

Floor copy_moving(std::size_t bytes) {
  const std::size_t half = bytes / 2 & ~std::size_t{31};  // whole items of every style
  return {"copy", {half, half}, half / 4};
}

void compare_with_floor(const Context& context, Group group, const Floor& floor, const std::string& name,
                        const acl::Operator& measured) {
  context.announce(group.workload + ", " + name);
  raw::Operands operands;
  for (const std::size_t bytes : floor.bytes) operands.emplace_back(context.device, bytes, 1.0F);
  std::vector<Contender> contenders = fastest_of(all_floors(context, floor, operands));
  if (contenders.empty()) {
    group.skip_reason = "The device can run none of the raw kernels.";
    context.report.groups.push_back(std::move(group));
    return;
  }
  contenders.push_back({name, contenders.front().name, [&measured] { return pass_of(measured); }, Compared::kTotal,
                        context.acl_submissions()});
  group.rows = compare(contenders, context.effort());
  context.report.groups.push_back(std::move(group));
}

}  // namespace bench
