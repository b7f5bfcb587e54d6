#include "runtime/device.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/watcher.hpp"

namespace aclvk::runtime {
namespace {

/// The devices as ASCEND_RT_VISIBLE_DEVICES shows them: place i holds the place in list_devices() of device id i.
struct Visible {
  std::vector<std::size_t> places;
  bool list_unusable = false;
};

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

// What follows the first entry that is no number, no device or a repetition is cut.
Visible read_visible(const std::string& list, std::size_t count) {
  Visible visible;
  std::stringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    if (!is_number(entry)) break;
    const std::size_t place = std::stoul(entry);
    const bool repeated = std::find(visible.places.begin(), visible.places.end(), place) != visible.places.end();
    if (place >= count || repeated) break;
    visible.places.push_back(place);
  }
  visible.list_unusable = visible.places.empty();
  return visible;
}

Visible find_visible() {
  const std::size_t count = vk::list_devices().size();
  if (!config().visible_devices.empty()) return read_visible(config().visible_devices, count);
  Visible visible;
  for (std::size_t place = 0; place < count; ++place) visible.places.push_back(place);
  return visible;
}

struct Registry {
  const Visible visible = find_visible();
  std::mutex mutex;
  std::vector<std::shared_ptr<Device>> devices{visible.places.size()};
};

// Leaked on purpose: programs end without aclrtResetDevice, with work in flight, and call the API from destructors of
// their own statics. A Vulkan device that is never destroyed serves them to the last; the operating system takes it
// back.
Registry& registry() {
  static auto* registry = new Registry;
  return *registry;
}

std::size_t place_of(std::int32_t id) {
  check_device_id(id);
  return registry().visible.places[static_cast<std::size_t>(id)];
}

std::atomic<bool> at_rest{false};

// Threads of ours must not be inside the driver while the driver's own exit handlers run, nor may the GPU (which can be
// the threads of a CPU driver) be at work. Registered after the driver was loaded, so it runs before them.
void quiesce_at_exit() {
  for (const auto& device : open_devices()) {
    try {
      device->watcher().stop();
      device->gpu().wait_idle();
      device->watcher().finish();
    } catch (const std::exception& exception) {
      log().warn("Device {} does not come to rest at process exit: {}", device->id, exception.what());
    }
  }
  profile::collect_quietly();
  at_rest = true;
}

std::shared_ptr<Device> open(std::int32_t id) {
  auto device = std::make_shared<Device>(static_cast<std::uint32_t>(id), vk::Device::open(place_of(id)));
  log().info("Device {} is {} ({}).", id, device->gpu().info().name, device->gpu().info().driver);
  static const int registered = std::atexit(quiesce_at_exit);
  static_cast<void>(registered);
  return device;
}

}  // namespace

Device::Device(std::uint32_t device_id, std::shared_ptr<vk::Device> gpu)
    : id(device_id), gpu_(std::move(gpu)), watcher_(std::make_unique<Watcher>(*gpu_)) {}

Device::~Device() = default;

bool Device::responds() const {
  try {
    gpu_->create_timeline()->completed();
    return true;
  } catch (const Error& error) {
    log().error("Device {} does not respond: {}", id, error.sentence());
    return false;
  }
}

std::size_t Device::next_queue() { return next_queue_++ % gpu_->queue_count(); }

std::uint32_t device_count() {
  const Visible& visible = registry().visible;
  check(!visible.list_unusable, Code::kNoDevice,
        "ASCEND_RT_VISIBLE_DEVICES is \"{}\"; it names none of the {} devices.", config().visible_devices,
        vk::list_devices().size());
  return static_cast<std::uint32_t>(visible.places.size());
}

void check_device_id(std::int32_t id) {
  const std::size_t count = registry().visible.places.size();
  check(count != 0, Code::kInvalidDeviceId, "Device id {} is asked for; no device is visible.", id);
  check(id >= 0 && static_cast<std::size_t>(id) < count, Code::kInvalidDeviceId,
        "Device id {} is outside the visible devices 0..{}.", id, count - 1);
}

const vk::DeviceInfo& device_info(std::int32_t id) { return vk::list_devices()[place_of(id)]; }

std::int32_t logical_id(std::int32_t id) { return static_cast<std::int32_t>(place_of(id)); }

std::int32_t visible_id(std::int32_t logical) {
  const auto& places = registry().visible.places;
  const auto found = std::find(places.begin(), places.end(), static_cast<std::size_t>(logical));
  check(logical >= 0 && found != places.end(), Code::kInvalidDeviceId, "Logical device {} is not visible.", logical);
  return static_cast<std::int32_t>(found - places.begin());
}

std::shared_ptr<Device> device(std::int32_t id) {
  check_device_id(id);
  std::lock_guard lock(registry().mutex);
  auto& opened = registry().devices[static_cast<std::size_t>(id)];
  if (!opened) opened = open(id);
  return opened;
}

std::vector<std::shared_ptr<Device>> open_devices() {
  std::lock_guard lock(registry().mutex);
  std::vector<std::shared_ptr<Device>> opened;
  for (const auto& device : registry().devices) {
    if (device) opened.push_back(device);
  }
  return opened;
}

bool process_ends() { return at_rest; }

}  // namespace aclvk::runtime
