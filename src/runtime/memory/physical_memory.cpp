#include "runtime/memory/physical_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.hpp"
#include "vk_device/address_space.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::uint64_t kPage = 4096;

// aclrtMemLocationType
constexpr int kHost = 0;
constexpr int kDevice = 1;
constexpr int kHostNuma = 4;

// aclrtMemAttr
constexpr int kLastAttribute = 17;
constexpr int kDdr[] = {0, 2, 3, 6, 7};
constexpr int kSmallPages[] = {3, 5, 7, 9, 12, 15};

template <std::size_t kSize>
bool is_one_of(int value, const int (&values)[kSize]) {
  return std::find(std::begin(values), std::end(values), value) != std::end(values);
}

std::mutex& physical_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

// Of each device, by its number. Leaked, as the handles: memory may go with the statics of the program.
struct Budget {
  std::mutex mutex;
  std::map<std::uint32_t, std::uint64_t> used;
};

Budget& budget() {
  static auto* budget = new Budget;
  return *budget;
}

void check_room(const Device& device, std::uint64_t bytes) {
  const std::uint64_t total = device.memory().total_bytes();
  const std::uint64_t used = device.memory().used_bytes() + physical_bytes(device.id);
  check(bytes <= total && used <= total - bytes, Code::kMemoryAllocation,
        "{} bytes of physical memory are asked for; {} of the {} bytes of device {} are in use.", bytes, used, total,
        device.id);
}

// Needs the lock.
void* insert(const PhysicalPtr& memory) {
  memory->uses = 1;
  return memory->handle = physical_handles().insert(memory);
}

ShareNote note_of(const PhysicalMemory& memory) {
  const PhysicalProperties& of = memory.properties;
  return {memory.pages->bytes(), static_cast<std::uint64_t>(of.attribute), of.location.id,
          static_cast<std::uint64_t>(of.location.type)};
}

}  // namespace

bool MemoryLocation::on_device() const { return type == kDevice; }

PhysicalMemory::PhysicalMemory(PhysicalProperties its_properties, std::shared_ptr<const vk::Pages> its_pages,
                               bool is_opened)
    : properties(its_properties), pages(std::move(its_pages)), opened(is_opened) {
  if (opened || !properties.location.on_device()) return;
  const std::lock_guard lock(budget().mutex);
  budget().used[properties.location.id] += pages->bytes();
}

PhysicalMemory::~PhysicalMemory() {
  if (exported) withdraw(*exported);
  if (opened || !properties.location.on_device()) return;
  const std::lock_guard lock(budget().mutex);
  budget().used[properties.location.id] -= pages->bytes();
}

PhysicalHandles& physical_handles() {
  static auto* handles = new PhysicalHandles;
  return *handles;
}

std::uint64_t physical_bytes(std::uint32_t device) {
  const std::lock_guard lock(budget().mutex);
  const auto used = budget().used.find(device);
  return used == budget().used.end() ? 0 : used->second;
}

void check_properties(const PhysicalProperties& properties) {
  const MemoryLocation& location = properties.location;
  check(properties.handle_type == 0, Code::kInvalidParam, "prop.handleType is {}; NONE (0) is expected.",
        properties.handle_type);
  check(properties.allocation_type == 0, Code::kInvalidParam, "prop.allocationType is {}; PINNED (0) is expected.",
        properties.allocation_type);
  check(location.type == kHost || location.on_device() || location.type == kHostNuma, Code::kInvalidParam,
        "prop.location.type is {}; HOST (0), DEVICE (1) or HOST_NUMA (4) is expected.", location.type);
  check(properties.attribute >= 0 && properties.attribute <= kLastAttribute, Code::kInvalidParam,
        "prop.memAttr is {}; 0 to {} is expected.", properties.attribute, kLastAttribute);
  check(!location.on_device() || !is_one_of(properties.attribute, kDdr), Code::kInvalidParam,
        "prop.memAttr {} is DDR memory, which the device of prop.location does not have.", properties.attribute);
  if (location.on_device()) check_device_id(static_cast<std::int32_t>(location.id));
}

std::uint64_t granularity_of(const PhysicalProperties& properties) {
  return is_one_of(properties.attribute, kSmallPages) ? kPage : kHugePage;
}

void* allocate_physical(std::uint64_t bytes, const PhysicalProperties& properties) {
  check_properties(properties);
  const std::uint64_t unit = granularity_of(properties);
  check(bytes % unit == 0, Code::kParamInvalid,
        "size {} is not a multiple of {}, the granularity of memory with attribute {}.", bytes, unit,
        properties.attribute);
  if (properties.location.on_device()) {
    const auto owner = device(static_cast<std::int32_t>(properties.location.id));
    owner->memory().address_space();  // or there is no place for it
    check_room(*owner, bytes);
  }
  const auto memory = std::make_shared<PhysicalMemory>(properties, std::make_shared<vk::Pages>(bytes), false);
  const std::lock_guard lock(physical_mutex());
  return insert(memory);
}

void free_physical(void* handle) {
  PhysicalPtr ended;  // goes when the lock is gone
  const std::lock_guard lock(physical_mutex());
  const PhysicalPtr memory = physical_handles().find(handle);
  check(memory != nullptr, Code::kInvalidHandle, "handle ({}) is not live physical memory.", handle);
  if (--memory->uses > 0) return;
  memory->handle = nullptr;
  ended = physical_handles().remove(handle);
}

void* retain_physical(const PhysicalPtr& memory) {
  const std::lock_guard lock(physical_mutex());
  if (!memory->handle) return insert(memory);
  ++memory->uses;
  return memory->handle;
}

std::uint64_t export_physical(PhysicalMemory& memory, bool to_all) {
  check(!memory.opened, Code::kParamInvalid,
        "The memory belongs to another process, which alone can make a shareable handle.");
  const std::lock_guard lock(physical_mutex());
  check(!memory.exported, Code::kParamInvalid, "The memory has a shareable handle already, {:#x}; it gets only one.",
        memory.exported ? memory.exported->number : 0);
  Offer made;
  made.kind = SharedKind::kPhysicalMemory;
  made.file = File(dup(memory.pages->file().number()));
  check(made.file.open(), Code::kResourceAllocation, "The process may not open more files.");
  made.note = note_of(memory);
  made.to_all = to_all;
  made.plain_number = true;
  memory.exported = offer(std::move(made));
  return memory.exported->number;
}

void* open_physical(std::uint64_t number, std::int32_t device_id) {
  const auto owner = device(device_id);
  owner->memory().address_space();
  Taken taken = take(SharedKind::kPhysicalMemory, {number, {}});
  PhysicalProperties properties;
  properties.attribute = static_cast<int>(taken.note[1]);
  properties.location = {static_cast<std::uint32_t>(taken.note[2]), static_cast<int>(taken.note[3])};
  if (properties.location.on_device()) properties.location.id = owner->id;
  auto pages = std::make_shared<vk::Pages>(std::move(taken.file), taken.note[0]);
  const auto memory = std::make_shared<PhysicalMemory>(properties, std::move(pages), true);
  const std::lock_guard lock(physical_mutex());
  return insert(memory);
}

void allow_physical(std::uint64_t number, const std::vector<pid_t>& processes) {
  allow(SharedKind::kPhysicalMemory, {number, {}}, processes);
}

}  // namespace aclvk::runtime
