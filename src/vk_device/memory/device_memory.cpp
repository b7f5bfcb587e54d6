#include "vk_device/memory/device_memory.hpp"

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace aclvk::vk {
namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// Unique in the process: an allocation may get bytes that another DeviceMemory of the same device has freed.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> number{0};
  return ++number;
}

}  // namespace

DeviceMemory::DeviceMemory(std::shared_ptr<const BufferSource> buffers, std::shared_ptr<BufferPool> host_pool,
                           std::shared_ptr<InFlight> in_flight, std::shared_ptr<AddressSource> addresses,
                           std::uint64_t total_bytes)
    : buffers_(std::move(buffers)),
      device_pool_(buffers_, MemoryUse::kDevice),
      host_pool_(std::move(host_pool)),
      in_flight_(std::move(in_flight)),
      total_(total_bytes) {
  if (!addresses) return;
  address_space_ = std::make_unique<AddressSpace>(std::move(addresses), in_flight_, [this] { reclaim(); });
}

void* DeviceMemory::allocate(Placement placement, std::uint64_t bytes) {
  check(bytes > 0, Code::kParamInvalid, "The size is 0; an allocation has at least one byte.");
  check(placement != Placement::kRegistered, Code::kParamInvalid,
        "The placement is kRegistered, the program's own memory; import_host() takes that.");
  collect();  // reuses freed ranges before the pool creates a block
  if (placement == Placement::kDevice) charge(bytes, MemoryCategory::kAllocations);
  try {
    BufferRange range = allocate_range(placement, bytes);
    const std::uint64_t start = range.pointer();
    publish(start, {std::move(range), placement});
    return reinterpret_cast<void*>(start);
  } catch (...) {
    if (placement == Placement::kDevice) uncharge(bytes, MemoryCategory::kAllocations);
    throw;
  }
}

// Charges the bytes before it calls the driver: drivers overcommit memory, and then the system kills the process.
void DeviceMemory::charge(std::uint64_t bytes, MemoryCategory category) {
  std::uint64_t used = used_;
  do {
    check(bytes <= total_ && used <= total_ - bytes, Code::kMemoryAllocation,
          "{} bytes are asked for; {} of the {} bytes of {} are in use.", bytes, used, total_, buffers_->device_name());
  } while (!used_.compare_exchange_weak(used, used + bytes));
  Count& counted = counts_[static_cast<std::size_t>(category)];
  const std::uint64_t now = counted.current += bytes;
  std::uint64_t peak = counted.peak;  // an atomic maximum: the loop ends when another thread has stored a larger one
  while (peak < now && !counted.peak.compare_exchange_weak(peak, now)) {
  }
}

void DeviceMemory::uncharge(std::uint64_t bytes, MemoryCategory category) {
  used_ -= bytes;
  counts_[static_cast<std::size_t>(category)].current -= bytes;
}

MemoryUsage DeviceMemory::usage(MemoryCategory category) const {
  const Count& counted = counts_[static_cast<std::size_t>(category)];
  return {counted.current, counted.peak};
}

BufferRange DeviceMemory::allocate_chunk(std::uint64_t bytes) {
  collect();
  std::list<Freed> retirement(1);  // the node with which release_chunk() frees, so that it allocates nothing
  charge(bytes, MemoryCategory::kPools);
  try {
    const BufferRange range = allocate_range(Placement::kDevice, bytes);
    const LockGuard lock(freed_mutex_);
    retirements_.splice(retirements_.end(), retirement);
    return range;
  } catch (...) {
    uncharge(bytes, MemoryCategory::kPools);
    throw;
  }
}

void DeviceMemory::release_chunk(const BufferRange& range) {
  LiveAllocation removed{{range, Placement::kDevice}, {}};
  {
    const LockGuard lock(freed_mutex_);
    removed.retirement.splice(removed.retirement.end(), retirements_, retirements_.begin());
  }
  uncharge(range.size, MemoryCategory::kPools);
  retire(std::move(removed));
}

void* DeviceMemory::publish(const BufferRange& slice) {
  const std::uint64_t start = slice.pointer();
  publish(start, {slice, Placement::kPooled});
  return reinterpret_cast<void*>(start);
}

std::uint64_t DeviceMemory::newest_submission() const { return in_flight_->newest(); }

bool DeviceMemory::completed(std::uint64_t submission) const { return in_flight_->completed(submission); }

BufferRange DeviceMemory::allocate_range(Placement placement, std::uint64_t bytes) {
  try {
    return pool(placement).allocate(bytes);
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    {
      const LockGuard lock(freed_mutex_);
      if (freed_.empty()) throw;  // waiting for the device would free nothing
    }
  }
  reclaim();
  return pool(placement).allocate(bytes);
}

// Called when the driver is out of memory while freed ranges wait for the GPU. Waiting is better than failing.
void DeviceMemory::reclaim() {
  in_flight_->wait(in_flight_->newest());
  collect();
}

// Device addresses and host pointers share one map: no known driver uses the same number for both.
void DeviceMemory::publish(std::uint64_t start, Allocation allocation) {
  const LockGuard lock(map_mutex_);
  allocation.range.allocation = next_number();
  const std::uint64_t size = allocation.range.size;
  bool inserted = false;
  try {
    const std::size_t nodes = allocation.placement == Placement::kPooled ? 0 : 1;
    inserted = map_.insert(start, size, {allocation, std::list<Freed>(nodes)});
  } catch (...) {  // no memory for the entry
    recycle(allocation);
    throw;
  }
  if (inserted) return;
  recycle(allocation);
  fail(Code::kMemoryAllocation, "the new allocation at {:#x} ({} bytes) overlaps a live one.", start, size);
}

bool DeviceMemory::imports_host() const { return buffers_->host_import_alignment() > 0; }

void DeviceMemory::import_host(void* host, std::uint64_t bytes) {
  check(host && bytes > 0, Code::kParamInvalid, "{} bytes at {} cannot be registered.", bytes, host);
  const std::uint64_t page = buffers_->host_import_alignment();
  check(page > 0, Code::kFeatureNotSupported, "{} cannot import host memory (VK_EXT_external_memory_host).",
        buffers_->device_name());
  {
    const SharedLock lock(map_mutex_);
    check(!map_.overlaps(address_of(host), bytes), Code::kHostMemoryRegistered,
          "the {} bytes at {} overlap registered memory.", bytes, host);
  }
  // Vulkan imports whole pages; the allocation is the program's range inside them.
  const std::uint64_t first = address_of(host) / page * page;
  const std::uint64_t end = (address_of(host) + bytes + page - 1) / page * page;
  auto buffer = buffers_->import_host(reinterpret_cast<void*>(first), end - first);
  publish(address_of(host), {{std::move(buffer), address_of(host) - first, bytes}, Placement::kRegistered});
}

File DeviceMemory::export_range(const BufferRange& range, SharedRange& out) const {
  File file = range.buffer->export_memory(out);
  out.offset = range.offset;
  out.bytes = range.size;
  return file;
}

void* DeviceMemory::import_range(File file, const SharedRange& shared) {
  const bool inside =
      shared.bytes > 0 && shared.offset <= shared.buffer_bytes && shared.bytes <= shared.buffer_bytes - shared.offset;
  check(inside, Code::kParamInvalid, "{} bytes at {} are not inside a buffer of {} bytes.", shared.bytes, shared.offset,
        shared.buffer_bytes);
  check(buffers_->shares_memory(), Code::kFeatureNotSupported,
        "{} cannot take memory of another process (VK_KHR_external_memory_fd).", buffers_->device_name());
  const BufferRange range{buffers_->import_file(std::move(file), shared), shared.offset, shared.bytes};
  const std::uint64_t start = range.pointer();
  publish(start, {range, Placement::kShared});
  return reinterpret_cast<void*>(start);
}

AddressSpace& DeviceMemory::address_space() {
  check(address_space_ != nullptr, Code::kFeatureNotSupported,
        "Addresses cannot be reserved on {}: that takes device addresses that are the host's, as drivers on the CPU "
        "have them, or sparse buffers (sparseBinding, sparseResidencyBuffer and a queue for them); "
        "ACLVK_RESERVED_ADDRESSES is {}.",
        buffers_->device_name(), config().reserved_addresses);
  return *address_space_;
}

/// Memory to map, with its share of the budget.
struct DeviceMemory::CountedBacking {
  CountedBacking(DeviceMemory& its_memory, std::uint64_t its_bytes) : memory(its_memory), bytes(its_bytes) {
    memory.charge(bytes, MemoryCategory::kPhysical);
  }
  ~CountedBacking() {
    backing.reset();
    memory.uncharge(bytes, MemoryCategory::kPhysical);
  }
  CountedBacking(const CountedBacking&) = delete;
  CountedBacking& operator=(const CountedBacking&) = delete;

  DeviceMemory& memory;
  const std::uint64_t bytes;
  std::shared_ptr<const Backing> backing;
};

std::shared_ptr<const Backing> DeviceMemory::allocate_backing(std::uint64_t bytes) {
  AddressSpace& space = address_space();  // throws where memory cannot be mapped
  const auto counted = std::make_shared<CountedBacking>(*this, bytes);
  counted->backing = space.allocate(bytes);
  // An aliasing pointer: the last owner of the Backing returns its bytes to the budget.
  return {counted, counted->backing.get()};
}

/// An ended allocation whose bytes are still in use. The destructor queues them for reuse.
class DeviceMemory::DeferredRelease {
 public:
  explicit DeferredRelease(DeviceMemory& memory) : memory_(memory) {}
  ~DeferredRelease() {
    if (!removed) return;
    memory_.retire(*std::move(removed));
    memory_.try_collect();
  }
  DeferredRelease(const DeferredRelease&) = delete;
  DeferredRelease& operator=(const DeferredRelease&) = delete;

  std::optional<LiveAllocation> removed;

 private:
  DeviceMemory& memory_;
};

std::optional<DeviceMemory::LiveAllocation> DeviceMemory::remove_allocation(const void* pointer,
                                                                            Placement placement) noexcept {
  const LockGuard lock(map_mutex_);
  const auto* entry = map_.find(address_of(pointer));
  if (!entry || entry->start != address_of(pointer) || entry->value.allocation.placement != placement)
    return std::nullopt;
  std::optional<LiveAllocation> removed = map_.remove(address_of(pointer));
  ++releases_;
  if (placement == Placement::kDevice) uncharge(removed->allocation.range.size, MemoryCategory::kAllocations);
  return removed;
}

bool DeviceMemory::release(void* pointer, Placement placement) noexcept {
  std::optional<LiveAllocation> removed = remove_allocation(pointer, placement);
  if (!removed) return false;
  if (placement == Placement::kPooled) return true;  // the bytes stay in the chunk of the pool
  retire(*std::move(removed));
  try_collect();
  return true;
}

bool DeviceMemory::release_deferred(void* pointer, Placement placement, const Retain& retain) {
  const auto allocation = find(pointer, 1);
  if (!allocation) return false;
  const auto deferred = std::make_shared<DeferredRelease>(*this);
  retain(*allocation, deferred);
  deferred->removed = remove_allocation(pointer, placement);
  return deferred->removed.has_value();
}

// A free succeeds even when the driver cannot report which submissions have completed (VK_ERROR_OUT_OF_HOST_MEMORY).
void DeviceMemory::try_collect() noexcept {
  try {
    collect();
  } catch (const std::exception& error) {
    log().warn("Freed memory of {} waits for the next look: {}", buffers_->device_name(), error.what());
  }
}

void DeviceMemory::retire(LiveAllocation removed) noexcept {
  removed.retirement.front().allocation = std::move(removed.allocation);
  const LockGuard lock(freed_mutex_);
  removed.retirement.front().submission = in_flight_->newest();
  freed_.splice(freed_.end(), removed.retirement);
}

void DeviceMemory::collect() {
  in_flight_->sweep();  // without a lock: it destroys command buffers, which may free memory
  std::list<Freed> reusable;
  {
    const LockGuard lock(freed_mutex_);
    while (!freed_.empty() && in_flight_->completed(freed_.front().submission)) {
      reusable.splice(reusable.end(), freed_, freed_.begin());
    }
  }
  for (const Freed& freed : reusable) recycle(freed.allocation);
}

void DeviceMemory::recycle(const Allocation& allocation) noexcept {
  const bool own = allocation.placement == Placement::kDevice || allocation.placement == Placement::kPinnedHost;
  if (own) pool(allocation.placement).release(allocation.range);
}

// Mapped memory is looked up last, so that it does not slow down ordinary allocations (docs/adr/0016).
std::optional<BufferRange> DeviceMemory::find(const void* pointer, std::uint64_t bytes) const {
  {
    const SharedLock lock(map_mutex_);
    if (const auto* entry = map_.find(address_of(pointer))) {
      const std::uint64_t offset = address_of(pointer) - entry->start;
      if (bytes > entry->size - offset) return std::nullopt;
      return entry->value.allocation.range.slice(offset, bytes);
    }
  }
  return address_space_ ? address_space_->find(pointer, bytes) : std::nullopt;
}

std::vector<BufferRange> DeviceMemory::allocations(Placement placement) const {
  std::vector<BufferRange> ranges;
  {
    const SharedLock lock(map_mutex_);
    map_.for_each([&](const AddressMap<LiveAllocation>::Entry& entry) {
      const Allocation& allocation = entry.value.allocation;
      if (allocation.placement == placement) ranges.push_back(allocation.range);
    });
  }
  if (!address_space_) return ranges;
  const std::vector<BufferRange> mapped = address_space_->mapped(placement);
  ranges.insert(ranges.end(), mapped.begin(), mapped.end());
  return ranges;
}

bool DeviceMemory::alive(const BufferRange& range) const {
  if (range.allocation == 0) return true;
  {
    const SharedLock lock(map_mutex_);
    if (const auto* entry = map_.find(range.pointer()))
      return entry->value.allocation.range.allocation == range.allocation;
  }
  return address_space_ && address_space_->alive(range);
}

std::optional<AllocationInfo> DeviceMemory::describe(const void* pointer) const {
  {
    const SharedLock lock(map_mutex_);
    if (const auto* entry = map_.find(address_of(pointer))) {
      return AllocationInfo{entry->start, entry->size, entry->value.allocation.placement};
    }
  }
  return address_space_ ? address_space_->describe(pointer) : std::nullopt;
}

}  // namespace aclvk::vk
