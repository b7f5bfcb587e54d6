#include "runtime/memory/shared_memory.hpp"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_regions.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/share/device_uuid.hpp"

namespace aclvk::runtime {
namespace {

struct Opened {
  std::shared_ptr<Device> device;
  void* pointer = nullptr;
  std::size_t times = 0;
};

struct Keys {
  Mutex mutex;
  std::set<std::string> exported GUARDED_BY(mutex);
  std::map<std::string, Opened> opened GUARDED_BY(mutex);
};

// Not destroyed at exit: programs close keys from destructors of their statics.
Keys& keys() { return ProcessState<Keys, StateId::kSharedMemoryKeys>::get(); }

constexpr std::size_t kDeviceWords = 5;  // offset of the UUID in the metadata

ShareMetadata metadata_of(const vk::SharedRange& range, const Device& device) {
  ShareMetadata metadata{range.memory_bytes, range.buffer_bytes, range.memory_type, range.offset, range.bytes};
  write_device_uuid(metadata, kDeviceWords, device);
  return metadata;
}

vk::SharedRange range_in(const ShareMetadata& metadata, const Device& device) {
  check_device_uuid(metadata, kDeviceWords, device);
  return {metadata[0], metadata[1], metadata[2], metadata[3], metadata[4]};
}

[[noreturn]] void refuse_export(const void* pointer, const std::optional<FoundAllocation>& found) {
  if (found && found->allocation.placement == vk::Placement::kMapped) {
    fail(Code::kParamInvalid, "{} is physical memory at a reserved address; use aclrtMemExportToShareableHandle.",
         pointer);
  }
  if (found && found->allocation.placement == vk::Placement::kShared) {
    fail(Code::kParamInvalid, "{} belongs to another process, which alone can export it.", pointer);
  }
  fail(Code::kParamInvalid, "{} is {}; only memory of aclrtMalloc can be exported.", pointer,
       name_of(locate(pointer).kind));
}

}  // namespace

std::string export_memory(void* pointer, std::uint64_t bytes, bool to_all) {
  check_has_context();
  const auto found = find_allocation(pointer);
  if (!found || found->allocation.placement != vk::Placement::kDevice) refuse_export(pointer, found);
  const std::shared_ptr<Device> device = found->device;
  const auto range = device->memory().find(pointer, bytes);
  check(range.has_value(), Code::kParamInvalid, "{} bytes at {} end outside their allocation of {} bytes at {:#x}.",
        bytes, pointer, found->allocation.size, found->allocation.start);
  vk::SharedRange shared;
  Offer made;
  made.file = device->memory().export_range(*range, shared);
  made.metadata = metadata_of(shared, *device);
  made.to_all = to_all;
  // Locks the buffer for the check only, so that the offer does not keep freed memory.
  vk::BufferRange unowned = *range;
  unowned.buffer = nullptr;
  made.valid = [device, range = std::move(unowned), buffer = std::weak_ptr(range->buffer)]() mutable {
    range.buffer = buffer.lock();
    const bool alive = range.buffer && device->memory().alive(range);
    range.buffer = nullptr;
    return alive;
  };
  std::string key = offer(std::move(made)).text();
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  all.exported.insert(key);
  return key;
}

// Holds the lock during the import, so that two threads do not import one key twice.
void* open_memory(const std::string& key) {
  const ContextPtr context = current_context();
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  const auto known = all.opened.find(key);
  if (known != all.opened.end()) {
    ++known->second.times;
    return known->second.pointer;
  }
  Taken taken = take(SharedKind::kMemory, ShareKey::parse(key.c_str()));
  const vk::SharedRange shared = range_in(taken.metadata, context->device());
  vk::Memory& memory = context->device().memory();
  void* pointer = memory.import_range(std::move(taken.file), shared);
  if (const auto range = memory.find(pointer, shared.bytes)) {
    DeviceRegions::instance().add(pointer, shared.bytes, range->buffer);
  }
  all.opened[key] = {context->shared_device(), pointer, 1};
  return pointer;
}

void close_memory(const std::string& key) {
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  if (all.exported.erase(key) != 0) {
    withdraw(ShareKey::parse(key.c_str()));
    return;
  }
  const auto opened = all.opened.find(key);
  check(opened != all.opened.end(), Code::kParamInvalid, "This process has neither exported nor opened the key.");
  if (--opened->second.times > 0) return;
  opened->second.device->memory().release(opened->second.pointer, vk::Placement::kShared);
  all.opened.erase(opened);
}

void allow_memory(const std::string& key, const std::vector<pid_t>& processes) {
  allow(SharedKind::kMemory, ShareKey::parse(key.c_str()), processes);
}

void check_memory_key(const std::string& key) {
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  check(all.exported.count(key) != 0 || all.opened.count(key) != 0, Code::kParamInvalid,
        "This process has neither exported nor opened the key.");
}

}  // namespace aclvk::runtime
