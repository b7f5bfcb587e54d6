#include "vk_device/address_space.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "base/error.hpp"
#include "vk_device/buffer_impl.hpp"
#include "vk_device/in_flight.hpp"

namespace aclvk::vk {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kUnit = std::uint64_t{2} << 20;
// Above every number of Memory's own allocations.
constexpr std::uint64_t kFirstNumber = std::uint64_t{1} << 62;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

class AddressSpace::Addresses {
 public:
  Addresses(std::uint64_t bytes, std::uint64_t alignment, void* wish) : bytes_(bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    const std::uint64_t room = bytes + alignment;
    void* start = room > bytes ? mmap(wish, room, PROT_NONE, kFlags, -1, 0) : MAP_FAILED;
    check(start != MAP_FAILED, Code::kMemoryAllocation, "The process has no {} bytes of address space left.", bytes);
    start_ = round_up(number(start), alignment);
    if (start_ > number(start)) munmap(start, start_ - number(start));
    const std::uint64_t rest = number(start) + room - start_ - bytes;
    if (rest > 0) munmap(pointer_to(start_ + bytes), rest);
  }
  ~Addresses() { munmap(pointer_to(start_), bytes_); }
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;

  std::uint64_t start() const { return start_; }

  static void show(void* at, const Pages& pages) {
    void* shown = mmap(at, pages.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, pages.file().number(), 0);
    check(shown == at, Code::kMemoryAllocation, "{} bytes cannot be mapped at {}: {}.", pages.bytes(), at,
          std::strerror(errno));
  }

  // Tasks that were issued before may still come here, although they should not: a CPU driver runs in this process, and
  // an empty page is better than its end.
  static void hide(void* at, std::uint64_t bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) == at) return;
    mmap(at, bytes, PROT_NONE, kFlags, -1, 0);
  }

 private:
  std::uint64_t start_ = 0;
  std::uint64_t bytes_;
};

AddressSpace::AddressSpace(std::shared_ptr<const Gpu> gpu, std::shared_ptr<InFlight> in_flight)
    : gpu_(std::move(gpu)), in_flight_(std::move(in_flight)), last_mapping_(kFirstNumber) {}

void* AddressSpace::reserve(std::uint64_t bytes, std::uint64_t alignment, void* wish) {
  check(bytes <= UINT64_MAX - kUnit, Code::kMemoryAllocation, "No process has {} bytes of address space.", bytes);
  const std::uint64_t whole = round_up(bytes, kUnit);
  auto addresses = std::make_shared<Addresses>(whole, std::max(alignment, kUnit), wish);
  const std::uint64_t start = addresses->start();
  const std::unique_lock lock(mutex_);
  reservations_[start] = {std::move(addresses), whole, {}, {}};
  return pointer_to(start);
}

void AddressSpace::release(void* start) {
  Reservation ended;  // goes when the lock is gone
  const std::unique_lock lock(mutex_);
  const auto found = reservations_.find(number(start));
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
  return address - next->first < next->second.bytes ? &next->second : nullptr;
}

void AddressSpace::map(void* at, std::shared_ptr<const Pages> pages, Placement placement, bool usable) {
  const std::uint64_t begin = number(at);
  const std::uint64_t bytes = pages->bytes();
  const std::unique_lock lock(mutex_);
  auto* reservation = const_cast<Reservation*>(reservation_of(begin));
  check(reservation != nullptr, Code::kParamInvalid, "{} is not in reserved address space.", at);
  const std::uint64_t end = reservation->addresses->start() + reservation->bytes;
  check(bytes <= end - begin, Code::kParamInvalid, "{} bytes at {} end outside the reservation of {} bytes at {:#x}.",
        bytes, at, reservation->bytes, reservation->addresses->start());
  check(begin % kPage == 0, Code::kParamInvalid, "{} is not a multiple of {}, the size of a page.", at, kPage);
  const auto next = reservation->mappings.lower_bound(begin);
  const bool free_behind = next == reservation->mappings.end() || next->first >= begin + bytes;
  check(free_behind && mapping_of(begin, nullptr) == nullptr, Code::kParamInvalid,
        "Memory is mapped already in the {} bytes at {}.", bytes, at);
  Addresses::show(at, *pages);
  reservation->mappings[begin] = {bytes, std::move(pages), placement, usable, ++last_mapping_};
}

// The waiting is done without the lock; meanwhile nobody finds the mapping, and its place is not free.
void AddressSpace::unmap(void* at) {
  std::uint64_t bytes = 0;
  std::shared_ptr<const Pages> pages;
  {
    const std::unique_lock lock(mutex_);
    std::uint64_t start = 0;
    auto* mapping = const_cast<Mapping*>(mapping_of(number(at), &start));
    check(mapping && start == number(at) && mapping->pages, Code::kParamInvalid,
          "{} is not the start of mapped memory.", at);
    mapping->usable = false;
    pages = std::move(mapping->pages);
    mapping->pages = nullptr;
    bytes = mapping->bytes;
    ++unmaps_;
  }
  in_flight_->wait(in_flight_->newest());
  const std::unique_lock lock(mutex_);
  Addresses::hide(at, bytes);
  const_cast<Reservation*>(reservation_of(number(at)))->mappings.erase(number(at));
}

void AddressSpace::set_usable(void* at, bool usable) {
  const std::unique_lock lock(mutex_);
  auto* mapping = const_cast<Mapping*>(mapping_of(number(at), nullptr));
  if (mapping && mapping->pages) mapping->usable = usable;
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

// The newest number among the mappings that cover [begin, end), or 0 when they leave a gap. It stays the same while
// none of them is taken away or replaced, whatever is mapped beside them.
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
  const std::uint64_t begin = number(pointer);
  if (bytes > UINT64_MAX - begin) return std::nullopt;
  const std::uint64_t end = begin + bytes;
  const auto look = [&](std::shared_ptr<Buffer> window, std::uint64_t newest) {
    return BufferRange{window, begin - window->address(), bytes, newest};
  };
  const auto covers = [&](const auto& window) {
    return window->address() <= begin && end <= window->address() + window->bytes();
  };
  {
    const std::shared_lock lock(mutex_);
    const std::uint64_t newest = newest_mapping(begin, end);
    if (newest == 0) return std::nullopt;
    for (const auto& window : reservation_of(begin)->windows) {
      if (covers(window)) return look(window, newest);
    }
  }
  const std::unique_lock lock(mutex_);
  const std::uint64_t newest = newest_mapping(begin, end);
  if (newest == 0) return std::nullopt;
  return look(add_window(*const_cast<Reservation*>(reservation_of(begin)), begin, end), newest);
}

// A driver limits the size of a buffer, and programs reserve more than the device has. So a window is as large as a
// buffer may be, and they overlap by half of that; what still fits into none gets one of its own. SwiftShader counts
// imports as memory that it gives out: when it has no more, old windows go, and the new one is as small as can be.
std::shared_ptr<Buffer> AddressSpace::add_window(Reservation& reservation, std::uint64_t begin, std::uint64_t end) {
  const auto add = [&](std::uint64_t start, std::uint64_t bytes) {
    auto window = std::make_shared<Buffer>(gpu_, pointer_to(start), bytes, reservation.addresses);
    reservation.windows.push_back(window);
    return window;
  };
  const std::uint64_t first = reservation.addresses->start();
  const std::uint64_t last = first + reservation.bytes;
  const std::uint64_t most = std::min(gpu_->limits().allocation, gpu_->limits().buffer) / kUnit * kUnit;
  const std::uint64_t half = most / 2 / kUnit * kUnit;
  const std::uint64_t least = begin / kPage * kPage;
  const std::uint64_t wide = first + (begin - first) / half * half;
  if (end > wide + most) return add(least, round_up(end - least, kPage));
  try {
    return add(wide, std::min(most, last - wide));
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    reservation.windows.clear();
    return add(least, round_up(end - least, kPage));
  }
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> AddressSpace::mapped(Placement placement) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  const std::shared_lock lock(mutex_);
  for (const auto& [start, reservation] : reservations_) {
    for (const auto& [at, mapping] : reservation.mappings) {
      if (mapping.usable && mapping.placement == placement) found.emplace_back(at, mapping.bytes);
    }
  }
  return found;
}

std::optional<AllocationInfo> AddressSpace::describe(const void* pointer) const {
  const std::shared_lock lock(mutex_);
  std::uint64_t start = 0;
  const Mapping* mapping = mapping_of(number(pointer), &start);
  if (!mapping || !mapping->usable) return std::nullopt;
  return AllocationInfo{start, mapping->bytes, mapping->placement};
}

bool AddressSpace::alive(const BufferRange& range) const {
  const std::shared_lock lock(mutex_);
  return newest_mapping(range.address(), range.address() + range.size) == range.allocation;
}

bool AddressSpace::reserved(const void* pointer) const {
  const std::shared_lock lock(mutex_);
  return reservation_of(number(pointer)) != nullptr;
}

}  // namespace aclvk::vk
