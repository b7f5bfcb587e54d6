#include "runtime/memory/physical_memory.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/host_page.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/share/device_uuid.hpp"
#include "vk_device/memory/address_space.hpp"
#include "vk_device/memory/host_pages.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::uint64_t kSmallPage = 4096;

// aclrtMemLocationType
constexpr int kHost = 0;
constexpr int kDevice = 1;
constexpr int kHostNuma = 4;

// aclrtMemAttr
constexpr int kLastAttribute = 17;
constexpr int kDdr[] = {0, 2, 3, 6, 7};
// The kinds of memory with NORMAL pages; the others have huge ones.
constexpr int kSmallPages[] = {3, 5, 7, 9, 12, 15};

template <std::size_t kSize>
bool is_one_of(int value, const int (&values)[kSize]) {
  return std::find(std::begin(values), std::end(values), value) != std::end(values);
}

void* insert(const PhysicalPtr& memory) REQUIRES(physical_mutex()) {
  memory->uses = 1;
  return memory->handle = physical_handles().insert(memory);
}

// Offsets into the metadata of an offer.
constexpr std::size_t kBackingWords = 0;
constexpr std::size_t kPropertyWords = 3;
constexpr std::size_t kDeviceWords = 6;

ShareMetadata metadata_of(const PhysicalProperties& of, const vk::SharedBacking& backing) {
  ShareMetadata metadata{
      static_cast<std::uint64_t>(backing.kind), backing.bytes,  backing.memory_type,
      static_cast<std::uint64_t>(of.attribute), of.location.id, static_cast<std::uint64_t>(of.location.type)};
  if (of.location.on_device())
    write_device_uuid(metadata, kDeviceWords, *device(static_cast<std::int32_t>(of.location.id)));
  return metadata;
}

vk::SharedBacking backing_in(const ShareMetadata& metadata) {
  const std::uint64_t* words = &metadata[kBackingWords];
  return {static_cast<vk::SharedBacking::Kind>(words[0]), words[1], words[2]};
}

PhysicalProperties properties_in(const ShareMetadata& metadata, const Device& owner) {
  const std::uint64_t* words = &metadata[kPropertyWords];
  PhysicalProperties properties;
  properties.attribute = static_cast<int>(words[0]);
  properties.location = {static_cast<std::uint32_t>(words[1]), static_cast<int>(words[2])};
  if (properties.location.on_device()) properties.location.id = owner.id;
  return properties;
}

// Host memory needs an address that host and device share. On devices whose reservations are sparse buffers the host
// cannot access the reserved addresses.
void check_host_sees(const Device& device) {
  check(device.memory().address_space().host_accessible(), Code::kFeatureNotSupported,
        "Physical memory of the host cannot be mapped on device {}: its reserved addresses are those of a sparse "
        "buffer, at which the host sees nothing. aclrtMallocHost gives host memory that the device reads.",
        device.id);
}

std::shared_ptr<const vk::Backing> create_backing(std::uint64_t bytes, const MemoryLocation& location) {
  if (location.on_device()) return device(static_cast<std::int32_t>(location.id))->memory().allocate_backing(bytes);
  if (const ContextPtr context = find_current_context()) check_host_sees(context->device());
  return std::make_shared<vk::HostPages>(bytes);
}

}  // namespace

bool MemoryLocation::on_device() const { return type == kDevice; }

PhysicalMemory::PhysicalMemory(PhysicalProperties its_properties, std::shared_ptr<const vk::Backing> its_backing,
                               bool is_opened)
    : properties(its_properties), backing(std::move(its_backing)), opened(is_opened) {}

PhysicalMemory::~PhysicalMemory() {
  if (exported) withdraw(*exported);
}

Mutex& physical_mutex() { return ProcessState<Mutex, StateId::kPhysicalMutex>::get(); }

PhysicalHandles& physical_handles() { return ProcessState<PhysicalHandles, StateId::kPhysicalHandles>::get(); }

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
  const std::uint64_t unit = is_one_of(properties.attribute, kSmallPages) ? kSmallPage : kHugePage;
  if (!properties.location.on_device()) return std::max(unit, host_page_bytes());
  return std::max(unit, device(static_cast<std::int32_t>(properties.location.id))->memory().address_space().page());
}

void* allocate_physical(std::uint64_t bytes, const PhysicalProperties& properties) {
  check_properties(properties);
  const std::uint64_t unit = granularity_of(properties);
  check(bytes % unit == 0, Code::kParamInvalid,
        "size {} is not a multiple of {}, the granularity of memory with attribute {}.", bytes, unit,
        properties.attribute);
  const auto memory = std::make_shared<PhysicalMemory>(properties, create_backing(bytes, properties.location), false);
  const LockGuard lock(physical_mutex());
  return insert(memory);
}

void free_physical(void* handle) {
  PhysicalPtr ended;  // destroyed after the lock is released
  const LockGuard lock(physical_mutex());
  const PhysicalPtr memory = physical_handles().find(handle);
  check(memory != nullptr, Code::kInvalidHandle, "handle ({}) is not live physical memory.", handle);
  if (--memory->uses > 0) return;
  memory->handle = nullptr;
  ended = physical_handles().remove(handle);
}

void* retain_physical(const PhysicalPtr& memory) {
  const LockGuard lock(physical_mutex());
  if (!memory->handle) return insert(memory);
  ++memory->uses;
  return memory->handle;
}

std::uint64_t export_physical(PhysicalMemory& memory, bool to_all) {
  check(!memory.opened, Code::kParamInvalid,
        "The memory belongs to another process, which alone can make a shareable handle.");
  const LockGuard lock(physical_mutex());
  check(!memory.exported, Code::kParamInvalid, "The memory has a shareable handle already, {:#x}; it gets only one.",
        memory.exported ? memory.exported->number : 0);
  Offer made;
  made.kind = SharedKind::kPhysicalMemory;
  vk::SharedBacking shared;
  made.file = memory.backing->export_file(shared);
  made.metadata = metadata_of(memory.properties, shared);
  made.to_all = to_all;
  made.plain_number = true;
  memory.exported = offer(std::move(made));
  return memory.exported->number;
}

void* open_physical(std::uint64_t number, std::int32_t device_id) {
  const auto owner = device(device_id);
  vk::AddressSpace& space = owner->memory().address_space();
  Taken taken = take(SharedKind::kPhysicalMemory, {number, {}});
  const PhysicalProperties properties = properties_in(taken.metadata, *owner);
  const vk::SharedBacking shared = backing_in(taken.metadata);
  if (!properties.location.on_device()) check_host_sees(*owner);
  if (shared.kind == vk::SharedBacking::Kind::kDevicePages) check_device_uuid(taken.metadata, kDeviceWords, *owner);
  const auto memory =
      std::make_shared<PhysicalMemory>(properties, space.import_file(std::move(taken.file), shared), true);
  const LockGuard lock(physical_mutex());
  return insert(memory);
}

void allow_physical(std::uint64_t number, const std::vector<pid_t>& processes) {
  allow(SharedKind::kPhysicalMemory, {number, {}}, processes);
}

}  // namespace aclvk::runtime
