#include "vk_device/memory/host_addresses.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/host_page.hpp"
#include "base/log.hpp"
#include "vk_device/buffers/buffer_impl.hpp"
#include "vk_device/memory/host_pages.hpp"

namespace aclvk::vk {
namespace {

// Reservations are multiples of a huge page (address_space.cpp).
constexpr std::uint64_t kReservationUnit = std::uint64_t{2} << 20;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }
}  // namespace

std::uint64_t window_distance(std::uint64_t window_bytes) {
  return std::max(window_bytes / 2 / kReservationUnit * kReservationUnit, kReservationUnit);
}

class HostReservation::Region {
 public:
  Region(std::uint64_t bytes, std::uint64_t alignment, void* hint) : bytes_(bytes) {
    // PROT_NONE and MAP_NORESERVE take address space without committing memory. The surplus before and after the
    // aligned part is unmapped.
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    const std::uint64_t reserved = bytes + alignment;  // not larger than `bytes` when the sum overflows
    void* start = reserved > bytes ? mmap(hint, reserved, PROT_NONE, kFlags, -1, 0) : MAP_FAILED;
    check(start != MAP_FAILED, Code::kMemoryAllocation, "The process has no {} bytes of address space left.", bytes);
    start_ = round_up(address_of(start), alignment);
    if (start_ > address_of(start)) munmap(start, start_ - address_of(start));
    const std::uint64_t rest = address_of(start) + reserved - start_ - bytes;
    if (rest > 0) munmap(pointer_to(start_ + bytes), rest);
  }
  ~Region() { munmap(pointer_to(start_), bytes_); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  std::uint64_t start() const { return start_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t start_ = 0;
  std::uint64_t bytes_;
};

HostReservation::HostReservation(std::shared_ptr<const Gpu> gpu, std::uint64_t bytes, std::uint64_t alignment,
                                 std::uint64_t hint)
    : gpu_(std::move(gpu)), region_(std::make_shared<Region>(bytes, alignment, pointer_to(hint))) {}

std::uint64_t HostReservation::start() const { return region_->start(); }

std::uint64_t HostReservation::bytes() const { return region_->bytes(); }

void HostReservation::map(std::uint64_t at, const Backing& backing) {
  const auto* pages = dynamic_cast<const HostPages*>(&backing);
  check(pages != nullptr, Code::kFeatureNotSupported, "{} maps pages of the host; this memory is of another device.",
        gpu_->info().name);
  // MAP_FIXED replaces the reserved pages in place, so that windows over them stay valid.
  constexpr int kFlags = MAP_SHARED | MAP_FIXED;
  void* mapped = mmap(pointer_to(at), pages->bytes(), PROT_READ | PROT_WRITE, kFlags, pages->file().fd(), 0);
  check(mapped == pointer_to(at), Code::kMemoryAllocation, "{} bytes cannot be mapped at {:#x}: {}.", pages->bytes(),
        at, std::strerror(errno));
}

// A CPU driver runs in this process, so a task that still uses the addresses would end it with SIGSEGV. Empty pages
// prevent that.
void HostReservation::unmap(std::uint64_t at, const Backing& backing) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  // Pages that cannot be accessed commit no memory, so the system has them when it has no other ones.
  for (const int protection : {PROT_READ | PROT_WRITE, PROT_NONE}) {
    if (mmap(pointer_to(at), backing.bytes(), protection, kFlags, -1, 0) == pointer_to(at)) return;
  }
  log().error("{} bytes at {:#x} cannot be replaced by empty pages ({}); they stay mapped until the reservation ends.",
              backing.bytes(), at, std::strerror(errno));
}

std::shared_ptr<Buffer> HostReservation::find_buffer(std::uint64_t begin, std::uint64_t end) const {
  const auto found = std::find_if(windows_.begin(), windows_.end(), [&](const auto& window) {
    return window->address() <= begin && end <= window->address() + window->bytes();
  });
  return found == windows_.end() ? nullptr : *found;
}

// A driver limits the size of a buffer, and programs reserve more than the device has. So a window is as large as a
// buffer may be, and windows overlap by half: every range of up to half that size lies inside one. Larger ranges get a
// window of their own. SwiftShader counts imports as allocated memory. When it has no more, all windows are dropped,
// and the new one is as small as possible.
std::shared_ptr<Buffer> HostReservation::add_buffer(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = start();
  const std::uint64_t max =
      std::min(gpu_->limits().max_allocation, gpu_->limits().max_buffer) / kReservationUnit * kReservationUnit;
  const std::uint64_t distance = window_distance(max);
  const std::uint64_t exact_begin = begin / host_page_bytes() * host_page_bytes();
  const std::uint64_t exact_end = round_up(end, host_page_bytes());
  const std::uint64_t window_begin = first + (begin - first) / distance * distance;
  if (end > window_begin + max) return add_window(exact_begin, exact_end);
  try {
    return add_window(window_begin, std::min(window_begin + max, first + bytes()));
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    windows_.clear();
    return add_window(exact_begin, exact_end);
  }
}

std::shared_ptr<Buffer> HostReservation::add_window(std::uint64_t begin, std::uint64_t end) {
  return windows_.emplace_back(std::make_shared<VulkanBuffer>(gpu_, pointer_to(begin), end - begin, region_));
}

std::uint64_t HostAddressSource::page() { return host_page_bytes(); }

std::shared_ptr<AddressReservation> HostAddressSource::reserve(std::uint64_t bytes, std::uint64_t alignment,
                                                               std::uint64_t hint) {
  return std::make_shared<HostReservation>(gpu_, bytes, alignment, hint);
}

std::shared_ptr<const Backing> HostAddressSource::allocate(std::uint64_t bytes) {
  return std::make_shared<HostPages>(bytes);
}

std::shared_ptr<const Backing> HostAddressSource::import_file(File file, const SharedBacking& shared) {
  check(shared.kind == SharedBacking::Kind::kHostPages, Code::kParamInvalid,
        "The other process shares memory of sparse buffers, which this one does not use on {} "
        "(ACLVK_RESERVED_ADDRESSES).",
        gpu_->info().name);
  return std::make_shared<HostPages>(std::move(file), shared.bytes);
}

}  // namespace aclvk::vk
