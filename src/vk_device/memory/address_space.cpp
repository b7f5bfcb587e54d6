#include "vk_device/memory/address_space.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "vk_device/buffers/buffer_impl.hpp"
#include "vk_device/submission/in_flight.hpp"

namespace aclvk::vk {
namespace {

// Reservations are multiples of a huge page.
constexpr std::uint64_t kReservationUnit = std::uint64_t{2} << 20;
// Above all numbers of DeviceMemory's allocations, so that a number names one or the other.
constexpr std::uint64_t kFirstMappingNumber = std::uint64_t{1} << 62;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

AddressSpace::AddressSpace(std::shared_ptr<AddressSource> source, std::shared_ptr<InFlight> in_flight,
                           std::function<void()> reclaim)
    : source_(std::move(source)),
      in_flight_(std::move(in_flight)),
      reclaim_(std::move(reclaim)),
      last_mapping_(kFirstMappingNumber) {}

std::shared_ptr<const Backing> AddressSpace::allocate(std::uint64_t bytes) {
  try {
    return source_->allocate(bytes);
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
  }
  reclaim_();
  return source_->allocate(bytes);
}

std::shared_ptr<const Backing> AddressSpace::import_file(File file, const SharedBacking& shared) {
  return source_->import_file(std::move(file), shared);
}

void* AddressSpace::reserve(std::uint64_t bytes, std::uint64_t alignment, void* hint) {
  const std::uint64_t unit = std::max(kReservationUnit, page());
  check(bytes <= UINT64_MAX - unit, Code::kMemoryAllocation,
        "{} bytes of addresses are asked for; an address space of 64 bits has fewer.", bytes);
  auto addresses = source_->reserve(round_up(bytes, unit), std::max(round_up(alignment, unit), unit), address_of(hint));
  const std::uint64_t start = addresses->start();
  const LockGuard lock(mutex_);
  reservations_[start] = {{}, std::move(addresses)};
  return pointer_to(start);
}

void AddressSpace::release(void* start) {
  Reservation ended;  // destroyed after the lock is released
  const LockGuard lock(mutex_);
  const auto found = reservations_.find(address_of(start));
  check(found != reservations_.end(), Code::kParamInvalid, "{} is not the start of a reservation.", start);
  const std::size_t mappings = found->second.mappings.size();
  check(mappings == 0, Code::kParamInvalid,
        "{} pieces of memory are mapped in the reservation at {}; unmap them first.", mappings, start);
  ended = std::move(found->second);
  reservations_.erase(found);
}

const AddressSpace::Reservation* AddressSpace::reservation_of(std::uint64_t address) const {
  auto next = reservations_.upper_bound(address);
  if (next == reservations_.begin()) return nullptr;
  --next;
  return address - next->first < next->second.addresses->bytes() ? &next->second : nullptr;
}

// Inserts a mapping that is not usable yet: find() does not return it, and no other mapping gets its addresses.
std::shared_ptr<AddressReservation> AddressSpace::claim(std::uint64_t begin, std::uint64_t bytes) {
  auto* reservation = const_cast<Reservation*>(reservation_of(begin));
  check(reservation != nullptr, Code::kParamInvalid, "{:#x} is not in reserved address space.", begin);
  const std::uint64_t start = reservation->addresses->start();
  const std::uint64_t end = start + reservation->addresses->bytes();
  check(bytes <= end - begin, Code::kParamInvalid,
        "{} bytes at {:#x} end outside the reservation of {} bytes at {:#x}.", bytes, begin, end - start, start);
  check(begin % page() == 0 && bytes % page() == 0, Code::kParamInvalid,
        "{} bytes at {:#x} are not whole pages of {} bytes.", bytes, begin, page());
  const auto next = reservation->mappings.lower_bound(begin);
  const bool free_after = next == reservation->mappings.end() || next->first >= begin + bytes;
  check(free_after && mapping_of(begin, nullptr) == nullptr, Code::kParamInvalid,
        "Memory is mapped already in the {} bytes at {:#x}.", bytes, begin);
  reservation->mappings[begin] = {bytes, nullptr, Placement::kMapped, false, 0};
  return reservation->addresses;
}

void AddressSpace::erase_mapping(std::uint64_t at) {
  const LockGuard lock(mutex_);
  const_cast<Reservation*>(reservation_of(at))->mappings.erase(at);
}

// map() and unmap() wait for the device without the lock. Meanwhile find() does not return the mapping, and its
// addresses are not free.
void AddressSpace::map(void* at, std::shared_ptr<const Backing> backing, Placement placement, bool usable) {
  const std::uint64_t begin = address_of(at);
  std::shared_ptr<AddressReservation> addresses;
  {
    const LockGuard lock(mutex_);
    addresses = claim(begin, backing->bytes());
  }
  try {
    addresses->map(begin, *backing);
  } catch (...) {
    erase_mapping(begin);
    throw;
  }
  const LockGuard lock(mutex_);
  auto& mapping = *const_cast<Mapping*>(mapping_of(begin, nullptr));
  mapping = {backing->bytes(), std::move(backing), placement, usable, ++last_mapping_};
}

void AddressSpace::unmap(void* at) {
  std::shared_ptr<const Backing> backing;
  std::shared_ptr<AddressReservation> addresses;
  {
    const LockGuard lock(mutex_);
    std::uint64_t start = 0;
    auto* mapping = const_cast<Mapping*>(mapping_of(address_of(at), &start));
    check(mapping && start == address_of(at) && mapping->backing, Code::kParamInvalid,
          "{} is not the start of mapped memory.", at);
    mapping->usable = false;
    backing = std::exchange(mapping->backing, nullptr);
    addresses = reservation_of(address_of(at))->addresses;
    ++unmaps_;
  }
  try {
    in_flight_->wait(in_flight_->newest());
    addresses->unmap(address_of(at), *backing);
  } catch (...) {  // the device is lost, and its memory with it
    erase_mapping(address_of(at));
    throw;
  }
  erase_mapping(address_of(at));
}

void AddressSpace::set_usable(void* at, bool usable) {
  const LockGuard lock(mutex_);
  auto* mapping = const_cast<Mapping*>(mapping_of(address_of(at), nullptr));
  if (!mapping || !mapping->backing) return;
  if (std::exchange(mapping->usable, usable) && !usable) ++unmaps_;
}

const AddressSpace::Mapping* AddressSpace::mapping_of(std::uint64_t address, std::uint64_t* start) const {
  const Reservation* reservation = reservation_of(address);
  if (!reservation) return nullptr;
  auto next = reservation->mappings.upper_bound(address);
  if (next == reservation->mappings.begin()) return nullptr;
  --next;
  if (address - next->first >= next->second.bytes) return nullptr;
  if (start) *start = next->first;
  return &next->second;
}

// Returns the largest number among the mappings that cover [begin, end), or 0 when they leave a gap. It changes when
// one of them is unmapped or replaced, but not when memory is mapped next to them.
std::uint64_t AddressSpace::newest_mapping(std::uint64_t begin, std::uint64_t end) const {
  std::uint64_t newest = 0;
  do {
    std::uint64_t start = 0;
    const Mapping* mapping = mapping_of(begin, &start);
    if (!mapping || !mapping->usable) return 0;
    newest = std::max(newest, mapping->number);
    begin = start + mapping->bytes;
  } while (begin < end);
  return newest;
}

std::optional<BufferRange> AddressSpace::find(const void* pointer, std::uint64_t bytes) {
  const std::uint64_t begin = address_of(pointer);
  if (bytes > UINT64_MAX - begin) return std::nullopt;
  const std::uint64_t end = begin + bytes;
  // Usually a buffer exists, and the shared lock suffices. Otherwise the exclusive lock is taken and the mappings are
  // checked again, since they may have changed in between.
  const auto range_in = [&](const std::shared_ptr<Buffer>& buffer, std::uint64_t newest) {
    return BufferRange{buffer, begin - buffer->address(), bytes, newest};
  };
  {
    const SharedLock lock(mutex_);
    const std::uint64_t newest = newest_mapping(begin, end);
    if (newest == 0) return std::nullopt;
    if (auto buffer = reservation_of(begin)->addresses->find_buffer(begin, end)) return range_in(buffer, newest);
  }
  const LockGuard lock(mutex_);
  const std::uint64_t newest = newest_mapping(begin, end);
  if (newest == 0) return std::nullopt;
  return range_in(reservation_of(begin)->addresses->add_buffer(begin, end), newest);
}

std::vector<BufferRange> AddressSpace::mapped(Placement placement) {
  std::vector<BufferRange> found;
  const LockGuard lock(mutex_);
  for (const auto& [start, reservation] : reservations_) {
    for (const auto& [at, mapping] : reservation.mappings) {
      if (!mapping.backing || mapping.placement != placement) continue;
      auto buffer = reservation.addresses->find_buffer(at, at + mapping.bytes);
      if (!buffer) buffer = reservation.addresses->add_buffer(at, at + mapping.bytes);
      found.push_back({buffer, at - buffer->address(), mapping.bytes, mapping.number});
    }
  }
  return found;
}

std::optional<AllocationInfo> AddressSpace::describe(const void* pointer) const {
  const SharedLock lock(mutex_);
  std::uint64_t start = 0;
  const Mapping* mapping = mapping_of(address_of(pointer), &start);
  if (!mapping || !mapping->usable) return std::nullopt;
  return AllocationInfo{start, mapping->bytes, mapping->placement};
}

bool AddressSpace::alive(const BufferRange& range) const {
  const SharedLock lock(mutex_);
  return newest_mapping(range.address(), range.address() + range.size) == range.allocation;
}

bool AddressSpace::reserved(const void* pointer) const {
  const SharedLock lock(mutex_);
  return reservation_of(address_of(pointer)) != nullptr;
}

}  // namespace aclvk::vk
