#include "runtime/memory/copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/word_copy.hpp"
#include "runtime/device/device_regions.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {
namespace {

/// What goes through host memory goes in pieces of this size.
constexpr std::uint64_t kChunk = 16 << 20;

/// One end of a copy, found and checked.
struct Side {
  std::shared_ptr<Device> device;  // null: pageable
  vk::BufferRange range;           // of a device
  std::byte* host = nullptr;       // where the host sees it, if it does
};

Location::Kind kind_of(const vk::AllocationInfo& allocation) {
  if (vk::on_device(allocation.placement)) return Location::Kind::kDevice;
  return is_managed(allocation) ? Location::Kind::kManaged : Location::Kind::kPinned;
}

// Host memory of a device that is lost is as good as any other.
bool outlives_device(const void* pointer) {
  const auto retired = retired_devices();
  return std::any_of(retired.begin(), retired.end(), [&](const auto& device) {
    const auto allocation = device->memory().describe(pointer);
    return allocation && !vk::on_device(allocation->placement);
  });
}

// A device's, but of no live allocation.
bool is_dead(const void* pointer) {
  return (DeviceRegions::instance().contain(pointer) && !outlives_device(pointer)) || is_reserved(pointer);
}

// Where whole pages lie between rows, they may be anybody's.
bool accessible(const void* pointer, const Extent& extent, HostAccess access) {
  constexpr std::uint64_t kGap = 4096;
  if (extent.height == 1 || extent.pitch - extent.width < kGap) {
    return host_accessible(pointer, extent.bytes(), access);
  }
  const auto* row = static_cast<const std::byte*>(pointer);
  for (std::uint64_t i = 0; i < extent.height; ++i, row += extent.pitch) {
    if (!host_accessible(row, extent.width, access)) return false;
  }
  return true;
}

Side pageable_side(const void* pointer, const Extent& extent, const char* what, HostAccess access) {
  check(!is_dead(pointer), Code::kParamInvalid,
        "{} {} lies in device memory, but in no live allocation: it has been freed, or is behind the end of one.", what,
        pointer);
  check(accessible(pointer, extent, access), Code::kParamInvalid,
        "{} {} with {} bytes is neither in a live allocation nor memory of this process that can be {}.", what, pointer,
        extent.bytes(), done_to(access));
  return {nullptr, {}, static_cast<std::byte*>(const_cast<void*>(pointer))};
}

Side resolve(const void* pointer, const Extent& extent, const char* what, HostAccess access) {
  auto found = find_allocation(pointer);
  if (!found) return pageable_side(pointer, extent, what, access);
  const vk::AllocationInfo& allocation = found->allocation;
  const bool registered = allocation.placement == vk::Placement::kRegistered;
  const auto range = found->device->memory().find(pointer, extent.bytes());
  // What is registered is the program's own memory, and may go on behind the registered part.
  if (!range && registered) return pageable_side(pointer, extent, what, access);
  check(range.has_value(), Code::kParamInvalid, "{} {} with {} bytes ends outside its allocation of {} bytes at {:#x}.",
        what, pointer, extent.bytes(), allocation.size, allocation.start);
  check(!registered || accessible(pointer, extent, access), Code::kParamInvalid,
        "{} {} with {} bytes is registered, but is not memory of this process any more that can be {}.", what, pointer,
        extent.bytes(), done_to(access));
  const bool own_address = vk::on_device(allocation.placement);
  if (own_address) found->device->check_not_lost();  // where the host sees the memory, no command would find it out
  std::byte* host = own_address ? range->mapped() : static_cast<std::byte*>(const_cast<void*>(pointer));
  return {std::move(found->device), *range, host};
}

Side destination(void* pointer, const Extent& extent) {
  return resolve(pointer, extent, "Destination", HostAccess::kWrite);
}

Side source(const void* pointer, const Extent& extent) { return resolve(pointer, extent, "Source", HostAccess::kRead); }

// A stream may wait for a word that has just been written.
void tell_waiting_streams(const Side& written) {
  if (!written.device) return;
  const SchedulerLock lock;
  Scheduler::instance().changed();
}

/// Records with `record`, submits, waits. Goes past all streams: nothing is waited for but the queue itself.
void run_on(vk::Device& gpu, const std::function<void(vk::CommandRecorder&)>& record) {
  const auto recorder = gpu.record(vk::Level::kPrimary);
  record(*recorder);
  const auto timeline = gpu.create_timeline();
  gpu.queue(0).submit({{recorder->finish()}, {}, {timeline, 1}});
  timeline->wait(1);
  gpu.check_not_lost();
}

bool overlap(const vk::BufferRange& a, const vk::BufferRange& b) {
  return a.buffer == b.buffer && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

void copy_through_host(const Side& dst, const Side& src) {
  const std::uint64_t bytes = dst.range.size;
  std::vector<std::byte> piece(std::min(bytes, kChunk));
  for (std::uint64_t at = 0; at < bytes; at += kChunk) {
    const std::uint64_t size = std::min(kChunk, bytes - at);
    src.device->gpu().read(piece.data(), src.range.slice(at, size));
    dst.device->gpu().write(dst.range.slice(at, size), piece.data());
  }
}

void copy_sides(const Side& dst, const Side& src, std::uint64_t bytes) {
  if (dst.host && src.host) {
    copy_host_bytes(dst.host, src.host, bytes);
  } else if (src.host) {
    dst.device->gpu().write(dst.range, src.host);
  } else if (dst.host) {
    src.device->gpu().read(dst.host, src.range);
  } else if (dst.device->is_neighbour(*src.device) && !overlap(dst.range, src.range)) {
    run_on(dst.device->gpu(), [&](vk::CommandRecorder& recorder) { recorder.copy(dst.range, src.range); });
  } else {
    copy_through_host(dst, src);
  }
}

/// One end of a copy of rows.
struct Rows {
  Side side;
  std::uint64_t pitch = 0;

  std::byte* host(std::uint64_t row) const { return side.host + row * pitch; }
  vk::BufferRange part(std::uint64_t row, std::uint64_t count, std::uint64_t width) const {
    return side.range.slice(row * pitch, (count - 1) * pitch + width);
  }
};

/// Pinned memory for the length of a call.
class Staging {
 public:
  Staging(Device& device, std::uint64_t bytes)
      : memory_(device.memory()), pointer_(memory_.allocate(vk::Placement::kPinnedHost, bytes)), bytes_(bytes) {}
  ~Staging() { memory_.release(pointer_, vk::Placement::kPinnedHost); }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  std::byte* host() const { return static_cast<std::byte*>(pointer_); }
  vk::BufferRange range(std::uint64_t bytes) const { return memory_.find(pointer_, bytes_)->slice(0, bytes); }

 private:
  vk::Memory& memory_;
  void* pointer_;
  std::uint64_t bytes_;
};

// Rows of memory that the host does not see: packed in pinned memory, spread out again by the device, so that the
// bytes between the rows keep their values.
void write_rows(const Rows& dst, const Rows& src, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t step = std::min(height, std::max<std::uint64_t>(1, kChunk / width));
  const Staging staging(*dst.side.device, step * width);
  for (std::uint64_t row = 0; row < height; row += step) {
    const std::uint64_t count = std::min(step, height - row);
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(staging.host() + i * width, src.host(row + i), width);
    run_on(dst.side.device->gpu(), [&](vk::CommandRecorder& recorder) {
      recorder.copy_2d({dst.part(row, count, width), staging.range(count * width), dst.pitch, width, width, count});
    });
  }
}

void read_rows(const Rows& dst, const Rows& src, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t step = std::min(height, std::max<std::uint64_t>(1, kChunk / width));
  const Staging staging(*src.side.device, step * width);
  for (std::uint64_t row = 0; row < height; row += step) {
    const std::uint64_t count = std::min(step, height - row);
    run_on(src.side.device->gpu(), [&](vk::CommandRecorder& recorder) {
      recorder.copy_2d({staging.range(count * width), src.part(row, count, width), width, src.pitch, width, count});
    });
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(dst.host(row + i), staging.host() + i * width, width);
  }
}

void copy_rows(const Rows& dst, const Rows& src, std::uint64_t width, std::uint64_t height) {
  if (dst.side.host && src.side.host) {
    for (std::uint64_t row = 0; row < height; ++row) std::memmove(dst.host(row), src.host(row), width);
  } else if (src.side.host) {
    write_rows(dst, src, width, height);
  } else if (dst.side.host) {
    read_rows(dst, src, width, height);
  } else if (dst.side.device == src.side.device && !overlap(dst.side.range, src.side.range)) {
    run_on(dst.side.device->gpu(), [&](vk::CommandRecorder& recorder) {
      recorder.copy_2d({dst.side.range, src.side.range, dst.pitch, src.pitch, width, height});
    });
  } else {
    for (std::uint64_t row = 0; row < height; ++row) {
      copy_through_host({dst.side.device, dst.part(row, 1, width)}, {src.side.device, src.part(row, 1, width)});
    }
  }
}

}  // namespace

Location locate(const void* pointer) {
  if (const auto found = find_allocation(pointer)) return {kind_of(found->allocation), found->device->id};
  return {is_dead(pointer) ? Location::Kind::kDead : Location::Kind::kPageable, 0};
}

const char* name_of(Location::Kind kind) {
  switch (kind) {
    case Location::Kind::kPageable: return "pageable host memory";
    case Location::Kind::kPinned: return "pinned host memory";
    case Location::Kind::kDevice: return "device memory";
    case Location::Kind::kManaged: return "managed memory";
    case Location::Kind::kDead: break;
  }
  return "device memory that is not allocated";
}

void check_accessible(const void* pointer, const Extent& extent, const char* what, HostAccess access) {
  resolve(pointer, extent, what, access);
}

void copy_now(void* dst, const void* src, std::uint64_t bytes) {
  if (bytes == 0) return;
  const Side to = destination(dst, {bytes});
  copy_sides(to, source(src, {bytes}), bytes);
  tell_waiting_streams(to);
}

void copy_2d_now(void* dst, std::uint64_t dst_pitch, const void* src, std::uint64_t src_pitch, std::uint64_t width,
                 std::uint64_t height) {
  if (width == 0 || height == 0) return;
  const Rows to{destination(dst, {width, height, dst_pitch}), dst_pitch};
  const Rows from{source(src, {width, height, src_pitch}), src_pitch};
  copy_rows(to, from, width, height);
  tell_waiting_streams(to.side);
}

void fill_now(void* dst, std::uint8_t value, std::uint64_t bytes) {
  if (bytes == 0) return;
  const Side to = destination(dst, {bytes});
  if (to.host) {
    std::memset(to.host, value, bytes);
  } else {
    run_on(to.device->gpu(), [&](vk::CommandRecorder& recorder) { recorder.fill(to.range, value); });
  }
  tell_waiting_streams(to);
}

void fill_words_now(void* dst, std::uint32_t value, std::uint64_t words) {
  if (words == 0) return;
  const Side to = destination(dst, {words * sizeof(value)});
  if (to.host) {
    std::fill_n(reinterpret_cast<std::uint32_t*>(to.host), words, value);
  } else {
    run_on(to.device->gpu(), [&](vk::CommandRecorder& recorder) { recorder.fill_words(to.range, value); });
  }
  tell_waiting_streams(to);
}

}  // namespace aclvk::runtime
