#include "vk_device/host_addresses.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "vk_device/buffer_impl.hpp"
#include "vk_device/pages.hpp"

namespace aclvk::vk {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kUnit = std::uint64_t{2} << 20;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

class HostAddresses::Room {
 public:
  Room(std::uint64_t bytes, std::uint64_t alignment, void* wish) : bytes_(bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    const std::uint64_t room = bytes + alignment;
    void* start = room > bytes ? mmap(wish, room, PROT_NONE, kFlags, -1, 0) : MAP_FAILED;
    check(start != MAP_FAILED, Code::kMemoryAllocation, "The process has no {} bytes of address space left.", bytes);
    start_ = round_up(number(start), alignment);
    if (start_ > number(start)) munmap(start, start_ - number(start));
    const std::uint64_t rest = number(start) + room - start_ - bytes;
    if (rest > 0) munmap(pointer_to(start_ + bytes), rest);
  }
  ~Room() { munmap(pointer_to(start_), bytes_); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  std::uint64_t start() const { return start_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t start_ = 0;
  std::uint64_t bytes_;
};

HostAddresses::HostAddresses(std::shared_ptr<const Gpu> gpu, std::uint64_t bytes, std::uint64_t alignment,
                             std::uint64_t wish)
    : gpu_(std::move(gpu)), room_(std::make_shared<Room>(bytes, alignment, pointer_to(wish))) {}

std::uint64_t HostAddresses::start() const { return room_->start(); }

std::uint64_t HostAddresses::bytes() const { return room_->bytes(); }

void HostAddresses::show(std::uint64_t at, const Backing& backing) {
  const auto* pages = dynamic_cast<const Pages*>(&backing);
  check(pages != nullptr, Code::kFeatureNotSupported, "{} maps pages of the host; this memory is of another device.",
        gpu_->info().name);
  constexpr int kFlags = MAP_SHARED | MAP_FIXED;
  void* shown = mmap(pointer_to(at), pages->bytes(), PROT_READ | PROT_WRITE, kFlags, pages->file().fd(), 0);
  check(shown == pointer_to(at), Code::kMemoryAllocation, "{} bytes cannot be mapped at {:#x}: {}.", pages->bytes(), at,
        std::strerror(errno));
}

// A CPU driver runs in this process: for tasks that come too late an empty page is better than its end.
void HostAddresses::hide(std::uint64_t at, const Backing& backing) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(pointer_to(at), backing.bytes(), PROT_READ | PROT_WRITE, kFlags, -1, 0) == pointer_to(at)) return;
  mmap(pointer_to(at), backing.bytes(), PROT_NONE, kFlags, -1, 0);
}

std::shared_ptr<Buffer> HostAddresses::find_buffer(std::uint64_t begin, std::uint64_t end) const {
  const auto found = std::find_if(windows_.begin(), windows_.end(), [&](const auto& window) {
    return window->address() <= begin && end <= window->address() + window->bytes();
  });
  return found == windows_.end() ? nullptr : *found;
}

// A driver limits the size of a buffer, and programs reserve more than the device has. So a window is as large as a
// buffer may be, and they overlap by half of that; what still fits into none gets one of its own. SwiftShader counts
// imports as memory that it gives out: when it has no more, old windows go, and the new one is as small as can be.
std::shared_ptr<Buffer> HostAddresses::add_buffer(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = start();
  const std::uint64_t most = std::min(gpu_->limits().allocation, gpu_->limits().buffer) / kUnit * kUnit;
  const std::uint64_t half = most / 2 / kUnit * kUnit;
  const std::uint64_t least = begin / kPage * kPage;
  const std::uint64_t wide = first + (begin - first) / half * half;
  if (end > wide + most) return add_window(least, round_up(end, kPage));
  try {
    return add_window(wide, std::min(wide + most, first + bytes()));
  } catch (const Error& error) {
    if (error.code() != Code::kMemoryAllocation) throw;
    windows_.clear();
    return add_window(least, round_up(end, kPage));
  }
}

std::shared_ptr<Buffer> HostAddresses::add_window(std::uint64_t begin, std::uint64_t end) {
  return windows_.emplace_back(std::make_shared<Buffer>(gpu_, pointer_to(begin), end - begin, room_));
}

std::uint64_t HostAddressSource::page() { return kPage; }

std::shared_ptr<Addresses> HostAddressSource::reserve(std::uint64_t bytes, std::uint64_t alignment,
                                                      std::uint64_t wish) {
  return std::make_shared<HostAddresses>(gpu_, bytes, alignment, wish);
}

std::shared_ptr<const Backing> HostAddressSource::allocate(std::uint64_t bytes) {
  return std::make_shared<Pages>(bytes);
}

std::shared_ptr<const Backing> HostAddressSource::import_file(File file, const SharedBacking& shared) {
  check(shared.kind == SharedBacking::Kind::kPages, Code::kParamInvalid,
        "The other process shares memory of sparse buffers, which this one does not use on {} "
        "(ACLVK_RESERVED_ADDRESSES).",
        gpu_->info().name);
  return std::make_shared<Pages>(std::move(file), shared.bytes);
}

}  // namespace aclvk::vk
