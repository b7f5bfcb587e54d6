#include "runtime/device/device.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/device/device_process.hpp"
#include "vk_device/gpu/device_selection.hpp"

namespace aclvk::runtime {
namespace {

/// The devices as ASCEND_RT_VISIBLE_DEVICES shows them: element i is the logical number of device id i.
struct Visible {
  std::vector<std::size_t> logical_ids;
  bool list_unusable = false;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

// Ignores the rest of the list from the first entry on that is no number, no device or a repetition.
// CUDA_VISIBLE_DEVICES has the same rule for invalid entries.
Visible read_visible(const std::string& list, std::size_t count) {
  Visible visible;
  std::stringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    if (!is_number(entry)) break;
    const std::size_t logical = std::stoul(entry);
    const bool repeated =
        std::find(visible.logical_ids.begin(), visible.logical_ids.end(), logical) != visible.logical_ids.end();
    if (logical >= count || repeated) break;
    visible.logical_ids.push_back(logical);
  }
  visible.list_unusable = visible.logical_ids.empty();
  return visible;
}

Visible find_visible() {
  const std::size_t count = vk::list_devices().size() * devices_per_gpu();
  if (!config().visible_devices.empty()) return read_visible(config().visible_devices, count);
  Visible visible;
  for (std::size_t logical = 0; logical < count; ++logical) visible.logical_ids.push_back(logical);
  return visible;
}

// A partition has its share of the memory, and a UUID of its own.
vk::DeviceInfo partition_of(vk::DeviceInfo gpu, std::size_t partition) {
  gpu.memory_bytes /= devices_per_gpu();
  gpu.uuid.back() = static_cast<std::uint8_t>(gpu.uuid.back() + partition);
  return gpu;
}

std::vector<vk::DeviceInfo> describe_devices() {
  std::vector<vk::DeviceInfo> infos;
  for (const vk::DeviceInfo& gpu : vk::list_devices()) {
    for (std::size_t i = 0; i < devices_per_gpu(); ++i) infos.push_back(partition_of(gpu, i));
  }
  return infos;
}

struct Registry {
  const Visible visible = find_visible();
  const std::vector<vk::DeviceInfo> infos = describe_devices();  // by logical number
  Mutex mutex;
  std::vector<std::shared_ptr<Device>> devices GUARDED_BY(mutex){visible.logical_ids.size()};
  std::vector<std::shared_ptr<const PartitionedGpu>> gpus GUARDED_BY(mutex){vk::list_devices().size()};
  std::vector<std::shared_ptr<Device>> retired GUARDED_BY(mutex);
};

// Not destroyed at exit: programs end without aclrtResetDevice, with work in flight, and call the API from destructors
// of their own statics. The operating system reclaims the Vulkan devices.
using RegistryState = ProcessState<Registry, StateId::kDevices>;

Registry& registry() { return RegistryState::get(); }

std::size_t logical_number_of(std::int32_t id) {
  check_device_id(id);
  return registry().visible.logical_ids[static_cast<std::size_t>(id)];
}

// Host memory needs no peer access. Access to mapped memory is a property of its mapping (aclrtMemSetAccess).
bool needs_peer_access(vk::Placement placement) {
  return vk::on_device(placement) && placement != vk::Placement::kMapped;
}

Execution execution_on(const vk::DeviceInfo& gpu) {
  const bool is_cpu_device = config().driver_tuning && gpu.kind == vk::DeviceKind::kCpu;
  return {is_cpu_device, gpu.subgroup_shuffle ? gpu.subgroup_size : 1};
}

std::shared_ptr<Device> open(std::int32_t id) REQUIRES(registry().mutex) {
  const std::size_t logical = logical_number_of(id);
  auto& gpu = registry().gpus[logical / devices_per_gpu()];
  if (!gpu) gpu = std::make_shared<const PartitionedGpu>(logical / devices_per_gpu(), devices_per_gpu());
  log().info("Device {} is {} ({}).", id, gpu->device->info().name, gpu->device->info().driver);
  static const bool registered = (quiesce_before_exit(), true);
  static_cast<void>(registered);
  // Made last: its watcher has a thread, and a later failure would have to destroy it.
  return std::make_shared<Device>(static_cast<std::uint32_t>(id), gpu, logical % devices_per_gpu());
}

}  // namespace

Device::Device(std::uint32_t device_id, std::shared_ptr<const PartitionedGpu> gpu, std::size_t partition)
    : id(device_id),
      execution(execution_on(gpu->device->info())),
      partitioned_gpu_(std::move(gpu)),
      partition_(partition),
      watcher_(start_watcher(*this)) {}

Device::~Device() = default;

// Queries a semaphore, which a lost device answers with VK_ERROR_DEVICE_LOST.
bool Device::responds() const {
  try {
    gpu().create_timeline()->completed();
    return !gpu().lost();
  } catch (const Error& error) {
    log().error("Device {} does not respond: {}", id, error.sentence());
    return false;
  }
}

std::optional<Error> Device::loss() const {
  if (!gpu().lost()) return std::nullopt;
  return Error(Code::kDriverError,
               fmt::format("Device {} is lost: its driver has given it up. aclrtResetDevice, as often as the device is "
                           "set, and aclrtSetDevice open it anew.",
                           id));
}

void Device::check_not_lost() const {
  if (const auto error = loss()) throw Error(*error);
}

std::size_t Device::next_queue() { return next_queue_++ % gpu().queue_count(); }

void Device::set_peer(const Device& peer, bool enabled) {
  const std::uint64_t bit = std::uint64_t{1} << peer.partition_;
  enabled ? peers_ |= bit : peers_ &= ~bit;
}

bool Device::has_peer(const Device& peer) const { return (peers_ >> peer.partition_ & 1U) != 0; }

bool Device::may_use(std::size_t partition, vk::Placement placement) const {
  return !needs_peer_access(placement) || (peers_ >> partition & 1U) != 0;
}

const vk::Memory* Device::usable_memory(const void* pointer) const {
  const auto& memories = partitioned_gpu_->memories;
  for (std::size_t partition = 0; partition < memories.size(); ++partition) {
    if (partition == partition_) continue;
    const auto allocation = memories[partition]->describe(pointer);
    if (allocation && may_use(partition, allocation->placement)) return memories[partition].get();
  }
  return nullptr;
}

std::optional<vk::BufferRange> Device::find(const void* pointer, std::uint64_t bytes) const {
  if (auto range = memory().find(pointer, bytes)) return range;
  const vk::Memory* peer = usable_memory(pointer);
  return peer ? peer->find(pointer, bytes) : std::nullopt;
}

std::optional<vk::AllocationInfo> Device::describe(const void* pointer) const {
  if (auto allocation = memory().describe(pointer)) return allocation;
  const vk::Memory* peer = usable_memory(pointer);
  return peer ? peer->describe(pointer) : std::nullopt;
}

std::string Device::missing_access(const void* pointer) const {
  for (const auto& device : open_devices()) {
    const auto allocation = device.get() == this ? std::nullopt : device->memory().describe(pointer);
    if (!allocation || !needs_peer_access(allocation->placement)) continue;
    if (shares_gpu(*device) && has_peer(*device)) continue;
    return fmt::format(" It is memory of device {}, to which device {} has no peer access.", device->id, id);
  }
  return "";
}

// Searches all memories: a range has no number of its partition, and addresses on one Vulkan device are unique.
bool Device::alive(const vk::BufferRange& range) const {
  return std::any_of(partitioned_gpu_->memories.begin(), partitioned_gpu_->memories.end(),
                     [&](const auto& memory) { return memory->alive(range); });
}

std::uint64_t Device::releases() const {
  std::uint64_t releases = 0;
  for (const auto& memory : partitioned_gpu_->memories) releases += memory->releases();
  return releases;
}

std::string why_no_device() {
  const std::size_t devices = registry().infos.size();
  if (devices > 0) {
    return fmt::format("ASCEND_RT_VISIBLE_DEVICES is \"{}\"; it names none of the {} devices.",
                       config().visible_devices, devices);
  }
  return vk::why_no_devices();
}

std::uint32_t device_count() {
  const Visible& visible = registry().visible;
  check_settings();
  check(!visible.list_unusable, Code::kNoDevice, "{}", why_no_device());
  return static_cast<std::uint32_t>(visible.logical_ids.size());
}

void check_device_id(std::int32_t id) {
  check_settings();
  const std::size_t count = registry().visible.logical_ids.size();
  if (count == 0) {
    fail(Code::kInvalidDeviceId, "Device id {} is asked for; no device is visible. {} \"aclvk doctor\" tells more.", id,
         why_no_device());
  }
  check(id >= 0 && static_cast<std::size_t>(id) < count, Code::kInvalidDeviceId,
        "Device id {} is outside the visible devices 0..{}.", id, count - 1);
}

const vk::DeviceInfo& device_info(std::int32_t id) { return registry().infos[logical_number_of(id)]; }

std::int32_t logical_id(std::int32_t id) { return static_cast<std::int32_t>(logical_number_of(id)); }

std::int32_t visible_id(std::int32_t logical) {
  const auto& logical_ids = registry().visible.logical_ids;
  const auto found = std::find(logical_ids.begin(), logical_ids.end(), static_cast<std::size_t>(logical));
  check(logical >= 0 && found != logical_ids.end(), Code::kInvalidDeviceId, "Logical device {} is not visible.",
        logical);
  return static_cast<std::int32_t>(found - logical_ids.begin());
}

std::shared_ptr<Device> device(std::int32_t id) {
  check_device_id(id);
  const LockGuard lock(registry().mutex);
  auto& opened = registry().devices[static_cast<std::size_t>(id)];
  if (!opened) opened = open(id);
  return opened;
}

std::shared_ptr<Device> find_open_device(std::int32_t id) {
  check_device_id(id);
  const LockGuard lock(registry().mutex);
  return registry().devices[static_cast<std::size_t>(id)];
}

std::vector<std::shared_ptr<Device>> open_devices() {
  Registry* existing = RegistryState::find();
  if (!existing) return {};
  const LockGuard lock(existing->mutex);
  std::vector<std::shared_ptr<Device>> opened;
  for (const auto& device : existing->devices) {
    if (device) opened.push_back(device);
  }
  return opened;
}

void retire(const std::shared_ptr<Device>& device) {
  {
    const LockGuard lock(registry().mutex);
    auto& opened = registry().devices[device->id];
    if (opened != device) return;  // another thread has retired it
    registry().retired.push_back(std::move(opened));
    for (auto& gpu : registry().gpus) {
      if (gpu == device->partitioned_gpu_) gpu.reset();
    }
  }
  for (const vk::BufferRange& range : device->memory().allocations(vk::Placement::kDevice)) {
    device->memory().release(reinterpret_cast<void*>(static_cast<std::uintptr_t>(range.address())),
                             vk::Placement::kDevice);
  }
  device->gpu().collect();
}

std::vector<std::shared_ptr<Device>> retired_devices() {
  Registry* existing = RegistryState::find();
  if (!existing) return {};
  const LockGuard lock(existing->mutex);
  return existing->retired;
}

}  // namespace aclvk::runtime
