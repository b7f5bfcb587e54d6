#include "runtime/device/device.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"
#include "vk_device/device_selection.hpp"

namespace aclvk::runtime {
namespace {

/// The devices as ASCEND_RT_VISIBLE_DEVICES shows them: place i holds the logical number of device id i.
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
  const std::size_t count = vk::list_devices().size() * devices_per_gpu();
  if (!config().visible_devices.empty()) return read_visible(config().visible_devices, count);
  Visible visible;
  for (std::size_t place = 0; place < count; ++place) visible.places.push_back(place);
  return visible;
}

// A part of a Vulkan device has its share of the memory, and is not the same device as the other parts.
vk::DeviceInfo part_of(vk::DeviceInfo gpu, std::size_t slot) {
  gpu.memory_bytes /= devices_per_gpu();
  gpu.uuid.back() = static_cast<std::uint8_t>(gpu.uuid.back() + slot);
  return gpu;
}

std::vector<vk::DeviceInfo> describe_devices() {
  std::vector<vk::DeviceInfo> infos;
  for (const vk::DeviceInfo& gpu : vk::list_devices()) {
    for (std::size_t slot = 0; slot < devices_per_gpu(); ++slot) infos.push_back(part_of(gpu, slot));
  }
  return infos;
}

struct Registry {
  const Visible visible = find_visible();
  const std::vector<vk::DeviceInfo> infos = describe_devices();  // by logical number
  std::mutex mutex;
  std::vector<std::shared_ptr<Device>> devices{visible.places.size()};
  std::vector<std::shared_ptr<const Board>> boards{vk::list_devices().size()};
  std::vector<std::shared_ptr<Device>> retired;
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

// Host memory is everybody's, and of mapped memory the mapping says whose it is (aclrtMemSetAccess).
bool needs_peer_access(vk::Placement placement) {
  return vk::on_device(placement) && placement != vk::Placement::kMapped;
}

// For a task that has been found to run for too long: it may be about to end.
constexpr std::chrono::milliseconds kPatienceAtExit{1000};

std::atomic<bool> at_rest{false};
std::atomic<int> exit_status{0};
std::atomic<pid_t> resting{0};      // the process whose devices come to rest
std::atomic<pid_t> forked_from{0};  // the process that has kept the devices, if it is not this one

// False when a task of the device does not come to its end.
bool bring_to_rest(const Device& device, std::chrono::milliseconds patience) try {
  device.watcher().stop();
  const bool rests = device.wait_for_work(patience);
  // What other processes are to be told; without settling, because no stream goes on when the process ends.
  const LogDeferral deferral;
  const std::lock_guard lock(Scheduler::instance().mutex());
  device.watcher().catch_up();
  return rests;
} catch (const std::exception& exception) {
  log().warn("Device {} does not come to rest at process exit: {}", device.id, exception.what());
  return true;
}

// Threads of ours must not be inside the driver while the driver's own exit handlers run, nor may the GPU (which can be
// the threads of a CPU driver) be at work. What is registered last runs first.
bool quiesce() {
  bool rests = true;
  for (const auto& device : retired_devices()) device->watcher().stop();
  for (const auto& device : open_devices()) {
    rests = bring_to_rest(*device, rests ? kPatienceAtExit : std::chrono::milliseconds{0}) && rests;
  }
  profile::collect_quietly();
  return rests;
}

// The driver's exit handlers would wait for its threads, which are at work on what does not end.
[[noreturn]] void leave_at_once() {
  log().error(
      "A task has been running for too long and goes on: the process ends without the rest of its exit "
      "handlers, among them the driver's.");
  profile::finish_files();
  flush_log();
  std::fflush(nullptr);
  _exit(exit_status);
}

// A process that was forked has none of the threads, and locks that they held stay so.
void quiesce_at_exit() {
  if (at_rest) return;
  const bool rests = getpid() != resting || quiesce();
  at_rest = true;
  if (!rests) leave_at_once();
}

void note_status(int status, void*) { exit_status = status; }

void note_forks() {
  pthread_atfork(nullptr, nullptr, [] { forked_from = resting.load(); });
}

Execution execution_on(const vk::DeviceInfo& gpu) {
  const bool takes_turns = config().driver_tuning && gpu.kind == vk::DeviceKind::kCpu;
  return {takes_turns, gpu.subgroup_shuffle ? gpu.subgroup_size : 1};
}

bool finds_stuck(Watcher& watcher) {
  const LogDeferral deferral;  // ends behind the lock
  const std::lock_guard lock(Scheduler::instance().mutex());
  watcher.look_at_running();
  return watcher.stuck();
}

// Needs the registry's mutex.
std::shared_ptr<Device> open(std::int32_t id) {
  const std::size_t place = place_of(id);
  auto& board = registry().boards[place / devices_per_gpu()];
  if (!board) board = std::make_shared<const Board>(place / devices_per_gpu(), devices_per_gpu());
  log().info("Device {} is {} ({}).", id, board->gpu->info().name, board->gpu->info().driver);
  static const bool noted = (rest_before_exit(), note_forks(), true);
  static_cast<void>(noted);
  // Last: it has a thread, so that it must not be let go of again.
  return std::make_shared<Device>(static_cast<std::uint32_t>(id), board, place % devices_per_gpu());
}

}  // namespace

Device::Device(std::uint32_t device_id, std::shared_ptr<const Board> board, std::size_t slot)
    : id(device_id),
      execution(execution_on(board->gpu->info())),
      board_(std::move(board)),
      slot_(slot),
      watcher_(std::make_unique<Watcher>(*this)) {}

Device::~Device() = default;

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

// In slices: the watcher may have been stopped, and a task may be found to be stuck meanwhile.
bool Device::wait_for_work(std::chrono::milliseconds patience) const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kSlice{100};
  const std::uint64_t newest = memory().newest_submission();
  std::optional<Clock::time_point> deadline;
  for (gpu().collect(); !memory().completed(newest); gpu().collect()) {
    if (finds_stuck(watcher())) {
      if (!deadline) deadline = Clock::now() + patience;
      if (Clock::now() >= *deadline) return false;
    }
    std::vector<vk::TimelinePoint> ends;
    for (const vk::PendingSubmission& submission : gpu().oldest_pending()) ends.push_back(submission.end);
    gpu().wait_any(ends, kSlice);
  }
  return true;
}

std::size_t Device::next_queue() { return next_queue_++ % gpu().queue_count(); }

void Device::set_peer(const Device& neighbour, bool enabled) {
  const std::uint64_t bit = std::uint64_t{1} << neighbour.slot_;
  enabled ? peers_ |= bit : peers_ &= ~bit;
}

bool Device::has_peer(const Device& neighbour) const { return (peers_ >> neighbour.slot_ & 1U) != 0; }

bool Device::may_use(std::size_t slot, vk::Placement placement) const {
  return !needs_peer_access(placement) || (peers_ >> slot & 1U) != 0;
}

const vk::Memory* Device::usable_book(const void* pointer) const {
  for (std::size_t slot = 0; slot < board_->books.size(); ++slot) {
    if (slot == slot_) continue;
    const auto allocation = board_->books[slot]->describe(pointer);
    if (allocation && may_use(slot, allocation->placement)) return board_->books[slot].get();
  }
  return nullptr;
}

std::optional<vk::BufferRange> Device::find(const void* pointer, std::uint64_t bytes) const {
  if (auto range = memory().find(pointer, bytes)) return range;
  const vk::Memory* book = usable_book(pointer);
  return book ? book->find(pointer, bytes) : std::nullopt;
}

std::optional<vk::AllocationInfo> Device::describe(const void* pointer) const {
  if (auto allocation = memory().describe(pointer)) return allocation;
  const vk::Memory* book = usable_book(pointer);
  return book ? book->describe(pointer) : std::nullopt;
}

std::string Device::missing_access(const void* pointer) const {
  for (const auto& device : open_devices()) {
    const auto allocation = device.get() == this ? std::nullopt : device->memory().describe(pointer);
    if (!allocation || !needs_peer_access(allocation->placement)) continue;
    if (is_neighbour(*device) && has_peer(*device)) continue;
    return fmt::format(" It is memory of device {}, to which device {} has no peer access.", device->id, id);
  }
  return "";
}

// Addresses on one Vulkan device are unique.
bool Device::alive(const vk::BufferRange& range) const {
  return std::any_of(board_->books.begin(), board_->books.end(), [&](const auto& book) { return book->alive(range); });
}

std::uint64_t Device::releases() const {
  std::uint64_t releases = 0;
  for (const auto& book : board_->books) releases += book->releases();
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
  return static_cast<std::uint32_t>(visible.places.size());
}

void check_device_id(std::int32_t id) {
  check_settings();
  const std::size_t count = registry().visible.places.size();
  if (count == 0) {
    fail(Code::kInvalidDeviceId, "Device id {} is asked for; no device is visible. {} \"aclvk doctor\" tells more.", id,
         why_no_device());
  }
  check(id >= 0 && static_cast<std::size_t>(id) < count, Code::kInvalidDeviceId,
        "Device id {} is outside the visible devices 0..{}.", id, count - 1);
}

const vk::DeviceInfo& device_info(std::int32_t id) { return registry().infos[place_of(id)]; }

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

std::shared_ptr<Device> find_open_device(std::int32_t id) {
  check_device_id(id);
  std::lock_guard lock(registry().mutex);
  return registry().devices[static_cast<std::size_t>(id)];
}

std::vector<std::shared_ptr<Device>> open_devices() {
  std::lock_guard lock(registry().mutex);
  std::vector<std::shared_ptr<Device>> opened;
  for (const auto& device : registry().devices) {
    if (device) opened.push_back(device);
  }
  return opened;
}

void retire(const std::shared_ptr<Device>& device) {
  {
    std::lock_guard lock(registry().mutex);
    auto& opened = registry().devices[device->id];
    if (opened != device) return;  // another thread was faster
    registry().retired.push_back(std::move(opened));
    for (auto& board : registry().boards) {
      if (board == device->board_) board.reset();
    }
  }
  for (const vk::BufferRange& range : device->memory().allocations(vk::Placement::kDevice)) {
    device->memory().release(reinterpret_cast<void*>(static_cast<std::uintptr_t>(range.address())),
                             vk::Placement::kDevice);
  }
  device->gpu().collect();
}

std::vector<std::shared_ptr<Device>> retired_devices() {
  std::lock_guard lock(registry().mutex);
  return registry().retired;
}

void rest_before_exit() {
  pid_t nobody = 0;
  resting.compare_exchange_strong(nobody, getpid());
  std::atexit(quiesce_at_exit);
  on_exit(note_status, nullptr);  // runs before it
}

bool process_ends() { return at_rest; }

void check_process_has_devices() {
  check(!at_rest, Code::kContextRelease, "The process is ending; its devices are at rest for good.");
  const pid_t parent = forked_from.load(std::memory_order_relaxed);
  if (parent == 0) return;  // each call comes here, and getpid() is a system call
  fail(Code::kContextRelease,
       "Process {} was forked from process {}, which had opened a device; devices and streams stay there. Fork before "
       "the first use of a device, or start a new program (exec; in Python the start method \"spawn\").",
       getpid(), parent);
}

}  // namespace aclvk::runtime
