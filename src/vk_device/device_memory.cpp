#include "vk_device/device_memory.hpp"

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace aclvk::vk {
namespace {

std::uint64_t bits(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// For all books: one may get bytes that another one had.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> number{0};
  return ++number;
}

}  // namespace

DeviceMemory::DeviceMemory(std::shared_ptr<const Gpu> gpu, std::shared_ptr<BufferPool> host_pool,
                           std::shared_ptr<InFlight> in_flight, std::shared_ptr<AddressSource> addresses,
                           std::uint64_t total_bytes)
    : gpu_(std::move(gpu)),
      device_pool_(gpu_, MemoryUse::kDevice),
      host_pool_(std::move(host_pool)),
      in_flight_(std::move(in_flight)),
      total_(total_bytes) {
  if (!addresses) return;
  address_space_ = std::make_unique<AddressSpace>(std::move(addresses), in_flight_, [this] { reclaim(); });
}

void* DeviceMemory::allocate(Placement placement, std::uint64_t bytes) {
  check(bytes > 0, Code::kParamInvalid, "0 bytes can not be allocated.");
  check(placement != Placement::kRegistered, Code::kParamInvalid, "registered memory is the program's own.");
  collect();
  if (placement == Placement::kDevice) count(bytes, MemoryPart::kAllocations);
  try {
    BufferRange range = allocate_range(placement, bytes);
    const std::uint64_t start = range.pointer();
    publish(start, {std::move(range), placement});
    return reinterpret_cast<void*>(start);
  } catch (...) {
    if (placement == Placement::kDevice) discount(bytes, MemoryPart::kAllocations);
    throw;
  }
}

// Counts the bytes before the driver is asked: drivers overcommit, and then the system kills the process.
void DeviceMemory::count(std::uint64_t bytes, MemoryPart part) {
  std::uint64_t used = used_;
  do {
    check(bytes <= total_ && used <= total_ - bytes, Code::kMemoryAllocation,
          "{} bytes are asked for; {} of the {} bytes of {} are in use.", bytes, used, total_, gpu_->info().name);
  } while (!used_.compare_exchange_weak(used, used + bytes));
  Count& counted = counts_[static_cast<std::size_t>(part)];
  const std::uint64_t now = counted.current += bytes;
  std::uint64_t peak = counted.peak;
  while (peak < now && !counted.peak.compare_exchange_weak(peak, now)) {
  }
}

void DeviceMemory::discount(std::uint64_t bytes, MemoryPart part) {
  used_ -= bytes;
  counts_[static_cast<std::size_t>(part)].current -= bytes;
}

MemoryUsage DeviceMemory::usage(MemoryPart part) const {
  const Count& counted = counts_[static_cast<std::size_t>(part)];
  return {counted.current, counted.peak};
}

BufferRange DeviceMemory::reserve(std::uint64_t bytes) {
  collect();
  std::list<Freed> retirement(1);
  count(bytes, MemoryPart::kPools);
  try {
    const BufferRange range = allocate_range(Placement::kDevice, bytes);
    std::lock_guard lock(freed_mutex_);
    retirements_.splice(retirements_.end(), retirement);
    return range;
  } catch (...) {
    discount(bytes, MemoryPart::kPools);
    throw;
  }
}

void DeviceMemory::unreserve(const BufferRange& range) {
  Live ended{{range, Placement::kDevice}, {}};
  {
    std::lock_guard lock(freed_mutex_);
    ended.retirement.splice(ended.retirement.end(), retirements_, retirements_.begin());
  }
  discount(range.size, MemoryPart::kPools);
  retire(std::move(ended));
}

void* DeviceMemory::publish(const BufferRange& part) {
  const std::uint64_t start = part.pointer();
  publish(start, {part, Placement::kPooled});
  return reinterpret_cast<void*>(start);
}

std::uint64_t DeviceMemory::submissions() const { return in_flight_->newest(); }

bool DeviceMemory::settled(std::uint64_t submission) const { return in_flight_->completed(submission); }

BufferRange DeviceMemory::allocate_range(Placement placement, std::uint64_t bytes) {
  try {
    return pool(placement).allocate(bytes);
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    {
      std::lock_guard lock(freed_mutex_);
      if (freed_.empty()) throw;
    }
  }
  reclaim();
  return pool(placement).allocate(bytes);
}

// The driver is out of memory while freed ranges wait for the GPU: worth a wait, since the alternative is to fail.
void DeviceMemory::reclaim() {
  in_flight_->wait(in_flight_->newest());
  collect();
}

// Device addresses and host pointers share the map; no driver known gives out a number that is both.
void DeviceMemory::publish(std::uint64_t start, Allocation allocation) {
  std::unique_lock lock(map_mutex_);
  allocation.range.allocation = next_number();
  const std::uint64_t size = allocation.range.size;
  bool inserted = false;
  try {
    const std::size_t places = allocation.placement == Placement::kPooled ? 0 : 1;
    inserted = map_.insert(start, size, {allocation, std::list<Freed>(places)});
  } catch (...) {  // no memory for the entry
    recycle(allocation);
    throw;
  }
  if (inserted) return;
  recycle(allocation);
  fail(Code::kMemoryAllocation, "the new allocation at {:#x} ({} bytes) overlaps a live one.", start, size);
}

bool DeviceMemory::imports_host() const { return gpu_->limits().host_import_alignment > 0; }

void DeviceMemory::import_host(void* host, std::uint64_t bytes) {
  check(host && bytes > 0, Code::kParamInvalid, "{} bytes at {} can not be registered.", bytes, host);
  const std::uint64_t page = gpu_->limits().host_import_alignment;
  check(page > 0, Code::kFeatureNotSupported, "{} can not import host memory (VK_EXT_external_memory_host).",
        gpu_->info().name);
  {
    std::shared_lock lock(map_mutex_);
    check(!map_.overlaps(bits(host), bytes), Code::kHostMemoryRegistered,
          "the {} bytes at {} overlap registered memory.", bytes, host);
  }
  const std::uint64_t first = bits(host) / page * page;
  const std::uint64_t end = (bits(host) + bytes + page - 1) / page * page;
  auto buffer = std::make_shared<Buffer>(gpu_, reinterpret_cast<void*>(first), end - first);
  publish(bits(host), {{std::move(buffer), bits(host) - first, bytes}, Placement::kRegistered});
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
  check(gpu_->limits().exports_buffers, Code::kFeatureNotSupported,
        "{} cannot take memory of another process (VK_KHR_external_memory_fd).", gpu_->info().name);
  const BufferRange range{std::make_shared<Buffer>(gpu_, std::move(file), shared), shared.offset, shared.bytes};
  const std::uint64_t start = range.pointer();
  publish(start, {range, Placement::kShared});
  return reinterpret_cast<void*>(start);
}

AddressSpace& DeviceMemory::address_space() {
  check(address_space_ != nullptr, Code::kFeatureNotSupported,
        "Addresses cannot be reserved on {}: that takes device addresses that are the host's, as drivers on the CPU "
        "have them, or sparse buffers (sparseBinding, sparseResidencyBuffer and a queue for them); "
        "ACLVK_RESERVED_ADDRESSES is {}.",
        gpu_->info().name, config().reserved_addresses);
  return *address_space_;
}

/// Memory to map, and its place in the budget.
struct DeviceMemory::CountedBacking {
  CountedBacking(DeviceMemory& its_book, std::uint64_t its_bytes) : book(its_book), bytes(its_bytes) {
    book.count(bytes, MemoryPart::kPhysical);
  }
  ~CountedBacking() {
    backing.reset();
    book.discount(bytes, MemoryPart::kPhysical);
  }
  CountedBacking(const CountedBacking&) = delete;
  CountedBacking& operator=(const CountedBacking&) = delete;

  DeviceMemory& book;
  const std::uint64_t bytes;
  std::shared_ptr<const Backing> backing;
};

std::shared_ptr<const Backing> DeviceMemory::allocate_backing(std::uint64_t bytes) {
  AddressSpace& space = address_space();  // or there is no place for it
  const auto counted = std::make_shared<CountedBacking>(*this, bytes);
  counted->backing = space.allocate(bytes);
  return {counted, counted->backing.get()};
}

/// An allocation that has ended, until its last owner lets go; then what is idle goes back to the driver.
class DeviceMemory::Withdrawn {
 public:
  explicit Withdrawn(DeviceMemory& book) : book_(book) {}
  ~Withdrawn() {
    if (!ended) return;
    book_.retire(*std::move(ended));
    book_.collect_later_if_need_be();
  }
  Withdrawn(const Withdrawn&) = delete;
  Withdrawn& operator=(const Withdrawn&) = delete;

  std::optional<Live> ended;

 private:
  DeviceMemory& book_;
};

std::optional<DeviceMemory::Live> DeviceMemory::end(const void* pointer, Placement placement) noexcept {
  std::unique_lock lock(map_mutex_);
  const auto* entry = map_.find(bits(pointer));
  if (!entry || entry->start != bits(pointer) || entry->value.allocation.placement != placement) return std::nullopt;
  std::optional<Live> ended = map_.remove(bits(pointer));
  ++releases_;
  if (placement == Placement::kDevice) discount(ended->allocation.range.size, MemoryPart::kAllocations);
  return ended;
}

bool DeviceMemory::release(void* pointer, Placement placement) noexcept {
  std::optional<Live> ended = end(pointer, placement);
  if (!ended) return false;
  if (placement == Placement::kPooled) return true;  // the bytes are still the pool's
  retire(*std::move(ended));
  collect_later_if_need_be();
  return true;
}

bool DeviceMemory::withdraw(void* pointer, Placement placement, const Keep& keep) {
  const auto allocation = find(pointer, 1);
  if (!allocation) return false;
  const auto withdrawn = std::make_shared<Withdrawn>(*this);
  keep(*allocation, withdrawn);
  withdrawn->ended = end(pointer, placement);
  return withdrawn->ended.has_value();
}

// What has been freed stays freed, also when the driver cannot tell what is done.
void DeviceMemory::collect_later_if_need_be() noexcept {
  try {
    collect();
  } catch (const std::exception& error) {
    log().warn("Freed memory of {} waits for the next look: {}", gpu_->info().name, error.what());
  }
}

void DeviceMemory::retire(Live ended) noexcept {
  ended.retirement.front().allocation = std::move(ended.allocation);
  std::lock_guard lock(freed_mutex_);
  ended.retirement.front().number = in_flight_->newest();
  freed_.splice(freed_.end(), ended.retirement);
}

void DeviceMemory::collect() {
  in_flight_->sweep();  // with no lock held: what it drops may free memory of its own
  std::list<Freed> reusable;
  {
    std::lock_guard lock(freed_mutex_);
    while (!freed_.empty() && in_flight_->completed(freed_.front().number)) {
      reusable.splice(reusable.end(), freed_, freed_.begin());
    }
  }
  for (const Freed& freed : reusable) recycle(freed.allocation);
}

void DeviceMemory::recycle(const Allocation& allocation) noexcept {
  const bool own = allocation.placement == Placement::kDevice || allocation.placement == Placement::kPinnedHost;
  if (own) pool(allocation.placement).release(allocation.range);
}

std::optional<BufferRange> DeviceMemory::find(const void* pointer, std::uint64_t bytes) const {
  {
    std::shared_lock lock(map_mutex_);
    if (const auto* entry = map_.find(bits(pointer))) {
      const std::uint64_t offset = bits(pointer) - entry->start;
      if (bytes > entry->size - offset) return std::nullopt;
      return entry->value.allocation.range.slice(offset, bytes);
    }
  }
  return address_space_ ? address_space_->find(pointer, bytes) : std::nullopt;
}

std::vector<BufferRange> DeviceMemory::allocations(Placement placement) const {
  std::vector<BufferRange> ranges;
  std::shared_lock lock(map_mutex_);
  map_.for_each([&](const AddressMap<Live>::Entry& entry) {
    const Allocation& allocation = entry.value.allocation;
    if (allocation.placement == placement) ranges.push_back(allocation.range);
  });
  lock.unlock();
  if (!address_space_) return ranges;
  const std::vector<BufferRange> mapped = address_space_->mapped(placement);
  ranges.insert(ranges.end(), mapped.begin(), mapped.end());
  return ranges;
}

bool DeviceMemory::alive(const BufferRange& range) const {
  if (range.allocation == 0) return true;
  {
    std::shared_lock lock(map_mutex_);
    if (const auto* entry = map_.find(range.pointer()))
      return entry->value.allocation.range.allocation == range.allocation;
  }
  return address_space_ && address_space_->alive(range);
}

std::optional<AllocationInfo> DeviceMemory::describe(const void* pointer) const {
  {
    std::shared_lock lock(map_mutex_);
    if (const auto* entry = map_.find(bits(pointer))) {
      return AllocationInfo{entry->start, entry->size, entry->value.allocation.placement};
    }
  }
  return address_space_ ? address_space_->describe(pointer) : std::nullopt;
}

}  // namespace aclvk::vk
