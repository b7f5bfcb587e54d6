#include "capture/model/lifetime.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/config.hpp"
#include "base/error.hpp"
#include "capture/model/model.hpp"
#include "runtime/host/host_probe.hpp"
#include "runtime/memory/host_registration.hpp"
#include "runtime/task/device_work.hpp"
#include "vk_device/buffers/registered_memory.hpp"

namespace aclvk::capture {
namespace {

// Builds with assertions check by default.
bool is_enabled() {
#ifdef NDEBUG
  constexpr bool kDefault = false;
#else
  constexpr bool kDefault = true;
#endif
  const long setting = config().check_lifetime;
  return setting < 0 ? kDefault : setting != 0;
}

std::string name_of(const Model& model) { return model.name.empty() ? "" : fmt::format(" \"{}\"", model.name); }

// A range carries the number of its allocation: device.alive() compares it, so reused bytes are detected.
void check_task(const Model& model, NodeId id, const runtime::Device& device) {
  const Node& node = model.graph().node(id);
  if (node.disabled) return;
  runtime::for_each_range(node.task, [&](const vk::BufferRange& range, const char* role, std::size_t number) {
    if (device.alive(range)) return;
    fail(
        Code::kModelExecute,
        "Model {}{} cannot run: {}{} of its task {} ({} on stream {}), {} bytes at {:#x}, has been freed or may not be "
        "used any more; what a model refers to has to live as long as the model.",
        model.id, name_of(model), role, number > 0 ? fmt::format(" {}", number) : "", id, display_name(node),
        model.graph().lanes()[node.lane].stream_id, range.size, range.pointer());
  });
}

void check_tasks(const Model& model, const runtime::Device& device) {
  for (NodeId id = 0; id < model.graph().nodes().size(); ++id) check_task(model, id, device);
  for (const SubModel& body : model.sub_models()) check_tasks(*body.model, device);
}

void check_registered(const Model& model, const Node& node) {
  runtime::for_each_range(node.task, [&](const vk::BufferRange& range, const char* role, std::size_t) {
    if (!range.buffer || !vk::is_registered_host_memory(range)) return;
    const auto access =
        role == std::string_view("destination") ? runtime::HostAccess::kWrite : runtime::HostAccess::kRead;
    check(runtime::host_accessible(range.mapped(), range.size, access), Code::kModelExecute,
          "Model {}{} cannot run: {} of {}, {} bytes at {:#x}, is registered, but not memory of this process any more "
          "that can be {}; what a model refers to has to live as long as the model.",
          model.id, name_of(model), role, display_name(node), range.size, range.pointer(),
          runtime::access_verb(access));
  });
}

void add_allocations(const Model& model, std::vector<std::uint64_t>& allocations) {
  for (const Node& node : model.graph().nodes()) {
    runtime::for_each_range(node.task, [&](const vk::BufferRange& range, const char*, std::size_t) {
      allocations.push_back(range.allocation);
    });
  }
  for (const SubModel& body : model.sub_models()) add_allocations(*body.model, allocations);
}

std::vector<std::uint64_t> find_allocations(const Model& model) {
  std::vector<std::uint64_t> allocations;
  add_allocations(model, allocations);
  std::sort(allocations.begin(), allocations.end());
  allocations.erase(std::unique(allocations.begin(), allocations.end()), allocations.end());
  return allocations;
}

}  // namespace

void check_lifetime(Model& model) {
  if (!is_enabled()) return;
  const runtime::Device& device = model.context()->device();
  // Read before the check: a free by another thread during the check increments it, so the next call checks again.
  const std::uint64_t releases = device.releases();
  if (model.alive_at_release == releases) return;
  check_tasks(model, device);
  model.alive_at_release = releases;
}

void check_registered_memory(const Model& model) {
  if (!runtime::memory_has_been_registered()) return;
  for (const Node& node : model.graph().nodes()) {
    if (!node.disabled) check_registered(model, node);
  }
  for (const SubModel& body : model.sub_models()) check_registered_memory(*body.model);
}

bool uses(Model& model, const vk::BufferRange& allocation) {
  if (!model.allocations) model.allocations = Model::Allocations{find_allocations(model)};
  Model::Allocations& cache = *model.allocations;
  if (cache.last_query != allocation.allocation) {
    cache.last_answer = std::binary_search(cache.numbers.begin(), cache.numbers.end(), allocation.allocation);
    cache.last_query = allocation.allocation;
  }
  return cache.last_answer;
}

}  // namespace aclvk::capture
